import { type ExecutionResult, parse, subscribe } from 'graphql'
import { pino } from 'pino'
import { type Caller, openCaller } from '../../platform/access/caller.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { Releasers } from '../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../platform/pub-sub/postgres.ts'
import {
  startEvaluation,
  startTestExecution,
  startWorker,
} from '../../subgraphs/test-execution/index.ts'
import { createMigratedDatabase } from './database.ts'
import { runOperation } from './run-operation.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it has asked for
export type Data = any

export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 'signing').toString('base64')}`
export const SECRETS_KEY = Buffer.alloc(32, 'secrets').toString('base64')
export const PASSWORD = 'open-sesame-4711'

/** Names of this test's network: one leads to a collector, one to a forbidden address. */
const NAMES: Readonly<Record<string, string[]>> = {
  'receiver.example': ['127.0.0.1'],
  'inside.example': ['127.0.0.1', '169.254.169.254'],
}

export interface RunningExecutions {
  databaseUrl: string
  /** Everything logged so far. */
  logged(): string
  /** Runs an operation that must succeed, for a caller with all permissions, or for `caller`. */
  run(source: string, variables?: Record<string, unknown>, caller?: Caller): Promise<Data>
  /** Runs an operation that must fail. @returns its error code and message */
  refused(
    source: string,
    variables?: Record<string, unknown>,
    caller?: Caller,
  ): Promise<[unknown, string]>
  /** The items of a subscription until it ends. @throws its errors */
  watch(
    source: string,
    variables?: Record<string, unknown>,
    caller?: Caller,
  ): AsyncGenerator<Data, void>
  /** The same, once the subscription has begun. */
  subscribed(
    source: string,
    variables?: Record<string, unknown>,
    caller?: Caller,
  ): Promise<AsyncGenerator<Data, void>>
  /** Accepts an execution of an example. @returns its id */
  execute(callbackUrl: string | null, contextId?: string): Promise<string>
  /** The only delivery of an execution, once `done` holds. */
  delivery(executionId: string, done: (delivery: Data) => boolean): Promise<Data>
  /** A worker with a schedule of its own. */
  startWorker(): Promise<void>
  stop(): Promise<void>
}

/** Details are kept for a day, and deleted when a test enqueues the job. */
const RETENTION = {
  DETAILS_RETENTION_DAYS: 1,
  DETAILS_RETENTION_SCHEDULE: '0 0 1 1 *',
  DETAILS_RETENTION_BATCH: 2,
}

const DELIVERY = 'id url state nextAttemptAt attempts { started status error durationMs }'

async function* itemsOf(stream: AsyncIterable<ExecutionResult>): AsyncGenerator<Data, void> {
  for await (const { data, errors } of stream) {
    if (errors?.[0]) throw errors[0]
    yield data
  }
}

/** The test-execution subgraph on a database of its own, with the examples in it; a worker where a test wants one. */
export async function runExecutions(
  schedule: readonly number[] = [],
  timeoutMs = 60_000,
  commandSteps = true,
): Promise<RunningExecutions> {
  const releasers = new Releasers()
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const { url: databaseUrl, drop } = await createMigratedDatabase()
  releasers.defer(drop)
  const outbound = createOutbound({
    allow: ['127.0.0.0/8'],
    ownPorts: [1],
    resolve: async (name) => NAMES[name] ?? [],
  })
  const evaluation = startEvaluation(2_000)
  releasers.defer(() => evaluation.stop())
  const start = async () => {
    const pubSub = await startPostgresPubSub(databaseUrl, log)
    releasers.defer(() => pubSub.stop())
    const jobs = await startJobs(databaseUrl, log)
    releasers.defer(() => jobs.stop())
    return {
      databaseUrl,
      pubSub,
      jobs,
      log,
      outbound,
      evaluation,
      secretsKey: SECRETS_KEY,
      commandSteps,
    }
  }
  const { schema, stop } = await startTestExecution({ ...(await start()), examples: true })
  releasers.defer(stop)

  const answer = (
    source: string,
    variableValues: Record<string, unknown> = {},
    caller = openCaller('test'),
  ) => runOperation(schema, source, variableValues, { caller })
  const run: RunningExecutions['run'] = async (...operation) => {
    const { data, errors } = await answer(...operation)
    if (errors?.[0]) throw errors[0]
    return data
  }
  const subscribed: RunningExecutions['subscribed'] = async (
    source,
    variableValues = {},
    caller = openCaller('test'),
  ) => {
    const document = parse(source)
    const contextValue = { caller }
    const stream = await subscribe({ schema, document, variableValues, contextValue })
    if (!(Symbol.asyncIterator in stream)) throw stream.errors?.[0]
    return itemsOf(stream as AsyncIterable<ExecutionResult>)
  }
  return {
    databaseUrl,
    logged: () => lines.join(''),
    run,
    async *watch(...operation) {
      yield* await subscribed(...operation)
    },
    subscribed,
    async refused(...operation) {
      const { errors } = await answer(...operation)
      return [errors?.[0]?.extensions.code, errors?.[0]?.message ?? '']
    },
    async execute(callbackUrl, contextId = 'loan-schedule') {
      const credentials = { userId: 'tester', password: PASSWORD }
      const { execute } = await run(
        'mutation ($input: ExecuteInput!) { execute(input: $input) { id } }',
        { input: { contextId, callbackUrl, credentials } },
      )
      return execute.id
    },
    async delivery(executionId, done) {
      for (;;) {
        const { executionResult } = await run(
          `query ($id: ID!) { executionResult(id: $id) { callbackDeliveries { ${DELIVERY} } } }`,
          { id: executionId },
        )
        const [delivery, ...others] = executionResult.callbackDeliveries
        expect(others).toEqual([])
        if (delivery && done(delivery)) return delivery
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async startWorker() {
      const deps = await start()
      const worker = await startWorker({
        ...deps,
        sandboxMode: 'best-effort',
        slots: 2,
        readySandboxes: 1,
        reuseSandboxes: true,
        retention: RETENTION,
        callbacks: { signingSecret: SIGNING_SECRET, schedule, timeoutMs },
      })
      releasers.defer(() => worker.stop())
      releasers.defer(() => deps.jobs.stop())
    },
    stop: () => releasers.release(),
  }
}
