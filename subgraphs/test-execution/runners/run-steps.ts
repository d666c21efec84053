import { inSpan } from '../../platform/tracing/trace.ts'
import { noEvidence } from './evidence.ts'
import { type Frame, merged, type Outcome } from './frame.ts'
import type { Place } from './journal.ts'
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
  frame: Frame,
  { toTheEnd = false } = {},
): Promise<Outcome> {
  const { haltAtFailure = false } = frame.planned.scenario
  const outcomes: Outcome[] = []
  for (const [at, step] of steps.entries()) {
    const outcome = await runOne(step, frame)
    outcomes.push(outcome)
    const halts = outcome.fault !== null || (haltAtFailure && outcome.failures.length > 0)
    if (!halts || toTheEnd) continue
    skip(steps.slice(at + 1), frame)
    break
  }
  return merged(outcomes)
}

/** Runs all of them, a limited number at a time. */
export async function runInParallel(
  steps: readonly Step[],
  frame: Frame,
  maxParallel: number,
): Promise<Outcome> {
  const waiting = [...steps.entries()]
  const outcomes: Outcome[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      outcomes[next[0]] = await runOne(next[1], frame)
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, steps.length) }, lane))
  return merged(outcomes)
}

export function skip(steps: readonly Step[], frame: Frame): void {
  const message = 'The scenario ended before this step'
  for (const step of steps)
    frame.run.journal.add(placeOf(step, frame), { state: 'SKIPPED', durationMs: 0, message })
}

async function runOne(step: Step, frame: Frame): Promise<Outcome> {
  const { journal } = frame.run
  const place = placeOf(step, frame)
  const end = journal.begin(place)
  const evidence = noEvidence()
  const verdict = await inSpan(`step ${place.kind}`, {}, async (span) => {
    const ended = await runStep(step, { ...frame, evidence })
    span?.set({ 'assay.state': ended.state })
    return ended
  })
  end(verdict.state, messageOf(verdict), evidence)
  const counts = step.optional !== true || frame.signal.aborted
  if (!counts || verdict.state === 'COMPLETED' || verdict.state === 'SKIPPED')
    return { failures: [], fault: null }
  if (verdict.state === 'ERROR') return { failures: verdict.nested, fault: verdict.reason }
  const own = verdict.unmet.map((unmet) => journal.failure(unmet, place))
  return { failures: [...own, ...verdict.nested], fault: null }
}

const placeOf = (step: Step, { within, datasetRow }: Frame): Place => ({
  id: step.id,
  within,
  name: step.name ?? step.id,
  kind: kindNameOf(step),
  datasetRow,
})
