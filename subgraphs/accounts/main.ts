import { FIRST_ADMIN_VARIABLES, firstAdminFrom } from '../shared/access/first-admin.ts'
import { readEnv } from '../shared/env.ts'
import { createLogger } from '../shared/logger.ts'
import { withReleasers } from '../shared/releasers.ts'
import { runProcess } from '../shared/run-process.ts'
import { serveSubgraph } from '../shared/serve-subgraph.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  SERVER_VARIABLES,
  serverFaults,
  signatureFrom,
  startShared,
} from '../shared/standalone.ts'
import { startAccounts } from './index.ts'

/** The accounts subgraph as a process of its own, on port 4003 unless PORT says otherwise. */
runProcess((env) =>
  withReleasers(async (releasers) => {
    const config = readEnv(
      { PORT: '4003', ...env },
      [...DATABASE_VARIABLES, ...SERVER_VARIABLES, ...FIRST_ADMIN_VARIABLES],
      (given) => [...databaseFaults(given), ...serverFaults(given)],
    )
    const log = createLogger(config.LOG_LEVEL, 'accounts')
    const shared = await startShared(config, log, releasers)
    const accounts = await startAccounts(shared, firstAdminFrom(config))
    releasers.defer(() => accounts.stop())
    releasers.defer(() => shared.jobs.stop())
    const server = await serveSubgraph({
      host: config.HOST,
      port: config.PORT,
      signature: signatureFrom(config),
      schema: accounts.schema,
      log,
    })
    releasers.defer(() => server.stop())
    log.info({ url: server.url }, 'The accounts subgraph is ready')
    return { stop: () => releasers.release() }
  }),
)
