import type { FetchNode } from '@apollo/query-planner'
import {
  type FieldNode,
  type GraphQLSchema,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { keysOf, requiredIn } from '../executor/requires.ts'
import { mapFetches, type PlanRoot } from '../planning/map-fetches.ts'
import { knownKeyOf } from '../planning/response-key.ts'
import type { ApolloFix } from './fix.ts'
import { type RequiredFields, withRequiredFields } from './required-arguments/required-fields.ts'

/**
 * Guard: the planner may ask a field of the subgraph that it has just asked for the object, and forget that the field
 * requires what that subgraph does not know; merged-child.ts and external-fields.ts show how. Such a plan would answer
 * something wrong, so it is refused and logged.
 *
 * Can go with the last fix that changes what the planner merges.
 */
export const unmetRequirements: ApolloFix = {
  correct(supergraph) {
    const required = withRequiredFields(supergraph)
    if (required.requirements.size === 0) return {}
    return {
      corrected(plan, { graphOf, schema }) {
        assertRequirementsMet(plan, required, graphOf, schema())
        return plan
      },
    }
  },
}

/** @throws Error that names a field which a plan asks for without what it requires */
export function assertRequirementsMet(
  plan: PlanRoot,
  required: RequiredFields,
  graphOf: (service: string) => string | undefined,
  schema: GraphQLSchema,
): void {
  mapFetches(plan, (fetch) => {
    assertMetBy(fetch, required, graphOf(fetch.serviceName) ?? '', schema)
    return fetch
  })
}

function assertMetBy(
  node: FetchNode,
  { requirements, externals, providers }: RequiredFields,
  graph: string,
  schema: GraphQLSchema,
): void {
  // A field that is provided on the way to an object need not be gathered before.
  if (providers.has(graph)) return
  const sent = requiredIn(node.requires ?? [])
  const types = new TypeInfo(schema)
  let depth = 0
  const enter = ({ name }: FieldNode): void => {
    const type = types.getParentType()?.name
    const needs = requiredIn(requirements.get(`${graph}.${type}.${knownKeyOf(name.value)}`) ?? [])
    const isOfEntity = node.requires !== undefined && depth === 1
    for (const [path, ways] of needs) {
      const isUnknown = externals.has(`${graph}.${type}.${path.split('.')[0]}`)
      const keys = keysOf(sent.get(path))
      const areSent = isOfEntity && [...keysOf(ways)].every((key) => keys.has(key))
      if (isUnknown && !areSent)
        throw new Error(`The plan asks ${graph} for ${type}.${name.value} without ${path}`)
    }
    depth++
  }
  const leave = (): void => void depth--
  visit(
    parse(node.operation, { noLocation: true }),
    visitWithTypeInfo(types, { Field: { enter, leave } }),
  )
}
