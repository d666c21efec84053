import { type GraphQLSchema, isInterfaceType } from 'graphql'

/**
 * Reads and writes of response objects touch own keys only: an alias or a subgraph's answer may be called `__proto__` or
 * `constructor`.
 */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumberObject(value)

/** A number that a `JsonReader` keeps as an object. */
export const isNumberObject = (value: object): boolean =>
  writesItself(value) && typeof value.valueOf() === 'number'

/** True for values with `toJSON`; nothing from JSON has it. Errors of GraphQL do, but are read as objects. */
const writesItself = (value: object): boolean => typeof (value as Json).toJSON === 'function'

/** All that objects inherit is a function, or `__proto__`: other values are their own, and are not looked up twice. */
export function getOwn(object: Json, key: string): unknown {
  const value = object[key]
  const mayBeInherited = typeof value === 'function' || key === '__proto__'
  return mayBeInherited && !Object.hasOwn(object, key) ? undefined : value
}

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

/**
 * Merges the result of a later fetch into the data gathered so far; new values are moved, not copied. Lists of equal
 * length merge item by item. A subgraph to which an interface is one object calls it by the name of the interface,
 * which never replaces that of its type.
 */
export function mergeInto(schema: GraphQLSchema, target: Json, source: Json): void {
  for (const key in source) {
    const next = source[key]
    const present = getOwn(target, key)
    if (next === undefined) continue
    if (key === '__typename' && present != null && isInterfaceType(schema.getType(String(next))))
      continue
    setOwn(target, key, merged(schema, present, next))
  }
}

function merged(schema: GraphQLSchema, present: unknown, next: unknown): unknown {
  if (present == null || next == null || present === next) return next
  if (isObject(present) && isObject(next)) {
    mergeInto(schema, present, next)
    return present
  }
  if (Array.isArray(present) && Array.isArray(next) && present.length === next.length) {
    for (let index = 0; index < next.length; index++)
      present[index] = merged(schema, present[index], next[index])
    return present
  }
  return next
}
