import { type ConstDirectiveNode, type DocumentNode, visit } from 'graphql'
import { argumentOf } from '../supergraph/join-directive.ts'
import type { ApolloFix } from './fix.ts'

/**
 * Defect: to come back to a subgraph for a field with `@requires`, the planner takes the first key that it finds there,
 * also one that the subgraph does not resolve.
 *
 *     a: type P @key(fields: "id") @key(fields: "id sku") { id: ID! sku: ID! @shareable x: String }
 *     b: type Query { ps: [P] }
 *        type P @key(fields: "id", resolvable: false) @key(fields: "id sku") { … b: String @requires(fields: "x") }
 *     { ps { b } } → b gets a representation with an id alone
 *
 * Here the supergraph names no unresolvable key of a type that has a resolvable one in the same subgraph.
 * Text to file: "The key for the way back of @requires may be resolvable: false". Can go when it may not.
 */
export const unresolvableKeys: ApolloFix = {
  correct: (supergraph) => ({ supergraph: withResolvableKeys(supergraph) }),
}

function withResolvableKeys(supergraph: DocumentNode): DocumentNode {
  const resolvableOnly = <T extends { directives?: readonly ConstDirectiveNode[] }>(type: T): T => {
    const directives = type.directives ?? []
    const resolvable = new Set(
      directives
        .filter((directive) => argumentOf(directive, 'key') && !isUnresolvable(directive))
        .map((directive) => argumentOf(directive, 'graph')),
    )
    const kept = directives.filter(
      (directive) => !isUnresolvable(directive) || !resolvable.has(argumentOf(directive, 'graph')),
    )
    return kept.length < directives.length ? { ...type, directives: kept } : type
  }
  return visit(supergraph, {
    ObjectTypeDefinition: resolvableOnly,
    InterfaceTypeDefinition: resolvableOnly,
  })
}

const isUnresolvable = (directive: ConstDirectiveNode): boolean =>
  directive.name.value === 'join__type' && argumentOf(directive, 'resolvable') === 'false'
