import type { SchemaObject } from 'ajv'
import { hasEqual, isObject, jsonEquals, longInteger, longOf } from '../../formats/json/values.ts'
import { compileJsonSchema, schemaFault } from './json-schema.ts'

/** Observation that an expectation judges. */
export interface Observation {
  /** Value that the path selects; `undefined` where it selects nothing. */
  actual: unknown
  /** True if the path selects anything; `actual` is an empty list where one that could select several does not. */
  isThere: boolean
  /** Number of values that the path selects; an array selected as one counts its elements. */
  count: number
  /** The whole result of the step, whatever the path is. */
  result: unknown
  /** Duration of the step. */
  durationMs: number
  /** Rounds long integers, which are of no type of JSON Schema. */
  rounded(value: unknown): unknown
  /** Set where all text of `actual`, `result` and the expected value is in lower case. */
  ignoreCase: boolean
}

export interface Assert {
  /** Schema of the expected `value`; `required` where there is no default. */
  value: SchemaObject
  required: boolean
  /** The phrase between what was looked at and the expected value. */
  phrase: string
  /** Set where upper and lower case can be the same to it. */
  ignoresCase?: true
  /** Value that is compared, for the message; `actual` where absent. */
  observed?(observation: Observation, expected: unknown): unknown
  holds(observation: Observation, expected: unknown): boolean
  /** A fault in an expected value beyond the schema; null if there is none. */
  fault?(expected: unknown): string | null
}

const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']
const COMPARABLE = { type: ['number', 'string'] }
const CASE_OPTIONAL = { required: true, ignoresCase: true } as const

const compares = (phrase: string, order: (sign: number) => boolean): Assert => ({
  value: COMPARABLE,
  required: true,
  phrase,
  holds: ({ actual }, expected) => {
    const sign = compare(actual, expected)
    return sign !== null && order(sign)
  },
})

/** Every assert of an expectation. A new one is a row here. */
export const ASSERTS = {
  equals: {
    value: {},
    ...CASE_OPTIONAL,
    phrase: 'equals',
    holds: ({ actual }, expected) => jsonEquals(actual, expected),
  },
  notEquals: {
    value: {},
    ...CASE_OPTIONAL,
    phrase: 'differs from',
    holds: ({ actual }, expected) => !jsonEquals(actual, expected),
  },
  contains: {
    value: {},
    ...CASE_OPTIONAL,
    phrase: 'contains',
    holds: ({ actual }, expected) => contains(actual, expected),
  },
  matches: {
    value: { type: 'string', format: 'regex', maxLength: 1_000 },
    required: true,
    phrase: 'matches',
    holds: ({ actual, ignoreCase }, expected) =>
      typeof actual === 'string' &&
      new RegExp(String(expected), ignoreCase ? 'iu' : 'u').test(actual),
  },
  lessThan: compares('is less than', (sign) => sign < 0),
  lessThanOrEqual: compares('is at most', (sign) => sign <= 0),
  greaterThan: compares('is greater than', (sign) => sign > 0),
  greaterThanOrEqual: compares('is at least', (sign) => sign >= 0),
  count: {
    value: { type: 'integer', minimum: 0 },
    required: true,
    phrase: 'has the count',
    observed: ({ count }) => count,
    holds: ({ count }, expected) => count === expected,
  },
  type: {
    value: { enum: JSON_TYPES },
    required: true,
    phrase: 'is of type',
    observed: ({ actual }) => (actual === undefined ? undefined : typeOf(actual)),
    holds: ({ actual }, expected) =>
      typeOf(actual) === expected ||
      (expected === 'number' && ['number', 'bigint'].includes(typeof actual)),
  },
  schema: {
    value: { type: ['object', 'boolean'] },
    required: true,
    phrase: 'matches the JSON Schema',
    observed: ({ actual, rounded }, expected) =>
      actual === undefined ? undefined : (schemaFault(expected, rounded(actual)) ?? actual),
    holds: ({ actual, rounded }, expected) =>
      actual !== undefined && schemaFault(expected, rounded(actual)) === null,
    fault: (expected) => compileJsonSchema(expected).fault,
  },
  exists: {
    value: { type: 'boolean' },
    required: false,
    phrase: 'exists:',
    observed: ({ isThere }) => isThere,
    holds: ({ isThere }, expected) => isThere === (expected ?? true),
  },
  status: {
    value: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[1-5]xx$' }] },
    required: true,
    phrase: 'has the HTTP status',
    observed: ({ result }) => part(result, 'status'),
    holds({ result }, expected) {
      const status = part(result, 'status')
      return typeof expected === 'string'
        ? typeof status === 'number' && `${Math.floor(status / 100)}xx` === expected
        : status === expected
    },
  },
  header: {
    value: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    ...CASE_OPTIONAL,
    phrase: 'has the headers',
    observed: ({ result }) => part(result, 'headers'),
    holds({ result }, expected) {
      const headers = part(result, 'headers')
      return (
        isObject(headers) &&
        isObject(expected) &&
        Object.entries(expected).every(([name, value]) =>
          jsonEquals(part(headers, name.toLowerCase()) ?? null, value),
        )
      )
    },
  },
  durationMs: {
    value: { type: 'number', minimum: 0 },
    required: true,
    phrase: 'takes at most (ms)',
    observed: ({ durationMs }) => durationMs,
    holds: ({ durationMs }, expected) => typeof expected === 'number' && durationMs <= expected,
  },
  exitCode: {
    value: { type: 'integer' },
    required: true,
    phrase: 'ends with the exit code',
    observed: ({ result }) => part(result, 'exitCode'),
    holds: ({ result }, expected) => part(result, 'exitCode') === expected,
  },
  stdout: {
    value: { type: 'string' },
    ...CASE_OPTIONAL,
    phrase: 'prints',
    observed: ({ result }) => part(result, 'stdout'),
    holds({ result }, expected) {
      const stdout = part(result, 'stdout')
      return typeof stdout === 'string' && stdout.includes(String(expected))
    },
  },
} satisfies Record<string, Assert>

export type AssertName = keyof typeof ASSERTS

/**
 * Numbers with numbers, text with text (so ISO dates in their order), a long integer with the text of one; null where the
 * two do not compare.
 */
function compare(a: unknown, b: unknown): number | null {
  if (typeof a === 'string' && typeof b === 'string') return signOf(a, b)
  const [one, other] = [numberIn(a, b), numberIn(b, a)]
  return one === undefined || other === undefined ? null : signOf(one, other)
}

function numberIn(value: unknown, beside: unknown): number | bigint | undefined {
  if (typeof value === 'string')
    return longOf(beside) === undefined ? undefined : longInteger(value)
  return longOf(value) ?? (typeof value === 'number' ? value : undefined)
}

const signOf = <Value extends string | number | bigint>(a: Value, b: Value): number =>
  a < b ? -1 : Number(a > b)

/** Text holds text, a list an equal element, an object all keys of another with equal values. */
function contains(actual: unknown, expected: unknown): boolean {
  if (typeof actual === 'string') return typeof expected === 'string' && actual.includes(expected)
  if (Array.isArray(actual)) return actual.some((item) => jsonEquals(item, expected))
  if (!isObject(actual) || !isObject(expected)) return false
  return Object.entries(expected).every(([key, value]) => hasEqual(actual, key, value))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) || typeof value === 'bigint' ? 'integer' : typeof value
}

const part = (result: unknown, key: string): unknown =>
  isObject(result) && Object.hasOwn(result, key) ? result[key] : undefined
