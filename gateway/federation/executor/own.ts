/**
 * Reads and writes of response objects touch own keys only: an alias or a subgraph's answer may be called
 * `__proto__` or `constructor`.
 */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumberObject(value)

/** A number that a `JsonReader` keeps as an object, which is a leaf. Nothing that comes from JSON is a function. */
export const isNumberObject = (value: object): boolean =>
  typeof (value as Json).toJSON === 'function' && typeof value.valueOf() === 'number'

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

/** A copy that shares no object with the original: merging into one does not change the other. */
export function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (!isObject(value)) return value
  const copy: Json = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copied(value[key]))
  return copy
}
