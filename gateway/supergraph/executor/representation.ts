import type { QueryPlanSelectionNode } from '@apollo/query-planner'
import type { GraphQLSchema } from 'graphql'
import { knownKeyOf } from '../planning/response-key.ts'
import { mergeInto } from './merge.ts'
import { getOwn, isObject, type Json, setOwn } from './own.ts'
import { isOfType } from './rewrites.ts'

/**
 * What a subgraph needs to know of an entity: its type, key and required fields, under the names that the subgraph
 * knows. Null where one is missing; a type condition whose fields are missing leaves the other conditions' in place.
 */
export function representationOf(
  schema: GraphQLSchema,
  source: Json,
  selections: readonly QueryPlanSelectionNode[],
): Json | null {
  const result: Json = {}
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      if (selection.typeCondition && isOfType(schema, source, selection.typeCondition, false)) {
        const part = representationOf(schema, source, selection.selections)
        if (part) mergeInto(schema, result, part)
      }
      continue
    }
    const value = getOwn(source, selection.alias ?? selection.name)
    if (value === undefined) return null
    setOwn(
      result,
      knownKeyOf(selection.name),
      selection.selections ? select(schema, value, selection.selections) : value,
    )
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
