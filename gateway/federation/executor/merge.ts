import { type GraphQLSchema, isInterfaceType } from 'graphql'
import { copied, getOwn, isObject, type Json, setOwn } from './own.ts'

/**
 * Merges the result of a later fetch into the data gathered so far; new values are moved, not copied. Lists of equal
 * length merge item by item. A subgraph to which an interface is one object calls it by the name of the interface,
 * which never replaces that of its type.
 * @param isCopied leaves the source as it is, for another target
 */
export function mergeInto(
  schema: GraphQLSchema,
  target: Json,
  source: Json,
  isCopied = false,
): void {
  for (const key of Object.keys(source)) {
    const next = isCopied ? copied(source[key]) : source[key]
    const present = getOwn(target, key)
    if (next === undefined) continue
    if (key === '__typename' && present != null && isInterfaceType(schema.getType(String(next))))
      continue
    setOwn(target, key, merged(schema, present, next))
  }
}

function merged(schema: GraphQLSchema, present: unknown, next: unknown): unknown {
  if (present === next) return next
  if (isObject(present) && isObject(next)) {
    mergeInto(schema, present, next)
    return present
  }
  if (Array.isArray(present) && Array.isArray(next) && present.length === next.length) {
    for (const [index, item] of next.entries())
      present[index] = merged(schema, present[index], item)
    return present
  }
  return next
}
