import { type DocumentNode, Kind, type SelectionNode, visit } from 'graphql'

export const TYPE_NAME = {
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: '__typename' },
} as const

/**
 * Defect, in any graph: the planner takes a condition that all parts of an object have for one of the object itself.
 *
 *     type Query { p: P } type P { x: String }
 *     query ($a: Boolean!, $b: Boolean!) { p @include(if: $a) { x @include(if: $b) } } → no p with $a true and $b false
 *
 * A type condition counts as one: with a narrower type of the object's field in one subgraph, an object of which no
 * fragment is for the type is not fetched at all.
 *
 * Here each such object has a part without a condition. Text to file: "Conditions of all selections are hoisted to their
 * parent". Can go when they stay below it.
 */
export const withUnconditionalParts = (document: DocumentNode): DocumentNode =>
  visit(document, {
    SelectionSet: {
      leave(node, _key, parent) {
        const isRoot = parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
        if (isRoot || !node.selections.every(isConditional)) return undefined
        return { ...node, selections: [TYPE_NAME, ...node.selections] }
      },
    },
  })

/** A fragment may also be for other types than that of the object. */
const isConditional = ({ kind, directives = [] }: SelectionNode): boolean =>
  kind !== Kind.FIELD ||
  directives.some(({ name }) => name.value === 'include' || name.value === 'skip')
