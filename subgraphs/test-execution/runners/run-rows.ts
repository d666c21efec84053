import type { StepLocation } from './journal.ts'
import { loadComponent } from './load-component.ts'
import { merged, type Outcome, type RunContext } from './run-context.ts'
import { RunError } from './run-error.ts'
import { runSteps, skip } from './run-steps.ts'
import type { Scenario } from './step.ts'

type Dataset = NonNullable<Scenario['dataset']>

/**
 * Runs the steps once for each row, several rows at a time, each with realms of components and captures of its own. A
 * row that is not COMPLETED stops no other row, except with `haltAtFailure`.
 * @param begin whether any is to begin
 */
export async function runRows(
  { rows, maxParallel = 1 }: Dataset,
  context: RunContext,
  begin: boolean,
): Promise<Outcome> {
  const { haltAtFailure = false } = context.planned.scenario
  const outcomes: Outcome[] = []
  let open = begin
  const waiting = [...rows.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, row] = next
      const location = locationOf(at, row, context)
      if (!open || context.signal.aborted) {
        const message = 'What came before ended the scenario'
        context.run.journal.add(location, { state: 'SKIPPED', durationMs: 0, message })
        continue
      }
      const outcome = await runRow(location, row, context)
      outcomes[at] = outcome
      if (haltAtFailure && (outcome.fault || outcome.failures.length > 0)) open = false
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, rows.length) }, lane))
  const outcome = merged(outcomes.filter(Boolean))
  // The time may run out between two rows.
  return context.signal.aborted
    ? { ...outcome, fault: outcome.fault ?? context.signal.reason }
    : outcome
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
    end('ERROR', fault.message)
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
