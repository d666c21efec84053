import { isDeepStrictEqual } from 'node:util'
import type { PlanNode } from '@apollo/query-planner'
import { asksOf } from './ask.ts'
import { type Condition, firstIncluded } from './conditions.ts'
import { fetchEntities } from './entities.ts'
import { compileRootFetch, type Fetch, fetchOf } from './fetch.ts'
import type { PlanRun, Task } from './plan-run.ts'
import { type Step, stepsOf } from './steps.ts'

/** Steps that are one request, and the stages that have to end before it is sent. */
interface Stage {
  steps: Step[]
  after: Set<Stage>
  label: string | undefined
}

/**
 * Turns a plan into functions once, so that running it looks nothing up. Entity fetches of the same subgraph and the same
 * depth of a plan become one request, which waits for all that they wait for: sent apart, they took the gateway 1.69 times
 * the processor time on the public workload (docs/adr/0084).
 */
export function compilePlan(plan: PlanNode): Task {
  const stages = stagesOf(stepsOf(plan))
  const tasks = stages.map(({ steps }) => compileStage(steps))
  const [first] = tasks
  if (first && tasks.length === 1) return first
  const begin = compileOrder(stages, tasks)
  return async (run) => void (await Promise.all(begin(run)))
}

/** Fetches of one label, or of what is delivered at once. */
export interface Block {
  label: string | undefined
  ended: Promise<void>
}

/** The same for a plan of which some is delivered later. Fetches of different labels are never one request. */
export function compileBlocks(plan: PlanNode): (run: PlanRun) => Block[] {
  const stages = stagesOf(stepsOf(plan))
  const begin = compileOrder(
    stages,
    stages.map(({ steps }) => compileStage(steps)),
  )
  return (run) => begin(run).map((ended, index): Block => ({ label: stages[index]?.label, ended }))
}

/** @returns what begins all tasks, each behind those that it waits for */
function compileOrder(
  stages: readonly Stage[],
  tasks: readonly Task[],
): (run: PlanRun) => Promise<void>[] {
  const after = stages.map((stage) => [...stage.after].map((one) => stages.indexOf(one)))
  return (run) => {
    const ended: Promise<void>[] = []
    for (const [index, task] of tasks.entries()) {
      const before = (after[index] ?? []).map((one) => ended[one])
      ended.push(before.length === 0 ? task(run) : Promise.all(before).then(() => task(run)))
    }
    return ended
  }
}

/** @returns each stage behind those that it waits for */
function stagesOf(steps: readonly Step[]): Stage[] {
  const depths = depthsOf(steps)
  const stageOf = new Map<Step, Stage>()
  const merged = new Map<string, Stage>()
  const ordered = steps.toSorted((one, other) => (depths.get(one) ?? 0) - (depths.get(other) ?? 0))
  for (const step of ordered) {
    const key = `${depths.get(step)} ${step.node.serviceName} ${step.label}`
    const known = step.node.requires && merged.get(key)
    const stage: Stage = known ?? { steps: [], after: new Set(), label: step.label }
    if (step.node.requires) merged.set(key, stage)
    stage.steps.push(step)
    stageOf.set(step, stage)
    for (const before of step.after) {
      const one = stageOf.get(before)
      if (one) stage.after.add(one)
    }
  }
  return [...new Set(stageOf.values())]
}

function depthsOf(steps: readonly Step[]): Map<Step, number> {
  const depths = new Map<Step, number>()
  for (const step of steps)
    depths.set(step, 1 + Math.max(0, ...step.after.map((one) => depths.get(one) ?? 0)))
  return depths
}

function compileStage(steps: readonly Step[]): Task {
  const [{ node, path, conditions }] = steps as [Step]
  if (node.requires) return compileEntityFetches(partsOf(steps))
  const task = compileRootFetch(node, path)
  if (conditions.length === 0) return task
  return async (run) => {
    if (holds(conditions, run)) await task(run)
  }
}

const compileEntityFetches =
  (parts: readonly Part[]): Task =>
  async (run) =>
    fetchEntities(
      run,
      parts.flatMap(({ fetch, conditions }) => (holds(conditions, run) ? asksOf(run, fetch) : [])),
    )

const holds = (conditions: readonly Condition[], { variables }: PlanRun): boolean =>
  conditions.length === 0 || firstIncluded([conditions], variables) === 0

interface Part {
  fetch: Fetch
  conditions: readonly Condition[]
}

/** Fetches that differ in nothing but their paths are one. */
function partsOf(steps: readonly Step[]): Part[] {
  const parts: Part[] = []
  for (const { node, path, conditions } of steps) {
    const fetch = fetchOf(node, [path])
    const same = parts.findIndex(
      (part) => isDeepStrictEqual(part.conditions, conditions) && areEqual(part.fetch, fetch),
    )
    const known = parts[same]
    if (known)
      parts[same] = {
        conditions,
        fetch: fetchOf(known.fetch.node, [...known.fetch.paths, path]),
      }
    else parts.push({ fetch, conditions })
  }
  return parts
}

function areEqual(one: Fetch, other: Fetch): boolean {
  if (!one.query || !other.query) return false
  const textless = ({ node, query }: Fetch) => ({
    ...node,
    ...{ id: undefined, operation: undefined, operationName: undefined },
    operationDocumentNode: undefined,
    query: { ...query, name: undefined },
  })
  return isDeepStrictEqual(textless(one), textless(other))
}
