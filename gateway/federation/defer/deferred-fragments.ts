import {
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from 'graphql'
import { fragmentsOf } from '../../../formats/graphql/documents.ts'
import { getOwn, type Json } from '../executor/own.ts'

/** Fragments of a document that a client may get later, each with an id in place of its label. */
export interface DeferredFragments {
  document: DocumentNode
  /** Labels of the client, by id. */
  labels: ReadonlyMap<string, string | undefined>
  /** Number of fragments of which a variable says whether they are delivered later. */
  conditions: number
  /** Ids of those that are delivered later with certain values of variables. */
  with(variables: Json): ReadonlySet<string>
}

const isDefer = ({ name }: DirectiveNode): boolean => name.value === 'defer'

const argumentOf = ({ arguments: given }: DirectiveNode, wanted: string): ValueNode | undefined =>
  given?.find(({ name }) => name.value === wanted)?.value

const textOf = (value: ValueNode | undefined): string | undefined =>
  value?.kind === Kind.STRING ? value.value : undefined

/** The id of a fragment, in a document where `@defer` has them. */
export function deferIdOf({ directives }: Pick<SelectionNode, 'directives'>): string | undefined {
  const directive = directives?.find(isDefer)
  return directive && textOf(argumentOf(directive, 'label'))
}

const LABEL = { kind: Kind.NAME, value: 'label' } as const

const labelled = (label: string): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'defer' },
  arguments: [{ kind: Kind.ARGUMENT, name: LABEL, value: { kind: Kind.STRING, value: label } }],
})

/** Finds the fragments of a valid document that may be deferred; undefined without any. */
export function deferredFragments(given: DocumentNode): DeferredFragments | undefined {
  const labels = new Map<string, string | undefined>()
  const conditions = new Map<string, string>()
  const document = visit(given, {
    Directive(directive) {
      if (!isDefer(directive)) return undefined
      const condition = argumentOf(directive, 'if')
      if (condition?.kind === Kind.BOOLEAN && !condition.value) return null
      const id = String(labels.size)
      labels.set(id, textOf(argumentOf(directive, 'label')))
      if (condition?.kind === Kind.VARIABLE) conditions.set(id, condition.name.value)
      return labelled(id)
    },
  })
  if (labels.size === 0) return undefined
  return {
    document,
    labels,
    conditions: conditions.size,
    with(variables) {
      const isOn = (id: string) => getOwn(variables, conditions.get(id) ?? '') !== false
      return new Set([...labels.keys()].filter(isOn))
    },
  }
}

/** A document that is answered at once. */
export const withoutDefer = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (directive) => (isDefer(directive) ? null : undefined) })

/** Parts of the id of a fragment that stands in several places. */
const PLACE = '.'

/** The id of a fragment from the label that plans have for it. */
export const idOfLabel = (label: string): string => label.split(PLACE, 1)[0] ?? ''

/**
 * A document for the planner, which takes fragments of one label for one: they get a label for each of their places.
 * @param ids fragments that are delivered later
 */
export function withPlannedLabels(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  ids: ReadonlySet<string>,
): DocumentNode {
  const fragments = fragmentsOf(document)
  let places = 0
  const expanded = (set: SelectionSetNode): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((node): SelectionNode | SelectionNode[] => {
      if (node.kind === Kind.FIELD)
        return node.selectionSet ? { ...node, selectionSet: expanded(node.selectionSet) } : node
      const { typeCondition, selectionSet } =
        node.kind === Kind.INLINE_FRAGMENT ? node : (fragments[node.name.value] ?? {})
      if (!selectionSet) return []
      const id = deferIdOf(node)
      const others = node.directives?.filter((one) => !isDefer(one)) ?? []
      const isLater = id !== undefined && ids.has(id)
      return {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition,
        directives: isLater ? [...others, labelled(`${id}${PLACE}${places++}`)] : others,
        selectionSet: expanded(selectionSet),
      }
    }),
  })
  const whole = { ...operation, selectionSet: expanded(operation.selectionSet) }
  return { kind: Kind.DOCUMENT, definitions: [whole] }
}

/** Faults in the use of `@defer`, as the proposal of incremental delivery has them. */
export function deferFaults(document: DocumentNode): GraphQLError[] {
  const errors: GraphQLError[] = []
  const labels = new Set<string>()
  visit(document, {
    Directive(node) {
      if (!isDefer(node)) return
      const given = argumentOf(node, 'label')
      const label = textOf(given)
      if (given && given.kind !== Kind.NULL && label === undefined)
        errors.push(
          fault('Directive "@defer" must have a label that is a text, not a variable.', node),
        )
      if (label !== undefined && labels.has(label))
        errors.push(
          fault(`The label "${label}" of "@defer" must be used once in a document.`, node),
        )
      if (label !== undefined) labels.add(label)
    },
  })
  const fragments = fragmentsOf(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === 'query') continue
    const { operation, selectionSet } = definition
    const isStream = operation === 'subscription'
    const message = isStream
      ? 'Directive "@defer" is not supported in subscriptions: leave it out, or have "if" false.'
      : 'Directive "@defer" cannot be used on the root type of mutations.'
    const seen = new Set<string>()
    const look = (set: SelectionSetNode | undefined): void => {
      for (const node of set?.selections ?? []) {
        const directive = node.directives?.find(isDefer)
        if (directive && isAlways(directive)) errors.push(fault(message, directive))
        if (node.kind !== Kind.FRAGMENT_SPREAD) {
          if (isStream || node.kind !== Kind.FIELD) look(node.selectionSet)
          continue
        }
        const { value } = node.name
        if (seen.has(value)) continue
        seen.add(value)
        look(fragments[value]?.selectionSet)
      }
    }
    look(selectionSet)
  }
  return errors
}

const isAlways = (directive: DirectiveNode): boolean => {
  const condition = argumentOf(directive, 'if')
  return !condition || (condition.kind === Kind.BOOLEAN && condition.value)
}

const fault = (message: string, node: DirectiveNode) => new GraphQLError(message, { nodes: [node] })
