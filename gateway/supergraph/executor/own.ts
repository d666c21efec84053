/**
 * Reads and writes of response objects touch own keys only: an alias or a subgraph's answer may be called
 * `__proto__` or `constructor`.
 */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const getOwn = (object: Json, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

export function setOwn(object: Json, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  else object[key] = value
}

/** Merges what a later fetch found into what is there already. Lists of equal length merge item by item. */
export function mergeInto(target: Json, source: Json): void {
  for (const key of Object.keys(source)) {
    const next = source[key]
    if (next !== undefined) setOwn(target, key, merged(getOwn(target, key), next))
  }
}

function merged(present: unknown, next: unknown): unknown {
  if (isObject(present) && isObject(next)) {
    mergeInto(present, next)
    return present
  }
  if (Array.isArray(present) && Array.isArray(next) && present.length === next.length) {
    for (const [index, item] of next.entries()) present[index] = merged(present[index], item)
    return present
  }
  return next
}
