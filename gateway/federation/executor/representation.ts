import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { knownKeyOf } from '../planning/response-key.ts'
import type { TypeKeys } from './entity-fetch.ts'
import { getOwn, isObject, type Json, mergeInto, setOwn } from './own.ts'
import { isOfType } from './rewrites.ts'

/**
 * Representation of an entity for a subgraph: its type, key and required fields, under the names that the subgraph
 * knows.
 * @param areKeys of which one is enough, where one was fetched on a condition @returns null where anything else is missing
 */
export function representationOf(
  schema: GraphQLSchema,
  source: Json,
  selections: readonly QueryPlanSelectionNode[],
  areKeys = false,
): Json | null {
  let result: Json = {}
  let isEmpty = true
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      const { typeCondition } = selection
      if (typeCondition && isOfType(schema, getOwn(source, '__typename'), typeCondition)) {
        const part = representationOf(schema, source, selection.selections, areKeys)
        if (part && isEmpty) result = part
        else if (part) mergeInto(schema, result, part)
        else if (!areKeys) return null
        isEmpty &&= !part
      }
      continue
    }
    isEmpty = false
    const value = getOwn(source, selection.alias ?? selection.name)
    const known = selection.selections ? below(schema, value, selection.selections) : value
    if (known === undefined) return null
    setOwn(result, knownKeyOf(selection.name), known)
  }
  return result
}

/** @returns undefined where something is missing */
const below = (
  schema: GraphQLSchema,
  value: unknown,
  selections: readonly QueryPlanSelectionNode[],
): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => below(schema, item, selections))
    return items.includes(undefined) ? undefined : items
  }
  return isObject(value) ? (representationOf(schema, value, selections) ?? undefined) : value
}

/** False for an entity that nothing but a required field was gathered of: it is not asked for. */
export function holdsKey(keys: ReadonlyMap<string, TypeKeys>, representation: Json): boolean {
  const known = keys.get(String(getOwn(representation, '__typename')))
  return (
    !known ||
    known.fields.some((fields) => fields.every((name) => Object.hasOwn(representation, name)))
  )
}
