import { inSpan } from '../../platform/tracing/trace.ts'
import { noEvidence } from './evidence.ts'
import type { StepLocation } from './journal.ts'
import { merged, type Outcome, type RunContext } from './run-context.ts'
import { messageOf, runStep } from './run-step.ts'
import type { Step } from './step.ts'
import { kindNameOf } from './step-settings.ts'

/**
 * Runs steps in order. One that is ERROR ends them, as its state is unknown; one that is FAILED does so only with
 * `haltAtFailure`.
 * @param toTheEnd runs all of them, whatever happens
 */
export async function runSteps(
  steps: readonly Step[],
  context: RunContext,
  { toTheEnd = false } = {},
): Promise<Outcome> {
  const { haltAtFailure = false } = context.planned.scenario
  const outcomes: Outcome[] = []
  for (const [at, step] of steps.entries()) {
    const outcome = await runOne(step, context)
    outcomes.push(outcome)
    const halts = outcome.fault !== null || (haltAtFailure && outcome.failures.length > 0)
    if (!halts || toTheEnd) continue
    skip(steps.slice(at + 1), context)
    break
  }
  return merged(outcomes)
}

/** Runs all of them, a limited number at a time. */
export async function runInParallel(
  steps: readonly Step[],
  context: RunContext,
  maxParallel: number,
): Promise<Outcome> {
  const waiting = [...steps.entries()]
  const outcomes: Outcome[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      outcomes[next[0]] = await runOne(next[1], context)
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, steps.length) }, lane))
  return merged(outcomes)
}

export function skip(steps: readonly Step[], context: RunContext): void {
  const message = 'The scenario ended before this step'
  for (const step of steps)
    context.run.journal.add(locationOf(step, context), { state: 'SKIPPED', durationMs: 0, message })
}

async function runOne(step: Step, context: RunContext): Promise<Outcome> {
  const { journal } = context.run
  const location = locationOf(step, context)
  const end = journal.begin(location)
  const evidence = noEvidence()
  const verdict = await inSpan(`step ${location.kind}`, {}, async (span) => {
    const ended = await runStep(step, { ...context, evidence })
    span?.set({ 'assay.state': ended.state })
    return ended
  })
  end(verdict.state, messageOf(verdict), evidence)
  const counts = step.optional !== true || context.signal.aborted
  if (!counts || verdict.state === 'COMPLETED' || verdict.state === 'SKIPPED')
    return { failures: [], fault: null }
  if (verdict.state === 'ERROR') return { failures: verdict.nested, fault: verdict.reason }
  const own = verdict.unmet.map((unmet) => journal.failure(unmet, location))
  return { failures: [...own, ...verdict.nested], fault: null }
}

const locationOf = (step: Step, { within, datasetRow }: RunContext): StepLocation => ({
  id: step.id,
  within,
  name: step.name ?? step.id,
  kind: kindNameOf(step),
  datasetRow,
})
