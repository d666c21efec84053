import { isDeeperThan } from './json.ts'
import { longOf } from './long-integers.ts'

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
