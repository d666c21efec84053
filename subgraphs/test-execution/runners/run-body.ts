import { withDeadline } from './deadline.ts'
import { type Frame, isGood, merged, type Outcome } from './frame.ts'
import { loadComponent } from './load-component.ts'
import { runRows } from './run-rows.ts'
import { runSteps, skip } from './run-steps.ts'
import { settled } from './settled.ts'

export const DEFAULT_SCENARIO_TIMEOUT_MS = 600_000
/** The teardown has its own time, as it also runs when that of the scenario is up. */
export const TEARDOWN_TIMEOUT_MS = 60_000

/**
 * Runs a scenario in its frame: setup, steps (once, or for each row), teardown. The steps only run when the setup is
 * COMPLETED; the teardown always does, unless another worker runs the scenario again.
 */
export async function runBody(frame: Frame): Promise<Outcome> {
  const { setup = [], steps, teardown = [], dataset, timeoutMs } = frame.planned.scenario
  const limit = timeoutMs ?? DEFAULT_SCENARIO_TIMEOUT_MS
  const ownSteps = [...setup, ...(dataset ? [] : steps)]
  let begun = false
  const outcome = await settled(() =>
    withDeadline(frame.signal, limit, 'The scenario', async (signal) => {
      const inner = { ...frame, signal }
      begun = true
      const loaded = await loadComponent(ownSteps, inner)
      if (loaded.fault) skip(setup, inner)
      const before = loaded.fault ? loaded : await runSteps(setup, inner)
      if (dataset) return merged([before, await runRows(dataset, inner, isGood(before))])
      if (isGood(before)) return merged([before, await runSteps(steps, inner)])
      skip(steps, inner)
      return before
    }),
  )
  if (!begun) skip(ownSteps, frame)
  if (teardown.length === 0) return outcome
  const teardownSignal = await frame.run.teardownSignal()
  if (!teardownSignal) {
    skip(teardown, frame)
    return outcome
  }
  const after = await settled(() =>
    withDeadline(teardownSignal, TEARDOWN_TIMEOUT_MS, 'The teardown', (signal) =>
      runSteps(teardown, { ...frame, signal }, { toTheEnd: true }),
    ),
  )
  return merged([outcome, after])
}
