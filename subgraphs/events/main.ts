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
import { startEvents } from './index.ts'

/** The events subgraph as a process of its own, on port 4002 unless PORT says otherwise. */
runProcess((env) =>
  withReleasers(async (releasers) => {
    const config = readEnv(
      { PORT: '4002', ...env },
      [
        ...DATABASE_VARIABLES,
        ...SERVER_VARIABLES,
        'EVENTS_STRICT',
        'RAW_EVENTS_RETENTION_DAYS',
        'EVENTS_QUEUE_EVENTS',
        'EVENTS_QUEUE_BYTES',
      ],
      (given) => [...databaseFaults(given), ...serverFaults(given)],
    )
    const log = createLogger(config.LOG_LEVEL, 'events')
    const shared = await startShared(config, log, releasers)
    const events = await startEvents(shared, {
      strict: config.EVENTS_STRICT,
      retentionDays: config.RAW_EVENTS_RETENTION_DAYS,
      queueEvents: config.EVENTS_QUEUE_EVENTS,
      queueBytes: config.EVENTS_QUEUE_BYTES,
    })
    releasers.defer(() => events.stop())
    releasers.defer(() => shared.jobs.stop())
    const server = await serveSubgraph({
      host: config.HOST,
      port: config.PORT,
      signature: signatureFrom(config),
      schema: events.schema,
      log,
    })
    releasers.defer(() => server.stop())
    log.info({ url: server.url }, 'The events subgraph is ready')
    return { stop: () => releasers.release() }
  }),
)
