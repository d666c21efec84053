import { JsonPieces, listPieces, objectPieces } from './json/pieces.ts'

/** Keys of a failed expectation, in the order in which they are written. */
export const VALIDATION_FAILURE_KEYS = [
  'name',
  'message',
  'stepId',
  'path',
  'assert',
  'expectedValue',
  'actualValue',
  'datasetRow',
] as const

/** Keys of a component's coverage in a simple result, likewise. */
export const SIMPLE_COVERAGE_KEYS = ['componentName', 'coveragePercentage'] as const

/** Source of a simple result; objects may carry more than it shows. */
export interface SimpleResultData {
  id: string
  type: string
  contextId: string
  /** Results of the members of a suite, and of tests that were reported; absent where there can be none. */
  testCaseResults?: Iterable<SimpleResultData>
  state: string
  /** ISO 8601 in UTC. */
  started: string
  /** ISO 8601 in UTC; null while the execution runs. */
  ended: string | null
  message: string | null
  executedBy: string
  validationFailures: readonly Partial<Record<(typeof VALIDATION_FAILURE_KEYS)[number], unknown>>[]
  useCodeCoverage: boolean
  codeCoverage: readonly Partial<Record<(typeof SIMPLE_COVERAGE_KEYS)[number], unknown>>[]
}

/**
 * The simple execution result of the contract as JSON: an answer of the REST interface and the body of a callback, byte
 * by byte the same. It comes in pieces of one result each, as a suite may have tens of thousands.
 */
export const simpleResultText = (data: SimpleResultData): Iterable<string> =>
  objectPieces(simpleResultInPieces(data))

/** Content of that JSON, with the members in pieces. */
export const simpleResultInPieces = (data: SimpleResultData): Record<string, unknown> => ({
  ...simpleResult({ ...data, testCaseResults: [] }),
  testCaseResults: new JsonPieces(listPieces(data.testCaseResults ?? [], simpleResultText)),
})

/** Content of that JSON. */
export const simpleResult = (data: SimpleResultData): Record<string, unknown> => ({
  id: data.id,
  type: data.type,
  contextId: data.contextId,
  testCaseResults: Array.from(data.testCaseResults ?? [], simpleResult),
  state: data.state,
  started: timestamp(data.started),
  ended: data.ended && timestamp(data.ended),
  message: data.message,
  executedBy: data.executedBy,
  validationFailures: data.validationFailures.map((failure) =>
    pick(failure, VALIDATION_FAILURE_KEYS),
  ),
  useCodeCoverage: data.useCodeCoverage,
  codeCoverage: data.codeCoverage.map((coverage) => pick(coverage, SIMPLE_COVERAGE_KEYS)),
})

const pick = <Key extends string>(
  from: Partial<Record<Key, unknown>>,
  keys: readonly Key[],
): Record<string, unknown> => Object.fromEntries(keys.map((key) => [key, from[key] ?? null]))

/** The contract writes the offset as `+0000` where GraphQL's ISO 8601 writes `Z`. */
export const timestamp = (iso: string): string => iso.replace(/Z$/, '+0000')
