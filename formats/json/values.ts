import { isDeeperThan, parseExact } from './json.ts'

/**
 * Integers that doubles do not tell apart, such as 9007199254740993, are BigInt in what a server answers, and so in
 * results, captures and templates: BigInt crosses processes as it is. What writes or checks JSON of a run uses the
 * functions below, as most code knows no BigInt.
 */
const PLAIN_INTEGER = /^-?\d{16,1000}$/

/** The long integer that a text has the digits of. */
export const longInteger = (text: string): bigint | undefined =>
  PLAIN_INTEGER.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : undefined

/** The long integer that a value is: as a number, the one that it is written as. */
export function longOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value))
    return undefined
  const [digits = '', power = '0'] = String(value).split('e+')
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(power === '0' ? whole : whole + fraction.padEnd(Number(power), '0'))
}

/** Approximate size of a value that is no text. */
const VALUE_BYTES = 4

/** About how many characters a value has as JSON. Looks no further than `enough`. */
export function sizeOf(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  let size = 0
  const add = (part: unknown): void => {
    size += charactersOf(part)
    if (typeof part !== 'object' || part === null) return
    if (Array.isArray(part)) {
      for (const item of part) if (size <= enough) add(item)
      return
    }
    for (const key in part) {
      size += key.length
      if (size <= enough) add(part[key as keyof typeof part])
    }
  }
  add(value)
  return size
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'bigint' ? String(value).length : VALUE_BYTES
}

/** Deeper JSON is refused: everything that walks a value may then recurse. */
const MAX_JSON_DEPTH = 100

export const isTooDeep = (value: unknown): boolean => isDeeperThan(MAX_JSON_DEPTH, value)

/**
 * True if two JSON values are the same; the order of keys does not matter, -0 is 0. A long integer is also the same as
 * the text of its digits, as which alone a scenario can hold it.
 */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true
  const [one, other] = [longOf(a), longOf(b)]
  if (one !== undefined) return one === other || String(one) === b
  if (other !== undefined) return String(other) === a
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEquals(item, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => hasEqual(b, key, a[key]))
}

/** True if the object has the key, with an equal value. */
export const hasEqual = (object: Record<string, unknown>, key: string, value: unknown): boolean =>
  Object.hasOwn(object, key) && jsonEquals(object[key], value)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same JSON with all that is neither list nor object replaced, and keys as well where `ofKey` is given. */
export function mapJson(
  value: unknown,
  of: (part: unknown) => unknown,
  ofKey: (key: string) => string = (key) => key,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapJson(item, of, ofKey))
  if (!isObject(value)) return of(value)
  const entries = Object.entries(value).map(([key, held]) => [ofKey(key), mapJson(held, of, ofKey)])
  return Object.fromEntries(entries)
}

/** The same JSON with all text, but no key, in lower case. */
export const lowerCase = (value: unknown): unknown =>
  mapJson(value, (part) => (typeof part === 'string' ? part.toLowerCase() : part))

/** All text in it that is no key. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

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
