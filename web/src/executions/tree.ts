import type { ExecutionTriesQuery, ScenarioFragment, StepFragment } from '../graph/generated.ts'
import { stateOf } from './search.ts'

/** One execution of a scenario, or of a suite itself, as far as it is known. */
export interface Scenario extends Omit<ScenarioFragment, 'steps'> {
  steps: readonly StepFragment[]
  /** The lines that arrived while the page follows it; of an ended one they are read in pages. */
  log: readonly string[]
}

/** An execution with those of its scenarios; of a scenario alone there are none. */
export interface Followed {
  root: Scenario | null
  /** Result of the suite that it belongs to. */
  suiteId: string | null
  scenarios: readonly Scenario[]
  error: string | null
  isLoading: boolean
}

/** A line of the tree: a scenario of a suite, a row of a dataset, or a step. */
export interface Node {
  /** Unique in the tree, and what the address has. */
  key: string
  depth: number
  name: string
  state: string
  durationMs: number | null
  hasChildren: boolean
  scenario: Scenario
  step: StepFragment | null
}

/** An execution as a line of its own. */
export const nodeOf = (scenario: Scenario): Node => ({
  key: scenario.id,
  depth: 0,
  name: scenario.contextName,
  state: stateOf(scenario),
  durationMs: scenario.ended ? Date.parse(scenario.ended) - Date.parse(scenario.started) : null,
  hasChildren: scenario.steps.length > 0,
  scenario,
  step: null,
})

/** The lines of an execution in the order in which they ran; each is followed by what stands in it. */
export function treeOf({ root, scenarios }: Pick<Followed, 'root' | 'scenarios'>): Node[] {
  if (!root) return []
  if (root.type === 'TEST') return stepsOf(root, 0, '')
  return [
    ...scenarios.flatMap((scenario) => [
      nodeOf(scenario),
      ...stepsOf(scenario, 1, `${scenario.id}/`),
    ]),
    // Skipped scenarios of an import left files there: they have no result of their own.
    ...stepsOf(root, 0, ''),
  ]
}

export type Try = NonNullable<ExecutionTriesQuery['executionResult']>['tries'][number]

/** The steps of an earlier try of a scenario, as those of its last one. */
export const stepsOfTry = (scenario: Scenario, of: Try): Node[] =>
  stepsOf({ ...scenario, ...of }, 0, '')

/** Unique among the steps of a scenario. */
export const pathOf = ({ path, stepId }: Pick<StepFragment, 'path' | 'stepId'>) => path ?? stepId

/** Paths name the steps that a step stands in, with slashes. */
function stepsOf(scenario: Scenario, depth: number, prefix: string): Node[] {
  const parents = new Set(scenario.steps.map((step) => pathOf(step).replace(/\/?[^/]*$/, '')))
  const known = new Set(scenario.steps.map(pathOf))
  const byParent = Map.groupBy(scenario.steps, (step) => parentOf(pathOf(step), known))
  const nodes: Node[] = []
  const add = (parent: string, level: number, inOptional = false) => {
    for (const step of byParent.get(parent) ?? []) {
      const path = pathOf(step)
      const { name, durationMs } = step
      const isOptional = inOptional || step.isOptional
      nodes.push({
        key: prefix + path,
        depth: level,
        name,
        state: stateOfStep(step, scenario, isOptional),
        durationMs,
        hasChildren: parents.has(path),
        scenario,
        step,
      })
      if (parents.has(path)) add(path, level + 1, isOptional)
    }
  }
  add('', depth)
  return nodes
}

function stateOfStep(
  { state, message }: StepFragment,
  scenario: Scenario,
  isOptional: boolean,
): string {
  // A cancel ends the steps that it cuts off with its own message.
  const errorCode = message === scenario.message ? scenario.errorCode : null
  const own = stateOf({ state, errorCode })
  return isOptional && (own === 'FAILED' || own === 'ERROR') ? `${own}_OPTIONAL` : own
}

/** The nearest step above that is known, as the one above may be reported later. */
function parentOf(path: string, known: ReadonlySet<string>): string {
  let parent = path
  while (parent.includes('/')) {
    parent = parent.slice(0, parent.lastIndexOf('/'))
    if (known.has(parent)) return parent
  }
  return ''
}

/** The lines that are to be seen. @param toggled keys that were folded or unfolded by hand */
export function visible(nodes: readonly Node[], toggled: ReadonlySet<string>): Node[] {
  const seen: Node[] = []
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const node of nodes) {
    if (node.depth > hiddenBelow) continue
    hiddenBelow = Number.POSITIVE_INFINITY
    seen.push(node)
    if (node.hasChildren && !isOpen(node, toggled)) hiddenBelow = node.depth
  }
  return seen
}

/** True if a line is open; scenarios that succeeded in a suite are folded at first. */
export const isOpen = ({ key, state, step }: Node, toggled: ReadonlySet<string>): boolean =>
  (step !== null || state !== 'COMPLETED') !== toggled.has(key)

export const isFailed = ({ state }: Node): boolean =>
  state === 'FAILED' || state === 'ERROR' || state === 'CANCELLED'

/** The lines that did not pass, each below what it stands in. */
export function failedOf(nodes: readonly Node[]): Node[] {
  const kept: Node[] = []
  let above: Node[] = []
  for (const node of nodes) {
    above = above.filter(({ depth }) => depth < node.depth)
    if (isFailed(node)) kept.push(...above.splice(0), node)
    else above.push(node)
  }
  return kept
}

/** True for a step without inner ones that has ended. */
export const isOver = ({ step, state, hasChildren }: Node): boolean =>
  step !== null && state !== 'RUNNING' && !hasChildren

/** The innermost step that runs; of several the one that began last. */
export const runningStep = (nodes: readonly Node[]): Node | undefined =>
  nodes.findLast(({ step, state, hasChildren }) => step && state === 'RUNNING' && !hasChildren)

/** First line to look at: the deepest of the first failure. */
export function firstFailure(nodes: readonly Node[]): Node | undefined {
  const failed = nodes.filter(isFailed)
  return failed.find(({ hasChildren }) => !hasChildren) ?? failed[0]
}
