import {
  runProcess,
  SERVER_EXIT_CODES,
  type ServerProgram,
} from '../platform/process/run-process.ts'
import { readEnv } from '../platform/settings/env.ts'
import {
  DATABASE_VARIABLES,
  databaseFaults,
  SERVER_VARIABLES,
  serverFaults,
  startStandAlone,
} from '../platform/subgraph/standalone.ts'
import { startEvents } from './index.ts'

const program = {
  service: 'assay-events',
  usage: ['npm run start:events', 'node dist/events.js'],
  does: 'Runs the events subgraph alone. Only a gateway with the same INTERNAL_SECRET may call it.',
  reads: [
    ...DATABASE_VARIABLES,
    ...SERVER_VARIABLES,
    'EVENTS_STRICT',
    'RAW_EVENTS_RETENTION_DAYS',
    'EVENTS_RETENTION_DAYS',
    'STATUS_CHANGES_RETENTION_DAYS',
    'EVENTS_QUEUE_EVENTS',
    'EVENTS_QUEUE_BYTES',
    'EVENTS_SEARCH_LAG',
    'EVENTS_QUERY_TIMEOUT_MS',
    'PAGE_BYTES',
    'IMPORT_EVENTS',
  ],
  exitCodes: SERVER_EXIT_CODES,
} as const satisfies ServerProgram

/** The events subgraph as a process of its own, on port 4002 unless PORT says otherwise. */
runProcess(program, async (env) => {
  const config = readEnv({ PORT: '4002', ...env }, program.reads, (given) => [
    ...databaseFaults(given),
    ...serverFaults(given),
  ])
  return startStandAlone('events', config, (shared) =>
    startEvents(shared, {
      strict: config.EVENTS_STRICT,
      retentionDays: config.RAW_EVENTS_RETENTION_DAYS,
      eventRetentionDays: config.EVENTS_RETENTION_DAYS,
      statusRetentionDays: config.STATUS_CHANGES_RETENTION_DAYS,
      queueEvents: config.EVENTS_QUEUE_EVENTS,
      queueBytes: config.EVENTS_QUEUE_BYTES,
      searchLag: config.EVENTS_SEARCH_LAG,
      queryTimeoutMs: config.EVENTS_QUERY_TIMEOUT_MS,
      pageBytes: config.PAGE_BYTES,
      importEvents: config.IMPORT_EVENTS,
    }),
  )
})
