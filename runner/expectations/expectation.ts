import type { JSONPathQuery, JSONValue } from 'json-p3'
import { compileJsonPath } from '../../formats/json/json-path.ts'
import { lowerCase, toJson, withDoubles } from '../../formats/json/values.ts'
import { RunError } from '../run/error.ts'
import { ASSERTS, type Assert, type AssertName, type Observation } from './asserts.ts'

/** Expectation of a scenario's author about a step's result. */
export interface Expectation {
  name?: string
  /** RFC 9535 JSONPath into the result; `$` when absent. */
  path?: string
  assert: AssertName
  value?: unknown
}

/** An expectation that was not met. */
export interface Unmet {
  name: string
  message: string
  path: string
  assert: AssertName
  expectedValue: unknown
  actualValue: unknown
}

/** Options of a judgement. */
export interface Judging {
  durationMs?: number
  /** Text that differs in case alone is equal; also where `matches` looks. */
  ignoreCase?: boolean
  /** As `withDoubles`. */
  rounded?(value: unknown): unknown
  /** Removes secrets from shown values, before they are shortened. */
  mask?(value: unknown): unknown
}

const MAX_SHOWN = 200
const MAX_KEPT = 10_000
/** Selectors of a path, all in all: each may select everything once more. */
const MAX_SELECTORS = 100
/** Values that a path may select. */
const MAX_SELECTED = 100_000

/** @throws an error that names the fault in the path */
export function compilePath(path: string): JSONPathQuery {
  const query = compileJsonPath(path)
  const selectors = query.segments.reduce((sum, segment) => sum + segment.selectors.length, 0)
  if (selectors > MAX_SELECTORS)
    throw new Error(
      `it has ${selectors} selectors, and ${MAX_SELECTORS} are allowed (MAX_SELECTORS): use wildcards, slices or several paths`,
    )
  return query
}

/** The same text for all spellings of a path. @throws an error that names the fault in the path */
export const canonicalPath = (path: string): string =>
  compileJsonPath(path).toString({ form: 'canonical' })

/**
 * Judges one expectation, and never in the process whose result it is. It may take for ever: see `judgeStep`.
 * @returns null when it is met
 */
export function judge(
  { name, path = '$', assert, value: expected }: Expectation,
  result: unknown,
  {
    durationMs = 0,
    ignoreCase = false,
    rounded = withDoubles,
    mask = (value) => value,
  }: Judging = {},
): Unmet | null {
  const row: Assert = ASSERTS[assert]
  const normalize = ignoreCase && row.ignoresCase ? lowerCase : (value: unknown) => value
  const selected = select(path, result, rounded)
  const seen: Observation = { ...selected, result, durationMs, rounded, ignoreCase }
  const normalized = { ...seen, actual: normalize(seen.actual), result: normalize(result) }
  if (row.holds(normalized, normalize(expected))) return null
  const actual = row.observed ? row.observed(seen, expected) : seen.actual
  const [wanted, found] = [mask(expected), mask(actual)]
  const clause = expected === undefined ? row.phrase : `${row.phrase} ${shown(wanted)}`
  return {
    name: name ?? `${path} ${assert}`,
    message: `Expected that ${path} ${clause}, but it is ${shown(found)}`,
    path,
    assert,
    expectedValue: kept(wanted),
    actualValue: kept(found),
  }
}

/**
 * A path that can select one value at most gives that value, any other the list of what it selects.
 * @throws RunError EXPECTATION_TOO_SLOW where it selects too much
 */
export function select(
  path: string,
  result: unknown,
  rounded: Observation['rounded'] = withDoubles,
): Pick<Observation, 'actual' | 'isThere' | 'count'> {
  if (result === undefined) return { actual: undefined, isThere: false, count: 0 }
  const query = compilePath(path)
  // Filters know numbers alone.
  const queried = (path.includes('?') ? rounded(result) : result) as JSONValue // it came through JSON
  const values: unknown[] = []
  for (const { value, location } of query.lazyQuery(queried)) {
    if (values.length === MAX_SELECTED)
      throw new RunError(
        'EXPECTATION_TOO_SLOW',
        `The path ${shown(path)} selects more than ${MAX_SELECTED} values (MAX_SELECTED). Select fewer with a narrower path`,
      )
    values.push(queried === result ? value : location.reduce(member, result))
  }
  const { length } = values
  if (!query.singularQuery()) return { actual: values, isThere: length > 0, count: length }
  const [actual] = values
  const count = Array.isArray(actual) ? actual.length : length
  return { actual, isThere: actual !== undefined, count }
}

const member = (value: unknown, key: string | number): unknown =>
  (value as Record<string | number, unknown>)[key] // the path has found it there

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : toJson(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Results keep their failures for long: large values only as the beginning of their text. */
function kept(value: unknown): unknown {
  const text = toJson(value) ?? ''
  return text.length > MAX_KEPT ? `${text.slice(0, MAX_KEPT)}…` : (value ?? null)
}
