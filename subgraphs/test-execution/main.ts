import { missing, readEnv } from '../shared/env.ts'
import { createLogger } from '../shared/logger.ts'
import { withReleasers } from '../shared/releasers.ts'
import { runProcess } from '../shared/run-process.ts'
import { serveSubgraph } from '../shared/serve-subgraph.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  OUTBOUND_VARIABLES,
  outboundFrom,
  SERVER_VARIABLES,
  serverFaults,
  signatureFrom,
  startShared,
} from '../shared/standalone.ts'
import { startTestExecution } from './index.ts'

/** The test-execution subgraph as a process of its own, on port 4001 unless PORT says otherwise. */
runProcess((env) =>
  withReleasers(async (releasers) => {
    const config = readEnv(
      { PORT: '4001', ...env },
      [
        ...DATABASE_VARIABLES,
        ...SERVER_VARIABLES,
        ...OUTBOUND_VARIABLES,
        'SECRETS_KEY',
        'EXAMPLES',
      ],
      (given) => [
        ...databaseFaults(given),
        ...missing(given, ['SECRETS_KEY'], 'to seal host credentials'),
        ...serverFaults(given),
      ],
    )
    const log = createLogger(config.LOG_LEVEL, 'test-execution')
    const shared = await startShared(config, log, releasers)
    const testExecution = await startTestExecution({
      ...shared,
      secretsKey: config.SECRETS_KEY ?? '',
      outbound: outboundFrom(config, config.HOST),
      examples: config.EXAMPLES,
    })
    releasers.defer(() => testExecution.stop())
    const server = await serveSubgraph({
      host: config.HOST,
      port: config.PORT,
      signature: signatureFrom(config),
      schema: testExecution.schema,
      log,
    })
    releasers.defer(() => server.stop())
    log.info({ url: server.url }, 'The test-execution subgraph is ready')
    return { stop: () => releasers.release() }
  }),
)
