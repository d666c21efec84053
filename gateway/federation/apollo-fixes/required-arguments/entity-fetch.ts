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
import { knownKeyOf } from '../../planning/response-key.ts'
import { withRealFields } from './real-fields.ts'
import type { Needs, RequiredFields } from './required-fields.ts'

interface Part {
  needs: Map<string, string>
  fields: Set<FieldNode>
}

/** Splits a fetch as little as possible: a representation holds each field once, with one set of arguments. */
export function entityFetches(
  node: FetchNode,
  required: RequiredFields,
  graph: string,
): EntityFetch[] {
  const document = parse(node.operation, { noLocation: true })
  const needsOf = (type: string, field: FieldNode): Needs =>
    required.requirements.get(`${graph}.${type}.${knownKeyOf(field.name.value)}`) ?? new Map()
  const keysOfGraph = required.keys.get(graph)
  const all = new Set<string>()
  const keys = new Set<string>()
  const entityFields = entityFieldsOf(document)
  for (const [type, field] of entityFields) {
    for (const path of needsOf(type, field).keys()) all.add(path)
    for (const path of keysOfGraph?.get(type)?.paths ?? []) keys.add(path)
  }
  const partition = (fields: typeof entityFields, fits: (part: Part, needs: Needs) => boolean) => {
    const parts: Part[] = []
    for (const [type, field] of fields) {
      const needs = needsOf(type, field)
      const known = parts.find((one) => fits(one, needs))
      const part: Part = known ?? { needs: new Map(), fields: new Set() }
      if (!known) parts.push(part)
      for (const [path, key] of needs) part.needs.set(path, key)
      part.fields.add(field)
    }
    return parts
  }
  const withKeys = node.requires && keysOfGraph ? { keys: keysOfGraph } : {}
  const fetchOf = ({ needs, fields }: Part): EntityFetch => ({
    ...withKeys,
    ...withRealFields(node, required.arguments, restrictedTo(document, entityFields, fields)),
    requires: only(node.requires ?? [], (path, key) =>
      needs.has(path) ? needs.get(path) === key : keys.has(path) || !all.has(path),
    ),
  })
  if (all.size === 0)
    return [{ ...withKeys, ...withRealFields(node, required.arguments, document) }]
  return partition(entityFields, agree).map((part) => {
    const fields = entityFields.filter(([, field]) => part.fields.has(field))
    const parts = partition(fields, areSame)
    return { ...fetchOf(part), ...(parts.length > 1 ? { parts: parts.map(fetchOf) } : {}) }
  })
}

const agree = (part: Part, needs: Needs): boolean =>
  [...needs].every(([path, key]) => (part.needs.get(path) ?? key) === key)

const areSame = (part: Part, needs: Needs): boolean =>
  part.needs.size === needs.size && [...needs].every(([path, key]) => part.needs.get(path) === key)

/** What a fetch asks of its entities, each with the type that it is asked of. */
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
  entityFields: readonly [string, FieldNode][],
  kept: ReadonlySet<FieldNode>,
): DocumentNode => {
  const dropped = new Set(entityFields.map(([, field]) => field).filter((one) => !kept.has(one)))
  return visit(document, {
    Field: (field) => (dropped.has(field) ? null : undefined),
    InlineFragment: {
      leave: ({ selectionSet }) => (selectionSet.selections.length === 0 ? null : undefined),
    },
  })
}

/** Keeps the selected fields of a representation. */
const only = (
  selections: readonly QueryPlanSelectionNode[],
  isWanted: (path: string, key: string) => boolean,
  above = '',
): QueryPlanSelectionNode[] =>
  selections.flatMap((selection): QueryPlanSelectionNode[] => {
    if (selection.kind === 'InlineFragment') {
      const below = only(selection.selections, isWanted, above)
      return below.length > 0 ? [{ ...selection, selections: below }] : []
    }
    const path = above + knownKeyOf(selection.name)
    if (!selection.selections) return isWanted(path, selection.name) ? [selection] : []
    const below = only(selection.selections, isWanted, `${path}.`)
    const isBare = below.every((one) => one.kind === 'Field' && one.name === '__typename')
    return isBare ? [] : [{ ...selection, selections: below }]
  })
