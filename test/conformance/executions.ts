import { type Answer, call, readUntil } from './calls.ts'

export interface CodeCoverage {
  componentName: string
  coveragePercentage: number
}

export interface DetailedCodeCoverage extends CodeCoverage {
  level: string
  tags: unknown[]
  sourceCode: string
  hitLines: number[]
  untouchedLines: number[]
  executionCount: number
}

export interface ExecutionResult {
  id: string
  type: string
  contextId: string
  testCaseResults: ExecutionResult[]
  state: string
  started: string
  ended: string | null
  message: string | null
  executedBy: string
  validationFailures: Record<string, unknown>[]
  useCodeCoverage: boolean
  codeCoverage: CodeCoverage[]
}

export interface DetailedExecutionResult extends ExecutionResult {
  report: string
  log: string
  codeCoverage: DetailedCodeCoverage[]
}

/** The fields that every execution result carries. */
export const RESULT_FIELDS = [
  'id',
  'type',
  'contextId',
  'testCaseResults',
  'state',
  'started',
  'ended',
  'message',
  'executedBy',
  'validationFailures',
  'useCodeCoverage',
  'codeCoverage',
] as const

/** Milliseconds and a numeric offset without a colon, as in 2026-01-31T08:15:00.250+0000. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+0000$/

export const millisecondsOf = (timestamp: string | null): number =>
  Date.parse((timestamp ?? '').replace('+0000', 'Z'))

export const USER_ID = 'tester'
export const PASSWORD = 'open-sesame-4711'

/** Base64 of `<user id>:<password>`, as the `credentials` header carries it. */
export const encoded = (userId: string, password: string): string => btoa(`${userId}:${password}`)

/** The example scenarios: one ends COMPLETED, one FAILED, one ERROR. */
export type Scenario = 'loan-schedule' | 'tax-table' | 'shipping-quote'

export const SCENARIOS: readonly Scenario[] = ['loan-schedule', 'tax-table', 'shipping-quote']

/** Calls an execute route with host credentials; `path` may carry a query. */
export const execute = (
  path: string,
  headers: Record<string, string> = { credentials: encoded(USER_ID, PASSWORD) },
): Promise<Answer<ExecutionResult>> => call('POST', path, { headers })

export const readResult = (resultId: string): Promise<Answer<ExecutionResult>> =>
  call('GET', `/result/${resultId}`)

export const readDetails = (resultId: string): Promise<Answer<DetailedExecutionResult>> =>
  call('GET', `/result/${resultId}/details`)

/** Responses about one execution: the answer of the start, the simple and the detailed result after the end. */
export interface Run {
  start: Answer<ExecutionResult>
  simple: ExecutionResult
  details: DetailedExecutionResult
}

/** A synchronous run of an example scenario, made once and shared by all rows. */
export const synchronousRun = once((scenario) =>
  runAndRead(`/testcase/${scenario}/execute?synchron=true`),
)

/** An asynchronous run of an example scenario, read again after its end, shared likewise. */
export const asynchronousRun = once((scenario) => runAndRead(`/testcase/${scenario}/execute`))

/** A synchronous run of the example suite: one member ends COMPLETED and one FAILED. */
export const suiteRun = once((suite: 'finance') =>
  runAndRead(`/suite/${suite}/execute?synchron=true`),
)

async function runAndRead(path: string): Promise<Run> {
  const start = await execute(path)
  expect(start.status).toBe(200)
  const { body: simple } = await readUntil(
    () => readResult(start.body.id),
    ({ body }) => body.state !== 'RUNNING',
  )
  const { body: details } = await readDetails(start.body.id)
  return { start, simple, details }
}

function once<Id>(run: (id: Id) => Promise<Run>): (id: Id) => Promise<Run> {
  const runs = new Map<Id, Promise<Run>>()
  return (id) => {
    const known = runs.get(id) ?? run(id)
    runs.set(id, known)
    return known
  }
}
