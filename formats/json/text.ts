import { parseExact } from './json.ts'
import { longInteger } from './long-integers.ts'
import { mapJson } from './values.ts'

/** As JSON.parse, but with long integers as BigInt. @throws SyntaxError */
export const parseJson = (text: string): unknown =>
  parseExact(text, Number.POSITIVE_INFINITY, longInteger)

/** As JSON.stringify, with all digits of long integers. */
export const toJson = (value: unknown): string =>
  JSON.stringify(mapLongIntegers(value, (integer) => JSON.rawJSON(String(integer))))

/** The nearest doubles, for what knows numbers alone. */
export const withDoubles = <Value>(value: Value): Value => mapLongIntegers(value, Number)

/** The same, but each value is copied once at most; none may change meanwhile. */
export function createRounding(): typeof withDoubles {
  const known = new WeakMap<object, unknown>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return withDoubles(value)
    const rounded = known.get(value) ?? withDoubles(value)
    known.set(value, rounded)
    return rounded as typeof value
  }
}

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
