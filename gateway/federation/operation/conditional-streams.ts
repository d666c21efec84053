import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include'])

/**
 * Finds subscriptions whose stream is conditional, which GraphQL forbids since September 2025 (5.2.4.1): without it they
 * would select no stream. The rule of graphql-js 16 throws where a condition has a variable.
 */
export function conditionalStreams({ definitions }: DocumentNode): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const subscriptions: OperationDefinitionNode[] = []
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fragments.set(definition.name.value, definition)
    else if (definition.kind === Kind.OPERATION_DEFINITION)
      if (definition.operation === 'subscription') subscriptions.push(definition)
  }
  return subscriptions.flatMap(({ name, selectionSet }) => {
    const nodes = conditionalIn(selectionSet, new Map(fragments))
    const named = name ? `Subscription "${name.value}"` : 'Anonymous Subscription'
    const message = `${named} must not use \`@skip\` or \`@include\` directives in the top level selection.`
    return nodes.length > 0 ? [new GraphQLError(message, { nodes })] : []
  })
}

/** @param fragments those that were not met yet */
function conditionalIn(
  { selections }: SelectionSetNode,
  fragments: Map<string, FragmentDefinitionNode>,
): SelectionNode[] {
  return selections.flatMap((selection) => {
    if (selection.directives?.some(({ name }) => CONDITIONS.has(name.value))) return [selection]
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return conditionalIn(selection.selectionSet, fragments)
    if (selection.kind === Kind.FIELD) return []
    const fragment = fragments.get(selection.name.value)
    fragments.delete(selection.name.value)
    return fragment ? conditionalIn(fragment.selectionSet, fragments) : []
  })
}
