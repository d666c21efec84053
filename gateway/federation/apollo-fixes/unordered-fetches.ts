import type { FetchNode, PlanNode, QueryPlanSelectionNode } from '@apollo/query-planner'
import { parse, type SelectionSetNode } from 'graphql'
import { readPath } from '../executor/response-path.ts'
import type { PlanRoot } from '../planning/map-fetches.ts'
import type { ApolloFix } from './fix.ts'

/**
 * Defect: a fetch is sent beside the one that gathers its key. The planner drops a dependency that others imply, and then
 * merges these into an earlier fetch, so that nothing implies it any more. The field is null, without an error.
 *
 *     a: type Query { ps: [P] } type P @key(fields: "id") @key(fields: "sku") { … a: P @requires(fields: "z") }
 *     b: type P @key(fields: "id") @key(fields: "part area") { … b: String @requires(fields: "a { z }") }
 *     c: type P @key(fields: "sku") @key(fields: "part area") { … z: String c: String @requires(fields: "b") }
 *     { ps { c } } → a is asked for its a by the id that b is asked for meanwhile
 *
 * Text to file: "mergeFetchesToSameSubgraphAndSameInputs loses a dependency that was removed as redundant".
 * Can go when the planner reduces dependencies after all merging alone.
 */
export const unorderedFetches: ApolloFix = {
  correct: () => ({ corrected: inOrder }),
}

/** A plan in which no fetch begins before those beside it have gathered what it requires. */
export function inOrder(plan: PlanRoot): PlanRoot {
  if (plan.kind !== 'Subscription') return ordered(plan, [])
  const { primary, rest } = plan
  return { ...plan, ...(rest && { rest: ordered(rest, [stepOf(primary).sure]) }) }
}

/** Paths in the response, such as `p.x.z`, without types and positions in lists. */
type Paths = ReadonlySet<string>

/** Paths that are gathered before, by step. */
type Known = readonly Paths[]

/** A part of a plan, with what it takes and what it brings. */
interface Step {
  node: PlanNode
  required: Paths
  gathered: Paths
  /** Paths that are gathered on no condition. */
  sure: Paths
}

type Branch = readonly Step[]

function ordered(node: PlanNode, known: Known): PlanNode {
  switch (node.kind) {
    case 'Parallel':
      return parallel(node.nodes.map(stepsOf), known)
    case 'Sequence':
      return sequence(stepsOf(node), known)
    case 'Condition': {
      const { ifClause, elseClause } = node
      return {
        ...node,
        ...(ifClause && { ifClause: ordered(ifClause, known) }),
        ...(elseClause && { elseClause: ordered(elseClause, known) }),
      }
    }
    case 'Defer': {
      const { primary, deferred } = node
      const later = primary.node ? withAll(known, [stepOf(primary.node)]) : known
      return {
        ...node,
        primary: { ...primary, ...(primary.node && { node: ordered(primary.node, known) }) },
        deferred: deferred.map((part) => ({
          ...part,
          ...(part.node && { node: ordered(part.node, later) }),
        })),
      }
    }
    default:
      return node
  }
}

function sequence(steps: Branch, known: Known): PlanNode {
  const [only] = steps
  if (only && steps.length === 1) return ordered(only.node, known)
  const nodes = steps.map(({ node }, at) => ordered(node, withAll(known, steps.slice(0, at))))
  return { kind: 'Sequence', nodes }
}

/** Rounds of the steps that can begin, and one round of all branches where none waits for another. */
function parallel(branches: readonly Branch[], known: Known): PlanNode {
  const waitsAnywhere = (branch: Branch) =>
    branch.some((step, at) => waits(step, branch, branches, withAll(known, branch.slice(0, at))))
  if (!branches.some(waitsAnywhere))
    return { kind: 'Parallel', nodes: branches.map((branch) => sequence(branch, known)) }
  const rounds: PlanNode[] = []
  let left = branches
  for (let before = known; left.length > 0; ) {
    const free = left.filter((branch) => !branch[0] || !waits(branch[0], branch, left, before))
    // Steps that all wait for each other begin as they were planned.
    const begun = (free.length > 0 ? free : left).flatMap((branch) => branch.slice(0, 1))
    const nodes = begun.map(({ node }) => ordered(node, before))
    rounds.push(...(nodes.length > 1 ? [{ kind: 'Parallel', nodes } as const] : nodes))
    before = withAll(before, begun)
    left = left.map((branch) => branch.filter((step) => !begun.includes(step)))
    left = left.filter((branch) => branch.length > 0)
  }
  return { kind: 'Sequence', nodes: rounds }
}

/** True if another branch may gather what a step of this one requires, and nothing before surely does. */
const waits = ({ required }: Step, own: Branch, branches: readonly Branch[], known: Known) =>
  [...required].some(
    (path) =>
      !known.some((paths) => paths.has(path)) &&
      branches.some(
        (branch) => branch !== own && branch.some(({ gathered }) => gathered.has(path)),
      ),
  )

const withAll = (known: Known, steps: Branch): Known => [...known, ...steps.map(({ sure }) => sure)]

const stepsOf = (node: PlanNode): Branch =>
  node.kind === 'Sequence' ? node.nodes.map(stepOf) : [stepOf(node)]

function stepOf(node: PlanNode): Step {
  const step = {
    node,
    required: new Set<string>(),
    gathered: new Set<string>(),
    sure: new Set<string>(),
  }
  for (const { fetch, at, isSure } of fetchesIn(node)) {
    for (const path of requiredPaths(fetch.requires ?? [], at)) step.required.add(path)
    for (const definition of parse(fetch.operation, { noLocation: true }).definitions)
      if (definition.kind === 'OperationDefinition')
        gather(definition.selectionSet, at, isSure, step)
  }
  return step
}

/** Paths of what is required, as it is gathered: a field that is required with arguments has a key of its own. */
function* requiredPaths(
  selections: readonly QueryPlanSelectionNode[],
  at: string,
): Generator<string> {
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      yield* requiredPaths(selection.selections, at)
      continue
    }
    // The names of types are always there.
    if (selection.name === '__typename') continue
    yield at + selection.name
    yield* requiredPaths(selection.selections ?? [], `${at}${selection.name}.`)
  }
}

/** @param at keys on the way, each with a dot behind it @param found is added to */
function gather(
  selectionSet: SelectionSetNode,
  at: string,
  isSure: boolean,
  found: { gathered: Set<string>; sure: Set<string> },
): void {
  const fields = [...fieldsIn(selectionSet)]
  for (const { key, isConditional, below } of fields) {
    if (key === '_entities') {
      if (below) gather(below, at, isSure, found)
      continue
    }
    found.gathered.add(at + key)
    if (isSure && !isConditional) found.sure.add(at + key)
    // Fields of an object that is there on this condition alone are there with it.
    const isThereAnyway = fields.some((other) => other.key === key && !other.isConditional)
    if (below) gather(below, `${at}${key}.`, isSure && !(isConditional && isThereAnyway), found)
  }
}

function* fieldsIn(
  { selections }: SelectionSetNode,
  isInside = false,
): Generator<{ key: string; isConditional: boolean; below: SelectionSetNode | undefined }> {
  for (const selection of selections) {
    const isConditional = isInside || (selection.directives ?? []).length > 0
    if (selection.kind === 'InlineFragment') yield* fieldsIn(selection.selectionSet, isConditional)
    if (selection.kind !== 'Field') continue
    const { name, alias = name, selectionSet: below } = selection
    yield { key: alias.value, isConditional, below }
  }
}

interface PlannedFetch {
  fetch: FetchNode
  /** Keys on the way to its objects, each with a dot behind it. */
  at: string
  /** True where it stands on no condition. */
  isSure: boolean
}

function* fetchesIn(node: PlanNode | undefined, at = '', isSure = true): Generator<PlannedFetch> {
  switch (node?.kind) {
    case 'Fetch':
      yield { fetch: node, at, isSure }
      break
    case 'Flatten': {
      const keys = readPath(node.path).filter((key) => typeof key === 'string' && key !== '@')
      yield* fetchesIn(node.node, keys.map((key) => `${key}.`).join(''), isSure)
      break
    }
    case 'Sequence':
    case 'Parallel':
      for (const one of node.nodes) yield* fetchesIn(one, at, isSure)
      break
    case 'Condition':
      yield* fetchesIn(node.ifClause, at, false)
      yield* fetchesIn(node.elseClause, at, false)
      break
    case 'Defer':
      yield* fetchesIn(node.primary.node, at, isSure)
  }
}
