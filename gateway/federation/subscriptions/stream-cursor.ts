import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
  visit,
} from 'graphql'
import type { SelectedField } from '../executor/selection.ts'
import type { PlannedRequest } from '../links/link.ts'

/** Position of a stream, as it reports it. */
export interface StreamCursor {
  /** True if it can start from a cursor: what a subscriber gets then depends on where its stream began. */
  isResumable: boolean
  /** The key of an event in the gathered data. */
  key: string
  /** The field of an event with the cursor behind it, if it has one. */
  field: string | undefined
  /** True if another stream can start behind such a cursor. */
  isContinuable: boolean
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
  const after = args.find(({ name }) => name === AFTER)
  return {
    isResumable: Boolean(hasCursor) || after !== undefined,
    key: field?.gatheredKey ?? '',
    field: hasCursor ? CURSOR : undefined,
    isContinuable: Boolean(hasCursor) && /^(ID|String)!?$/.test(String(after?.type)),
  }
}

/** The request of a stream for what is behind a cursor. */
export function requestBehind(cursor: string, request: PlannedRequest): PlannedRequest {
  const value = { kind: Kind.STRING, value: cursor } as const
  const after = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: AFTER }, value } as const
  let isRoot = true
  const document = visit(parse(request.document), {
    Field(field) {
      if (!isRoot) return undefined
      isRoot = false
      const others = (field.arguments ?? []).filter(({ name }) => name.value !== AFTER)
      return { ...field, arguments: [...others, after] }
    },
  })
  const used = new Set<string>()
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void used.add(name.value),
  })
  const declared = visit(document, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  })
  return { ...request, document: print(declared) }
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
