import { withDeadline } from './deadline.ts'
import { loadComponent } from './load-component.ts'
import { isGood, merged, type Outcome, outcomeOf, type RunContext } from './run-context.ts'
import { runRows } from './run-rows.ts'
import { runSteps, skip } from './run-steps.ts'

export const DEFAULT_SCENARIO_TIMEOUT_MS = 600_000
/** The teardown has its own time, as it also runs when that of the scenario is up. */
export const TEARDOWN_TIMEOUT_MS = 60_000

/**
 * Runs a scenario in its context: setup, steps (once, or for each row), teardown. The steps only run when the setup is
 * COMPLETED; the teardown always does, unless another worker runs the scenario again.
 */
export async function runBody(context: RunContext): Promise<Outcome> {
  const { setup = [], steps, teardown = [], dataset, timeoutMs } = context.planned.scenario
  const limit = timeoutMs ?? DEFAULT_SCENARIO_TIMEOUT_MS
  const ownSteps = [...setup, ...(dataset ? [] : steps)]
  let begun = false
  const outcome = await outcomeOf(() =>
    withDeadline(context.signal, limit, 'The scenario', async (signal) => {
      const inner = { ...context, signal }
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
  if (!begun) skip(ownSteps, context)
  if (teardown.length === 0) return outcome
  const teardownSignal = await context.run.teardownSignal()
  if (!teardownSignal) {
    skip(teardown, context)
    return outcome
  }
  const after = await outcomeOf(() =>
    withDeadline(teardownSignal, TEARDOWN_TIMEOUT_MS, 'The teardown', (signal) =>
      runSteps(teardown, { ...context, signal }, { toTheEnd: true }),
    ),
  )
  return merged([outcome, after])
}
