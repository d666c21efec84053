import { isDeepStrictEqual } from 'node:util'
import type { FetchNode, QueryPlanSelectionNode } from '@apollo/query-planner'
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  visit,
} from 'graphql'
import type { EntityFetch } from '../../executor/entity-fetch.ts'
import { keysOf, type Required, requiredIn } from '../../executor/requires.ts'
import { knownKeyOf } from '../../planning/response-key.ts'
import { withRealFields } from './real-fields.ts'
import type { RequiredFields } from './required-fields.ts'

/** A field that a fetch asks of an entity. */
interface Asked {
  field: FieldNode
  /** Fields that it requires, in a fragment on its type. */
  requires: readonly QueryPlanSelectionNode[]
  required: Required
}

/** Splits a fetch as little as possible: a representation holds each field once, with one set of arguments. */
export function entityFetches(
  node: FetchNode,
  { requirements, arguments: args, ...required }: RequiredFields,
  graph: string,
): EntityFetch[] {
  const document = parse(node.operation, { noLocation: true })
  const keysOfGraph = required.keys.get(graph)
  const keys = new Set<string>()
  const asked = entityFieldsOf(document).map(([type, field]): Asked => {
    for (const path of keysOfGraph?.get(type)?.paths ?? []) keys.add(path)
    const requires = requirements.get(`${graph}.${type}.${knownKeyOf(field.name.value)}`) ?? []
    return { field, requires, required: requiredIn(requires) }
  })
  const withKeys = node.requires && keysOfGraph ? { keys: keysOfGraph } : {}
  const all = new Set(asked.flatMap(({ required }) => [...required.keys()]))
  if (all.size === 0) return [{ ...withKeys, ...withRealFields(node, args, document) }]
  const requires = without(node.requires ?? [], (path) => all.has(path) && !keys.has(path))
  const fetchOf = (fields: readonly Asked[]): EntityFetch => ({
    ...withKeys,
    ...withRealFields(node, args, restrictedTo(document, asked, fields)),
    requires,
    required: [...new Set(fields.flatMap(({ requires }) => requires))],
  })
  return partition(asked, agree).map((part) => {
    const parts = partition(part, (one, other) => isDeepStrictEqual(one.requires, other.requires))
    return { ...fetchOf(part), ...(parts.length > 1 ? { parts: parts.map(fetchOf) } : {}) }
  })
}

/** Puts each field into the first part that it fits all fields of. */
function partition(
  asked: readonly Asked[],
  areAlike: (one: Asked, other: Asked) => boolean,
): (readonly Asked[])[] {
  const parts: Asked[][] = []
  for (const one of asked) {
    const part = parts.find((others) => others.every((other) => areAlike(one, other)))
    if (part) part.push(one)
    else parts.push([one])
  }
  return parts
}

/** Fields of several types may be required with other arguments for each: the types alone tell them apart then. */
const agree = ({ required: one }: Asked, { required: other }: Asked): boolean =>
  [...one].every(([path, ways]) => {
    const others = other.get(path) ?? ways
    const both = new Set([...ways, ...others])
    return both.size === Math.min(ways.size, others.size) || keysOf(both).size === 1
  })

/** Fields that a fetch asks of its entities, each with the type that it is asked of. */
function entityFieldsOf({ definitions }: DocumentNode): [string, FieldNode][] {
  const walk = (nodes: readonly SelectionNode[], type: string): [string, FieldNode][] =>
    nodes.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [[type, node] as [string, FieldNode]]
      if (node.kind === Kind.FRAGMENT_SPREAD) return []
      return walk(node.selectionSet.selections, node.typeCondition?.name.value ?? type)
    })
  const [operation] = definitions as readonly OperationDefinitionNode[]
  const [root] = operation?.selectionSet.selections ?? []
  const isOfEntities = root?.kind === Kind.FIELD && root.name.value === '_entities'
  return isOfEntities ? walk(root.selectionSet?.selections ?? [], '') : []
}

const restrictedTo = (
  document: DocumentNode,
  asked: readonly Asked[],
  kept: readonly Asked[],
): DocumentNode => {
  const dropped = new Set(asked.filter((one) => !kept.includes(one)).map(({ field }) => field))
  return visit(document, {
    Field: (field) => (dropped.has(field) ? null : undefined),
    InlineFragment: {
      leave: ({ selectionSet }) => (selectionSet.selections.length === 0 ? null : undefined),
    },
  })
}

/** Leaves paths out of what a fetch requires. */
const without = (
  selections: readonly QueryPlanSelectionNode[],
  isLeft: (path: string) => boolean,
  above = '',
): QueryPlanSelectionNode[] =>
  selections.flatMap((selection): QueryPlanSelectionNode[] => {
    const isField = selection.kind === 'Field'
    const path = isField ? above + knownKeyOf(selection.name) : above
    if (isField && (isLeft(path) || !selection.selections)) return isLeft(path) ? [] : [selection]
    const below = without(selection.selections ?? [], isLeft, isField ? `${path}.` : above)
    return below.length > 0 ? [{ ...selection, selections: below }] : []
  })
