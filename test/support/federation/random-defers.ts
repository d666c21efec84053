import {
  type ConstDirectiveNode,
  type DocumentNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import type { SeededRandom } from './seeded-random.ts'

/** A query with `@defer` on some of its fragments, and around some of its fields; some with labels. */
export function withRandomDefers(document: DocumentNode, random: SeededRandom): DocumentNode {
  let count = 0
  const directive = (): ConstDirectiveNode => {
    const label = random.chance(0.5) ? `label ${count++}` : undefined
    const value = { kind: Kind.STRING, value: label ?? '' } as const
    return {
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: 'defer' },
      ...(label && {
        arguments: [{ kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'label' }, value }],
      }),
    }
  }
  const deferred = (node: SelectionNode): SelectionNode =>
    node.kind === Kind.FIELD
      ? {
          kind: Kind.INLINE_FRAGMENT,
          directives: [directive()],
          selectionSet: { kind: Kind.SELECTION_SET, selections: [node] },
        }
      : { ...node, directives: [...(node.directives ?? []), directive()] }
  return visit(document, {
    SelectionSet: {
      leave: (node): SelectionSetNode => ({
        ...node,
        selections: node.selections.map((one) => (random.chance(0.3) ? deferred(one) : one)),
      }),
    },
  })
}
