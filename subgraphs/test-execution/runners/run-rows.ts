import { type Frame, merged, type Outcome } from './frame.ts'
import type { Place } from './journal.ts'
import { loadComponent } from './load-component.ts'
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
  frame: Frame,
  begin: boolean,
): Promise<Outcome> {
  const { haltAtFailure = false } = frame.planned.scenario
  const outcomes: Outcome[] = []
  let open = begin
  const waiting = [...rows.entries()]
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, row] = next
      const place = placeOf(at, row, frame)
      if (!open || frame.signal.aborted) {
        const message = 'What came before ended the scenario'
        frame.run.journal.add(place, { state: 'SKIPPED', durationMs: 0, message })
        continue
      }
      const outcome = await runRow(place, row, frame)
      outcomes[at] = outcome
      if (haltAtFailure && (outcome.fault || outcome.failures.length > 0)) open = false
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxParallel, rows.length) }, lane))
  const outcome = merged(outcomes.filter(Boolean))
  // The time may run out between two rows.
  return frame.signal.aborted
    ? { ...outcome, fault: outcome.fault ?? frame.signal.reason }
    : outcome
}

async function runRow(
  place: Place,
  row: Readonly<Record<string, unknown>>,
  outer: Frame,
): Promise<Outcome> {
  const { run, planned, scope } = outer
  const { steps } = planned.scenario
  const end = run.journal.begin(place)
  const components = run.openComponents()
  const frame: Frame = {
    ...outer,
    components,
    datasetRow: place.datasetRow,
    within: [...place.within, place.id],
    scope: { ...scope, row, capture: { ...scope.capture } },
  }
  let isClean = false
  const outcome = await loadComponent(steps, frame)
    .then(async (loaded) => {
      if (loaded.fault) skip(steps, frame)
      const outcome = loaded.fault ? loaded : await runSteps(steps, frame)
      isClean = outcome.fault === null && !frame.signal.aborted
      return outcome
    })
    .finally(() => {
      run.captures.release(frame.scope.capture)
      return components.stop(isClean)
    })
  const { failures, fault } = outcome
  if (fault) {
    end('ERROR', fault.message)
    return {
      failures,
      fault: new RunError(fault.code, `Row ${place.datasetRow}: ${fault.message}`),
    }
  }
  const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
  if (failures[0]) end('FAILED', `${failures[0].message}${more}`)
  else end('COMPLETED', '')
  return outcome
}

/** A row may say what it is called. */
const placeOf = (
  at: number,
  { name }: Readonly<Record<string, unknown>>,
  { within }: Frame,
): Place => ({
  id: `row[${at}]`,
  within,
  name: typeof name === 'string' && name !== '' ? name : `Row ${at}`,
  kind: 'row',
  datasetRow: at,
})
