import type { ExecutionResult } from 'graphql'
import pg from 'pg'
import { pino } from 'pino'
import { type Caller, openCaller } from '../../../platform/access/caller.ts'
import { type Jobs, startJobs } from '../../../platform/jobs/jobs.ts'
import { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../../platform/pub-sub/postgres.ts'
import type { Subgraph } from '../../../platform/subgraph/subgraph.ts'
import { asOperation } from '../../../platform/tracing/trace.ts'
import { type EventsDeps, startEvents } from '../../../subgraphs/events/index.ts'
import { DEFAULT_SETTINGS, type EventsSettings } from '../../../subgraphs/events/settings.ts'
import { createMigratedDatabase } from '../database.ts'
import { runOperation } from '../run-operation.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it has asked for
export type Data = any

export interface RunningEvents {
  url: string
  jobs: Jobs
  schema: Subgraph['schema']
  sql(statement: string, parameters?: unknown[]): Promise<Data[]>
  /** Runs an operation and returns its whole answer. */
  answer(
    source: string,
    variables?: Record<string, unknown>,
    user?: string | Pick<Caller, 'user' | 'subject'>,
  ): Promise<ExecutionResult>
  /** Runs an operation that must succeed. */
  run(
    source: string,
    variables?: Record<string, unknown>,
    user?: string | Pick<Caller, 'user' | 'subject'>,
  ): Promise<Data>
  ingest(events: unknown[], rest?: Record<string, unknown>): Promise<Data>
  stop(): Promise<void>
}

const INGEST = `mutation ($input: IngestEventsInput!) { ingestEvents(input: $input) {
  sent success replayed accepted { index id } errors { index message } } }`

/** The events subgraph on a database of its own, or on that of another one. */
export async function runEvents(
  settings: Partial<EventsSettings> = {},
  existingUrl?: string,
  metrics = new ProcessMetrics(),
  delivery?: EventsDeps['delivery'],
): Promise<RunningEvents> {
  const releasers = new Releasers()
  const log = pino({ level: 'silent' })
  let url = existingUrl
  if (!url) {
    const database = await createMigratedDatabase()
    releasers.defer(() => database.drop())
    url = database.url
  }
  const jobs = await startJobs(url, log)
  releasers.defer(() => jobs.stop())
  const pubSub = await startPostgresPubSub(url, log)
  releasers.defer(() => pubSub.stop())
  const { schema, stop } = await startEvents(
    { databaseUrl: url, jobs, pubSub, log, metrics, delivery },
    { ...DEFAULT_SETTINGS, ...settings },
  )
  releasers.defer(stop)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  releasers.defer(() => pool.end())

  const answer: RunningEvents['answer'] = (source, variableValues, user) =>
    asOperation(() =>
      runOperation(schema, source, variableValues ?? {}, {
        caller: {
          ...openCaller('test'),
          ...(typeof user === 'object' ? user : { user: user ?? null }),
        },
      }),
    )
  const run: RunningEvents['run'] = async (...operation) => {
    const { data, errors } = await answer(...operation)
    if (errors?.[0]) throw errors[0]
    return data
  }
  return {
    url,
    jobs,
    schema,
    sql: async (statement, parameters) => (await pool.query(statement, parameters)).rows,
    answer,
    run,
    ingest: async (events, rest = {}) =>
      (await run(INGEST, { input: { events, ...rest } })).ingestEvents,
    stop: () => releasers.release(),
  }
}
