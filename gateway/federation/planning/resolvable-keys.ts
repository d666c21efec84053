import { type ConstDirectiveNode, type DocumentNode, visit } from 'graphql'
import { argumentOf } from './join-directive.ts'

/**
 * A supergraph without the keys that are not resolvable, wherever a type has one in that subgraph that is. To come back
 * to a subgraph for a field with `@requires`, the planner takes the first key that it finds there, also one that the
 * subgraph does not resolve.
 */
export function withResolvableKeys(supergraph: DocumentNode): DocumentNode {
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
