import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { getOwn, isObject, type Json, mergeInto, setOwn } from './own.ts'
import { isOfType } from './rewrites.ts'

/** What a subgraph needs to know of an entity: its type, key and required fields; null where one is missing. */
export function representationOf(
  schema: GraphQLSchema,
  source: Json,
  selections: readonly QueryPlanSelectionNode[],
): Json | null {
  const result: Json = Object.create(null)
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      if (selection.typeCondition && isOfType(schema, source, selection.typeCondition, false)) {
        const part = representationOf(schema, source, selection.selections)
        if (part === null) return null
        mergeInto(result, part)
      }
      continue
    }
    const key = selection.alias ?? selection.name
    const value = getOwn(source, key)
    if (value === undefined) return null
    setOwn(result, key, selection.selections ? select(schema, value, selection.selections) : value)
  }
  return result
}

const select = (
  schema: GraphQLSchema,
  value: unknown,
  selections: readonly QueryPlanSelectionNode[],
): unknown => {
  if (Array.isArray(value)) return value.map((item) => select(schema, item, selections))
  return isObject(value) ? representationOf(schema, value, selections) : value
}
