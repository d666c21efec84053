import type { FetchNode } from '@apollo/query-planner'
import { Kind, parse, type SelectionNode } from 'graphql'
import { conditionsOf, isIncluded } from './conditions.ts'
import type { Json } from './own.ts'

/** The keys of the root fields that a fetch is to bring. Only failures need to know, so it is found out for them alone. */
export function rootKeysOf({ operation }: FetchNode, variables: Json): string[] {
  const keys = new Set<string>()
  const collect = (nodes: readonly SelectionNode[]): void => {
    for (const node of nodes) {
      const conditions = conditionsOf(node.directives)
      if (!conditions || !isIncluded([conditions], variables)) continue
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet.selections)
      else if (node.kind === Kind.FIELD && node.name.value !== '__typename')
        keys.add((node.alias ?? node.name).value)
    }
  }
  for (const definition of parse(operation, { noLocation: true }).definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) collect(definition.selectionSet.selections)
  return [...keys]
}
