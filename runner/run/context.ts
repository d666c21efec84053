import type { Queue } from '../../platform/load/load.ts'
import type { ComponentSource } from '../coverage/compile-component.ts'
import type { Judged, Judgement } from '../evaluation/tasks.ts'
import type { Scenario, Step, Stub } from '../scenario/step.ts'
import type { Scope } from '../scenario/template.ts'
import type { StepContext } from '../steps/step-kind.ts'
import type { Components } from './components.ts'
import { RunError } from './error.ts'
import type { Evidence } from './evidence.ts'
import type { Journal } from './journal.ts'
import type { Captures } from './limits.ts'
import type { RunLog } from './log.ts'
import type { Mask } from './mask.ts'
import type { Outcome } from './outcome.ts'

/** A scenario with the component that it tests, if it tests one. */
export interface PlannedScenario {
  name: string
  component: ComponentSource | null
  scenario: Scenario
}

/** Run that all steps of an execution share. */
export interface Run {
  /** Runs a teardown under the signal that ends it. @returns null where none may begin */
  tearDown(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome | null>
  log: RunLog
  mask: Mask
  journal: Journal
  openComponents(): Components
  /** Judges a step's result, in another process where it may take long. @throws RunError */
  judge(judgement: Judgement, signal: AbortSignal): Promise<Judged>
  captures: Captures
  /** Steps that send a request, from sending it until its answer is judged. */
  requests: Queue
  /** Makes the context of a step. It closes the circle: through it, steps run steps. */
  contextOf(step: Step, context: RunContext): StepContext
}

/** Surroundings of steps: a scenario, in a row of its dataset, in a step around them. */
export interface RunContext {
  run: Run
  /** Aborted on cancel and when the time is up; its reason is a `RunError`. */
  signal: AbortSignal
  /** Ids of the enclosing steps. */
  within: readonly string[]
  datasetRow: number | null
  scope: Scope
  planned: PlannedScenario
  components: Components
  /** Evidence of the step that runs. */
  evidence?: Evidence
  /** Those of the scenarios around count first. */
  stubs: readonly (Stub & { under: ComponentSource | null })[]
}

export const merged = (outcomes: readonly Outcome[]): Outcome => ({
  failures: outcomes.flatMap(({ failures }) => failures),
  fault: outcomes.find(({ fault }) => fault)?.fault ?? null,
})

export const isGood = ({ failures, fault }: Outcome): boolean =>
  fault === null && failures.length === 0

/** A `RunError` is how a run may end; anything else is ours and goes on. */
export async function outcomeOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RunError) return { failures: [], fault: error }
    throw error
  }
}

/** Runs something for each item, a limited number at a time. @returns what came of them, in the order of the items */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  maxParallel: number,
  run: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const waiting = [...items.entries()]
  const results: Result[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next[0]] = await run(next[1], next[0])
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, lane))
  return results
}
