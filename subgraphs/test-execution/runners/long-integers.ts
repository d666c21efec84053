import type { ExactNumber } from '../../../schema/exact-number.ts'
import { parseExact } from '../../../schema/json.ts'
import { mapJson } from './json-values.ts'

/*
 * Integers that a double would change are BigInt in what a server answers, and so in results, captures and templates:
 * BigInt compares with numbers as it should, and crosses processes. Whatever writes, checks or keeps JSON of a run goes
 * through here, as most code knows no BigInt.
 */

/**
 * As JSON.parse, but integers that a double would change are BigInt. Fractions become the nearest double.
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown =>
  parseExact(text, Number.POSITIVE_INFINITY, longInteger)

function longInteger(number: ExactNumber): bigint | undefined {
  const text = String(number)
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined
}

/** As JSON.stringify, with all their digits. */
export const toJson = (value: unknown): string =>
  JSON.stringify(mapLongIntegers(value, (integer) => JSON.rawJSON(String(integer))))

/** The nearest doubles, for what knows numbers alone. */
export const withDoubles = <Value>(value: Value): Value => mapLongIntegers(value, Number)

/** Texts of their digits, for what would read them as doubles. */
export const withTexts = <Value>(value: Value): Value => mapLongIntegers(value, String)

/** A copy only where there are any. */
const mapLongIntegers = <Value>(value: Value, of: (integer: bigint) => unknown): Value =>
  hasLongInteger(value)
    ? (mapJson(value, (part) => (typeof part === 'bigint' ? of(part) : part)) as Value) // of the same form
    : value

export function hasLongInteger(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasLongInteger)
  for (const key in value) if (hasLongInteger(value[key as keyof object])) return true
  return false
}
