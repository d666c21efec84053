import {
  MapWithCachedArrays,
  type OperationElement,
  operationFromDocument,
  type SelectionSet,
  Supergraph,
} from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { parse } from 'graphql'
import { override } from './override.ts'

/** Group from which the planner makes a fetch. Its class is not exported. */
export interface FetchGroup {
  isEntityFetch: boolean
  /** Path of its objects in the response. */
  mergeAt: readonly string[] | undefined
  /** Keys and required fields that it takes; none for a root. */
  inputs: { selectionSets(): readonly SelectionSet[] } | undefined
  selection: SelectionSet
  parents(): readonly Parent[]
  /** Conditions of variables, or true or false if it is fetched always or never. */
  conditions(): boolean | readonly object[]
  isDescendantOf(other: FetchGroup): boolean
  removeChild(child: FetchGroup): void
  canMergeChildIn(child: FetchGroup): boolean
  canMergeSiblingIn(sibling: FetchGroup): boolean
  mergeInWithAllDependencies(other: FetchGroup): void
  addParents(parents: readonly Parent[]): void
  addAtPath(path: readonly OperationElement[], selection?: object): void
}

/** Group that another one waits for. */
export interface Parent {
  group: FetchGroup
  /** From the objects of the parent to those of the group, where it is known. */
  path?: readonly object[] | undefined
}

/** Fetches that this one waits for, at any distance. */
export function ancestorsOf(group: FetchGroup, found = new Set<FetchGroup>()): Set<FetchGroup> {
  for (const { group: parent } of group.parents())
    if (!found.has(parent)) ancestorsOf(parent, found.add(parent))
  return found
}

const SMALLEST = `
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION) { query: Query }
  directive @join__graph(name: String!, url: String!) on ENUM_VALUE
  directive @join__type(graph: join__Graph!) repeatable on OBJECT
  directive @join__field(graph: join__Graph) repeatable on FIELD_DEFINITION
  directive @join__implements(graph: join__Graph!, interface: String!) repeatable on OBJECT
  directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
  scalar link__Import
  enum link__Purpose { SECURITY EXECUTION }
  enum join__Graph { A @join__graph(name: "a", url: "http://a.invalid") }
  type Query @join__type(graph: A) { a: Int }`

let known: FetchGroup | undefined

/** The prototype of that class. It is caught while a smallest operation is planned: its group is kept in a map. */
export function fetchGroupPrototype(): FetchGroup {
  if (known) return known
  const undo = override(
    MapWithCachedArrays.prototype as MapWithCachedArrays<unknown, unknown>,
    'set',
    (set) =>
      function (this: MapWithCachedArrays<unknown, unknown>, key, value) {
        if (isFetchGroup(value)) known = Object.getPrototypeOf(value)
        return set.call(this, key, value)
      },
  )
  try {
    const supergraph = Supergraph.build(SMALLEST)
    const operation = operationFromDocument(supergraph.apiSchema(), parse('{ a }'))
    new QueryPlanner(supergraph).buildQueryPlan(operation)
  } finally {
    undo()
  }
  if (!known) throw new Error('The planner of this version keeps its fetch groups elsewhere')
  return known
}

const isFetchGroup = (value: unknown): value is FetchGroup =>
  typeof value === 'object' && value !== null && 'mergeInWithAllDependencies' in value
