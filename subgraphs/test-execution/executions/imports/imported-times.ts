import type { ImportedScenario, ImportedTry } from './imported.ts'

export const endOf = ({ started, durationMs }: { started: Date; durationMs: number }): Date =>
  new Date(started.getTime() + durationMs)

/**
 * Scenarios that ended by `now`. Times of a zone that a report does not name may lie hours ahead: those that do are moved
 * by one span, so that they keep their order, and exact times beside them stay.
 */
export function endedBy(now: Date, scenarios: readonly ImportedScenario[]): ImportedScenario[] {
  const aheadOf = (each: ImportedScenario) =>
    Math.max(...[each, ...each.tries].map((run) => endOf(run).getTime())) - now.getTime()
  const span = scenarios.reduce((most, each) => Math.max(most, aheadOf(each)), 0)
  const moved = <Run extends ImportedScenario | ImportedTry>(run: Run): Run => ({
    ...run,
    started: new Date(run.started.getTime() - span),
  })
  return scenarios.map((each) =>
    aheadOf(each) > 0 ? { ...moved(each), tries: each.tries.map(moved) } : each,
  )
}
