import { timestamp } from '../timestamp.ts'

const OWN_FIELDS = `id type contextId state started ended message executedBy useCodeCoverage
  validationFailures { name message stepId path assert expectedValue actualValue datasetRow }
  codeCoverage { componentName coveragePercentage }`

/** GraphQL fields of a simple result: its own, and those of the members of a suite. */
export const SIMPLE_RESULT = `${OWN_FIELDS} testCaseResults { ${OWN_FIELDS} }`

/** GraphQL fields of a detailed result. */
export const DETAILED_RESULT = `${SIMPLE_RESULT} report log
  codeCoverage { level tags sourceCode hitLines untouchedLines executionCount }`

export interface ResultData {
  id: string
  type: string
  contextId: string
  state: string
  started: string
  ended: string | null
  message: string | null
  executedBy: string
  useCodeCoverage: boolean
  validationFailures: object[]
  codeCoverage: object[]
  /** Absent below a member. */
  testCaseResults?: ResultData[]
  report?: string | null
  log?: string | null
}

/** The body of a simple result, in the order of the contract. */
export const simpleResult = (data: ResultData): Record<string, unknown> => ({
  id: data.id,
  type: data.type,
  contextId: data.contextId,
  testCaseResults: (data.testCaseResults ?? []).map(simpleResult),
  state: data.state,
  started: timestamp(data.started),
  ended: data.ended && timestamp(data.ended),
  message: data.message,
  executedBy: data.executedBy,
  validationFailures: data.validationFailures,
  useCodeCoverage: data.useCodeCoverage,
  codeCoverage: data.codeCoverage,
})

/** The body of a detailed result: what the simple one has, the report and the log. */
export const detailedResult = (data: ResultData): Record<string, unknown> => ({
  ...simpleResult(data),
  report: data.report,
  log: data.log,
})
