import type { FetchNode, PlanNode, QueryPlan, QueryPlanSelectionNode } from '@apollo/query-planner'
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  stripIgnoredCharacters,
  visit,
} from 'graphql'
import type { RequiredArguments, RequiredFields } from './required-fields.ts'
import { knownKeyOf } from './response-key.ts'

/**
 * A plan whose fetches name the real fields again in place of required-fields.ts's own. A representation holds a field
 * once, so a fetch of fields that require it with different arguments becomes several.
 */
export function fetchesOf<T extends NonNullable<QueryPlan['node']>>(
  node: T,
  required: RequiredFields,
  graphOf: (service: string) => string | undefined,
): T {
  if (required.arguments.size === 0) return node
  const map = (child: PlanNode): PlanNode => {
    switch (child.kind) {
      case 'Fetch': {
        const fetches = split(child, required, graphOf(child.serviceName) ?? '')
        return fetches.length === 1 && fetches[0]
          ? fetches[0]
          : { kind: 'Parallel', nodes: fetches }
      }
      case 'Flatten':
        return { ...child, node: map(child.node) }
      case 'Sequence':
      case 'Parallel':
        return { ...child, nodes: child.nodes.map(map) }
      case 'Condition':
        return {
          ...child,
          ...(child.ifClause ? { ifClause: map(child.ifClause) } : {}),
          ...(child.elseClause ? { elseClause: map(child.elseClause) } : {}),
        }
      case 'Defer':
        return child
    }
  }
  if (node.kind !== 'Subscription') return map(node) as T
  const { primary, rest } = node
  return {
    ...node,
    primary: withOperation(primary, withArguments(parse(primary.operation), required.arguments)),
    ...(rest ? { rest: map(rest) } : {}),
  }
}

/** Path of a required field, in known names → the key that a fetch takes it from. */
type Needs = Map<string, string>

function split(node: FetchNode, required: RequiredFields, graph: string): FetchNode[] {
  const document = parse(node.operation, { noLocation: true })
  const groups: Needs[] = []
  const groupOf = new Map<FieldNode, number>()
  eachEntityField(document, (type, field) => {
    const needs = required.requirements.get(`${graph}.${type}.${field.name.value}`) ?? new Map()
    let group = groups.findIndex((taken) =>
      [...needs].every(([path, key]) => (taken.get(path) ?? key) === key),
    )
    if (group < 0) group = groups.push(new Map()) - 1
    for (const [path, key] of needs) groups[group]?.set(path, key)
    groupOf.set(field, group)
  })
  if (groups.length < 2) return [withOperation(node, withArguments(document, required.arguments))]
  return groups.map((needs, group) => ({
    ...withOperation(
      node,
      withArguments(
        visit(document, {
          Field: (field) => ((groupOf.get(field) ?? group) === group ? undefined : null),
          InlineFragment: { leave: (fragment) => (isEmpty(fragment) ? null : undefined) },
        }),
        required.arguments,
      ),
    ),
    requires: only(node.requires ?? [], needs),
  }))
}

const isEmpty = (node: SelectionNode): boolean =>
  node.kind !== Kind.FRAGMENT_SPREAD && node.selectionSet?.selections.length === 0

/** Visits what a fetch asks of its entities, with the type of each. */
function eachEntityField(
  { definitions }: DocumentNode,
  visitField: (type: string, field: FieldNode) => void,
): void {
  const walk = (nodes: readonly SelectionNode[], type: string): void => {
    for (const node of nodes) {
      if (node.kind === Kind.INLINE_FRAGMENT)
        walk(node.selectionSet.selections, node.typeCondition?.name.value ?? type)
      else if (node.kind === Kind.FIELD) visitField(type, node)
    }
  }
  const [operation] = definitions as readonly OperationDefinitionNode[]
  const [root] = operation?.selectionSet.selections ?? []
  if (root?.kind === Kind.FIELD && root.name.value === '_entities')
    walk(root.selectionSet?.selections ?? [], '')
}

/** Leaves out the required fields that another group takes the place of. */
const only = (
  selections: readonly QueryPlanSelectionNode[],
  needs: Needs,
  path = '',
): QueryPlanSelectionNode[] =>
  selections.flatMap((selection): QueryPlanSelectionNode[] => {
    if (selection.kind === 'InlineFragment')
      return [{ ...selection, selections: only(selection.selections, needs, path) }]
    const known = knownKeyOf(selection.name)
    const place = path ? `${path}.${known}` : known
    const need = needs.get(place) ?? known
    if (!selection.selections && need !== selection.name) return []
    if (!selection.selections) return [selection]
    const below = only(selection.selections, needs, place)
    return below.length > 0 ? [{ ...selection, selections: below }] : []
  })

const withOperation = (node: FetchNode, document: DocumentNode): FetchNode => ({
  ...node,
  operation: stripIgnoredCharacters(print(document)),
})

const withArguments = (document: DocumentNode, required: RequiredArguments): DocumentNode =>
  visit(document, {
    Field(field) {
      const args = required.get(field.name.value)
      if (!args) return undefined
      const alias = field.alias ?? field.name
      return {
        ...field,
        alias,
        name: { ...field.name, value: knownKeyOf(field.name.value) },
        arguments: args,
      }
    },
  })
