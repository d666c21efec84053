import type { FetchNode } from '@apollo/query-planner'
import { type DocumentNode, Kind, parse, visit } from 'graphql'

/** The query of an entity fetch, in the pieces that a merged query is made of. */
export interface EntityQuery {
  /** Empty where it has none. */
  name: string
  /** Declarations of all variables but the representations. */
  variables: readonly string[]
  directives: readonly string[]
  /** Selection of entities, in braces. */
  selection: string
  /** Variables with values for some of the entities alone: their declarations, and where the selection names them. */
  contextual: readonly { name: string; type: string; ends: readonly number[] }[]
}

/** The variable that has a list of representations in a merged query. */
export const listName = (index: number): string => `representations_${index}`

const OF_LISTS = /^representations_\d+$/

const cut = (text: string, { loc }: { loc?: DocumentNode['loc'] }): string =>
  text.slice(loc?.start, loc?.end)

/** @returns undefined for a document of another form than the planner writes; it is sent as it is */
export function entityQueryOf({
  operation: text,
  operationKind,
  contextRewrites = [],
}: FetchNode): EntityQuery | undefined {
  const [operation, ...others] = parse(text).definitions
  if (operationKind !== 'query' || others.length > 0) return undefined
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return undefined
  const [root, ...more] = operation.selectionSet.selections
  if (root?.kind !== Kind.FIELD || root.name.value !== '_entities' || more.length > 0)
    return undefined
  const value = root.arguments?.[0]?.value
  if (root.alias || root.directives?.length || !root.selectionSet) return undefined
  if (value?.kind !== Kind.VARIABLE || value.name.value !== 'representations') return undefined
  const variables = operation.variableDefinitions?.filter(
    ({ variable }) => variable.name.value !== value.name.value,
  )
  if (variables?.some(({ variable }) => OF_LISTS.test(variable.name.value))) return undefined
  const { selectionSet } = root
  const start = selectionSet.loc?.start ?? 0
  const ofContexts = new Set(contextRewrites.map(({ renameKeyTo }) => renameKeyTo))
  const endsOf = (name: string): number[] => {
    const ends: number[] = []
    visit(selectionSet, {
      Variable: (node) =>
        void (node.name.value === name && ends.push((node.loc?.end ?? 0) - start)),
    })
    return ends
  }
  const declared = variables ?? []
  return {
    name: operation.name?.value ?? '',
    variables: declared
      .filter(({ variable }) => !ofContexts.has(variable.name.value))
      .map((definition) => cut(text, definition)),
    directives: (operation.directives ?? []).map((directive) => cut(text, directive)),
    selection: cut(text, selectionSet),
    contextual: declared
      .filter(({ variable }) => ofContexts.has(variable.name.value))
      .map(({ variable: { name }, type }) => ({
        name: name.value,
        type: cut(text, type),
        ends: endsOf(name.value),
      })),
  }
}

/** The selection, in which variables with values for some of the entities have names of their own. */
export function selectionFor({ selection, contextual }: EntityQuery, suffix: string): string {
  const ends = contextual.flatMap((one) => one.ends).sort((one, other) => other - one)
  return ends.reduce((made, end) => made.slice(0, end) + suffix + made.slice(end), selection)
}
