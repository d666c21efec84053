import type { SchemaObject } from 'ajv'
import { hasEqual, isObject, jsonEquals } from './json-equals.ts'

/** What an expectation looks at. */
export interface Observation {
  /** What the path selects; `undefined` where it selects nothing. */
  actual: unknown
  /** How many values the path selects; an array selected as one counts its elements. */
  count: number
  /** How long the step took. */
  durationMs: number
}

export interface Assert {
  /** How the expected `value` looks; `required` where there is no default. */
  value: SchemaObject
  required: boolean
  /** The words between what was looked at and the expected value. */
  words: string
  /** What is compared, for the message; `actual` where absent. */
  observed?(observation: Observation): unknown
  holds(observation: Observation, expected: unknown): boolean
}

const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']
const COMPARABLE = { type: ['number', 'string'] }

const compares = (words: string, order: (sign: number) => boolean): Assert => ({
  value: COMPARABLE,
  required: true,
  words,
  holds: ({ actual }, expected) => {
    const sign = compare(actual, expected)
    return sign !== null && order(sign)
  },
})

/** Every assert of an expectation. A new one is a row here. */
export const ASSERTS = {
  equals: {
    value: {},
    required: true,
    words: 'equals',
    holds: ({ actual }, expected) => jsonEquals(actual, expected),
  },
  notEquals: {
    value: {},
    required: true,
    words: 'differs from',
    holds: ({ actual }, expected) => !jsonEquals(actual, expected),
  },
  contains: {
    value: {},
    required: true,
    words: 'contains',
    holds: ({ actual }, expected) => contains(actual, expected),
  },
  matches: {
    value: { type: 'string', format: 'regex', maxLength: 1_000 },
    required: true,
    words: 'matches',
    holds: ({ actual }, expected) =>
      typeof actual === 'string' && new RegExp(String(expected), 'u').test(actual),
  },
  lessThan: compares('is less than', (sign) => sign < 0),
  lessThanOrEqual: compares('is at most', (sign) => sign <= 0),
  greaterThan: compares('is greater than', (sign) => sign > 0),
  greaterThanOrEqual: compares('is at least', (sign) => sign >= 0),
  count: {
    value: { type: 'integer', minimum: 0 },
    required: true,
    words: 'has the count',
    observed: ({ count }) => count,
    holds: ({ count }, expected) => count === expected,
  },
  type: {
    value: { enum: JSON_TYPES },
    required: true,
    words: 'is of type',
    observed: ({ actual }) => (actual === undefined ? undefined : typeOf(actual)),
    holds: ({ actual }, expected) =>
      typeOf(actual) === expected || (expected === 'number' && typeof actual === 'number'),
  },
  exists: {
    value: { type: 'boolean' },
    required: false,
    words: 'exists:',
    observed: ({ actual }) => actual !== undefined,
    holds: ({ actual }, expected) => (actual !== undefined) === (expected ?? true),
  },
  durationMs: {
    value: { type: 'number', minimum: 0 },
    required: true,
    words: 'takes at most (ms)',
    observed: ({ durationMs }) => durationMs,
    holds: ({ durationMs }, expected) => typeof expected === 'number' && durationMs <= expected,
  },
} satisfies Record<string, Assert>

export type AssertName = keyof typeof ASSERTS

/** Numbers with numbers, text with text (so ISO dates in their order); null where the two do not compare. */
function compare(a: unknown, b: unknown): number | null {
  if (typeof a === 'number' && typeof b === 'number') return Math.sign(a - b)
  if (typeof a !== 'string' || typeof b !== 'string') return null
  return a < b ? -1 : Number(a > b)
}

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
  return Number.isInteger(value) ? 'integer' : typeof value
}
