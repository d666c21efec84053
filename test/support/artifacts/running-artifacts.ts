import { randomBytes } from 'node:crypto'
import { type ExecutionResult, graphql } from 'graphql'
import pg from 'pg'
import { pino } from 'pino'
import { type Caller, openCaller } from '../../../platform/access/caller.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../../platform/pub-sub/postgres.ts'
import { startEvaluation, startTestExecution } from '../../../subgraphs/test-execution/index.ts'
import { createMigratedDatabase } from '../database.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it has asked for
export type Data = any

export interface RunningArtifacts {
  url: string
  sql(statement: string, parameters?: unknown[]): Promise<Data[]>
  /** Runs an operation and returns its whole answer. */
  answer(
    source: string,
    variables?: Record<string, unknown>,
    caller?: Caller,
  ): Promise<ExecutionResult>
  /** Runs an operation that must succeed. */
  run(source: string, variables?: Record<string, unknown>, caller?: Caller): Promise<Data>
  /** Creates an artifact and returns its id and revision. */
  create(
    type: string,
    input: Record<string, unknown>,
    caller?: Caller,
  ): Promise<{ id: string; revision: number }>
  facts(): object
  stop(): Promise<void>
}

/** A scenario that does next to nothing. */
export const SCENARIO = { steps: [{ id: 'pause', wait: { ms: 1 } }] }

const SECRETS_KEY = randomBytes(32).toString('base64')

/** The test-execution subgraph, without a worker, on an empty database of its own. @param shared the database of another */
export async function runArtifacts(shared?: string): Promise<RunningArtifacts> {
  const releasers = new Releasers()
  const log = pino({ level: 'silent' })
  const { url, drop } = shared
    ? { url: shared, drop: async () => {} }
    : await createMigratedDatabase()
  releasers.defer(drop)
  const jobs = await startJobs(url, log)
  releasers.defer(() => jobs.stop())
  const pubSub = await startPostgresPubSub(url, log)
  releasers.defer(() => pubSub.stop())
  const evaluation = startEvaluation(2_000)
  releasers.defer(() => evaluation.stop())
  const { schema, stop, facts } = await startTestExecution({
    databaseUrl: url,
    jobs,
    pubSub,
    log,
    secretsKey: SECRETS_KEY,
    outbound: createOutbound({ allow: [], ownPorts: [] }),
    evaluation,
    examples: false,
    commandSteps: false,
  })
  releasers.defer(stop)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  releasers.defer(() => pool.end())

  const answer: RunningArtifacts['answer'] = (
    source,
    variableValues,
    caller = openCaller('test'),
  ) =>
    graphql({
      schema,
      source,
      ...(variableValues && { variableValues }),
      contextValue: { caller },
    })
  const run: RunningArtifacts['run'] = async (...operation) => {
    const { data, errors } = await answer(...operation)
    if (errors?.[0]) throw errors[0]
    return data
  }
  return {
    url,
    facts,
    answer,
    run,
    sql: async (statement, parameters) => (await pool.query(statement, parameters)).rows,
    create: async (type, input, caller) =>
      (
        await run(
          `mutation ($input: Create${type}Input!) { created: create${type}(input: $input) { id revision } }`,
          { input },
          caller,
        )
      ).created,
    stop: () => releasers.release(),
  }
}

/** Expected error of a refused operation. */
export const refusal = (code: string, message: string | RegExp) => ({
  message: typeof message === 'string' ? message : expect.stringMatching(message),
  extensions: expect.objectContaining({ code }),
})
