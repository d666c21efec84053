import type { Scenario, Step } from '../scenario/step.ts'
import { givenTo, innerSteps, kindOf } from '../scenario/step-settings.ts'
import { inLanes, isGood, merged, outcomeOf, type RunContext } from './context.ts'
import { RunError } from './error.ts'
import type { StepLocation } from './journal.ts'
import { reasonOf, withDeadline } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { runSteps, skip } from './run-step.ts'

const DEFAULT_SCENARIO_TIMEOUT_MS = 600_000
/** The teardown has its own time, as it also runs when that of the scenario is up. */
const TEARDOWN_TIMEOUT_MS = 60_000

/**
 * Runs a scenario in its context: setup, steps (once, or for each row), teardown. The steps only run when the setup is
 * COMPLETED; the teardown always does, unless another worker runs the scenario again.
 */
export async function runBody(context: RunContext): Promise<Outcome> {
  const { setup = [], steps, teardown = [], dataset, timeoutMs } = context.planned.scenario
  const limit = timeoutMs ?? DEFAULT_SCENARIO_TIMEOUT_MS
  let begun = false
  const outcome = await outcomeOf(() =>
    withDeadline(context.signal, limit, 'The scenario', async (signal) => {
      begun = true
      const ended = await runMain({ ...context, signal })
      // The last step may have exceeded a limit, and the time may run out between two steps.
      return signal.aborted ? { ...ended, fault: ended.fault ?? reasonOf(signal) } : ended
    }),
  )
  if (!begun) skip([...setup, ...(dataset ? [] : steps)], context)
  if (teardown.length === 0) return outcome
  const after = await context.run.tearDown((ending) =>
    outcomeOf(() =>
      withDeadline(ending, TEARDOWN_TIMEOUT_MS, 'The teardown', (signal) =>
        runSteps(teardown, { ...context, signal }, { toTheEnd: true }),
      ),
    ),
  )
  if (after) return merged([outcome, after])
  skip(teardown, context)
  return outcome
}

/** All but the teardown. */
async function runMain(context: RunContext): Promise<Outcome> {
  const { setup = [], steps, dataset } = context.planned.scenario
  const loaded = await loadComponent([...setup, ...(dataset ? [] : steps)], context)
  if (loaded.fault) skip(setup, context)
  const before = loaded.fault ? loaded : await runSteps(setup, context)
  if (dataset) return merged([before, await runRows(dataset, context, isGood(before))])
  if (isGood(before)) return merged([before, await runSteps(steps, context)])
  skip(steps, context)
  return before
}

const NOTHING: Outcome = { failures: [], fault: null }

type Dataset = NonNullable<Scenario['dataset']>

/**
 * Runs the steps once for each row, several rows at a time, each with realms of components and captures of its own. A
 * row that is not COMPLETED stops no other row, except with `haltAtFailure`.
 * @param begin whether any is to begin
 */
async function runRows(
  { rows, maxParallel = 1 }: Dataset,
  context: RunContext,
  begin: boolean,
): Promise<Outcome> {
  const { haltAtFailure = false } = context.planned.scenario
  let open = begin
  const outcomes = await inLanes(rows, maxParallel, async (row, at) => {
    const location = locationOf(at, row, context)
    if (!open || context.signal.aborted) {
      const message = 'What came before ended the scenario'
      context.run.journal.add(location, { state: 'SKIPPED', durationMs: 0, message })
      return NOTHING
    }
    const outcome = await runRow(location, row, context)
    if (haltAtFailure && !isGood(outcome)) open = false
    return outcome
  })
  return merged(outcomes)
}

async function runRow(
  location: StepLocation,
  row: Readonly<Record<string, unknown>>,
  outer: RunContext,
): Promise<Outcome> {
  const { run, planned, scope } = outer
  const { steps } = planned.scenario
  const end = run.journal.begin(location)
  const components = run.openComponents()
  const context: RunContext = {
    ...outer,
    components,
    datasetRow: location.datasetRow,
    within: [...location.within, location.id],
    scope: { ...scope, row, capture: { ...scope.capture } },
  }
  let isClean = false
  const outcome = await loadComponent(steps, context)
    .then(async (loaded) => {
      if (loaded.fault) skip(steps, context)
      const outcome = loaded.fault ? loaded : await runSteps(steps, context)
      isClean = outcome.fault === null && !context.signal.aborted
      return outcome
    })
    .finally(() => {
      run.captures.release(context.scope.capture)
      return components.stop(isClean)
    })
  const { failures, fault } = outcome
  if (fault) {
    end('ERROR', fault.message, { errorCode: fault.code })
    return {
      failures,
      fault: new RunError(fault.code, `Row ${location.datasetRow}: ${fault.message}`),
    }
  }
  const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  if (failures[0]) end('FAILED', `${failures[0].message}${more}`)
  else end('COMPLETED', '')
  return outcome
}

/** A row may say what it is called. */
const locationOf = (
  at: number,
  { name }: Readonly<Record<string, unknown>>,
  { within }: RunContext,
): StepLocation => ({
  id: `row[${at}]`,
  within,
  name: typeof name === 'string' && name !== '' ? name : `Row ${at}`,
  kind: 'row',
  datasetRow: at,
})

/** Loads the component under test where the steps are going to call it, so that none of them pays for it. */
const loadComponent = (
  steps: readonly Step[],
  { components, planned, signal }: RunContext,
): Promise<Outcome> =>
  outcomeOf(async () => {
    const { component } = planned
    if (component && needsComponent(steps)) await components.load(component, signal)
    return NOTHING
  })

const needsComponent = (steps: readonly Step[]): boolean =>
  steps.some(
    (step) => kindOf(step).needsComponent?.(givenTo(step)) || needsComponent(innerSteps(step)),
  )
