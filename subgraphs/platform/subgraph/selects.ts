import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

/** Whether an operation selects one of some fields anywhere below a field, by their own names. */
export function selects(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  names: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>()
  const within = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((node) => {
      if (node.kind === Kind.FIELD) return names.has(node.name.value) || within(node.selectionSet)
      if (node.kind === Kind.INLINE_FRAGMENT) return within(node.selectionSet)
      if (seen.has(node.name.value)) return false
      seen.add(node.name.value)
      return within(fragments[node.name.value]?.selectionSet)
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => within(selectionSet))
}
