/** Whether two JSON values are the same; the order of keys does not matter, -0 is 0. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEquals(item, b[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => hasEqual(b, key, a[key]))
}

/** Whether the object has the key, with an equal value. */
export const hasEqual = (object: Record<string, unknown>, key: string, value: unknown): boolean =>
  Object.hasOwn(object, key) && jsonEquals(object[key], value)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same JSON with all text, but no key, in lower case. */
export function lowerCase(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(lowerCase)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, lowerCase(held)]))
}
