import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  visit,
} from 'graphql'
import type { SelectedField } from '../executor/selection.ts'

/** Position of a stream, as it reports it. */
export interface StreamCursor {
  /** True if it can start from a cursor: what a subscriber gets then depends on where its stream began. */
  isResumable: boolean
  /** The key of an event in the gathered data. */
  key: string
  /** The field of an event with the cursor behind it, if it has one. */
  field: string | undefined
}

/** Streams of this graph, and of others with the same habit, start behind `after` and name their position `cursor`. */
const AFTER = 'after'
const CURSOR = 'cursor'

export function streamCursorOf(
  root: GraphQLObjectType,
  [field]: Iterable<SelectedField>,
): StreamCursor {
  const event = getNamedType(field?.type)
  const cursor =
    isObjectType(event) || isInterfaceType(event) ? event.getFields()[CURSOR] : undefined
  const hasCursor = cursor && cursor.args.length === 0 && isLeafType(getNamedType(cursor.type))
  const args = root.getFields()[field?.name ?? '']?.args ?? []
  return {
    isResumable: Boolean(hasCursor) || args.some(({ name }) => name === AFTER),
    key: field?.gatheredKey ?? '',
    field: hasCursor ? CURSOR : undefined,
  }
}

/** The document with the cursor selected as well; clients that did not select it do not see it. */
export function withCursor(
  document: DocumentNode,
  nodes: readonly FieldNode[],
  { field: cursor }: StreamCursor,
): DocumentNode {
  if (!cursor) return document
  const node = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: cursor } } as const
  return visit(document, {
    Field: (field) =>
      nodes.includes(field) && field.selectionSet
        ? {
            ...field,
            selectionSet: {
              ...field.selectionSet,
              selections: [node, ...field.selectionSet.selections],
            },
          }
        : undefined,
  })
}
