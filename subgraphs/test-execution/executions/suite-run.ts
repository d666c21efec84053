import { logLine } from '../runners/reports/log-line.ts'
import type { RunUpdate } from '../runners/run-scenario.ts'
import type { ExecutionSnapshot } from './execution.snapshot.ts'
import type { Ending, Execution, FinalState, SkippedScenario, SuiteRun } from './execution.ts'

/** A scenario of a suite that is still to begin. */
export interface PlannedMember {
  contextId: string
  contextName: string
  useCodeCoverage: boolean
  snapshot: ExecutionSnapshot
  /** Positions of what must be COMPLETED first. */
  needs: readonly number[]
  /** Whether it runs behind all others, whatever became of them. */
  isTeardown: boolean
}

export const newSuiteRun = (
  { haltAtFailure, maxParallel }: Pick<SuiteRun, 'haltAtFailure' | 'maxParallel'>,
  members: readonly PlannedMember[],
): SuiteRun => ({
  haltAtFailure,
  maxParallel,
  scenarios: members.length,
  hasNeeds: members.some(({ needs }) => needs.length > 0),
  running: 0,
  ended: { COMPLETED: 0, FAILED: 0, ERROR: 0 },
})

/** How many more scenarios may begin. */
export const vacancies = ({ haltAtFailure, maxParallel, running, ended }: SuiteRun): number =>
  haltAtFailure && ended.FAILED + ended.ERROR > 0 ? 0 : maxParallel - running

export const withBegun = (run: SuiteRun, count: number): SuiteRun => ({
  ...run,
  running: run.running + count,
})

export const withEnded = (
  run: SuiteRun,
  { state, isQuarantined }: { state: FinalState; isQuarantined: boolean },
): SuiteRun => ({
  ...run,
  running: run.running - 1,
  ...(isQuarantined && state !== 'COMPLETED'
    ? { quarantined: (run.quarantined ?? 0) + 1 }
    : { ended: { ...run.ended, [state]: run.ended[state] + 1 } }),
})

export const withSkipped = (run: SuiteRun, skipped: readonly SkippedScenario[]): SuiteRun =>
  skipped.length === 0 ? run : { ...run, unneeded: [...(run.unneeded ?? []), ...skipped] }

/** All that never ran, and why. */
export const skippedScenarios = ({ unneeded = [], skipped = [] }: SuiteRun): SkippedScenario[] => [
  ...unneeded,
  ...skipped.map((name) => ({ name, reason: 'The suite ended before it began' })),
]

export const endedScenarios = ({ ended, quarantined = 0 }: SuiteRun): number =>
  ended.COMPLETED + ended.FAILED + ended.ERROR + quarantined

/** The result of a suite of which nothing runs or begins any more (conformance: TX-68). */
export function endingOf(run: SuiteRun): Pick<Ending, 'state' | 'message' | 'errorCode'> {
  const { FAILED, ERROR } = run.ended
  const { quarantined = 0 } = run
  const skipped = run.scenarios - endedScenarios(run)
  const counts = [
    ERROR > 0 && `${ERROR} ended in error`,
    FAILED > 0 && `${FAILED} failed`,
    quarantined > 0 && `${quarantined} did not succeed in quarantine`,
    skipped > 0 && `${skipped} did not run`,
  ].filter(Boolean)
  const message = counts.length > 0 ? `Of ${run.scenarios} scenarios ${counts.join(', ')}` : ''
  if (ERROR > 0) return { state: 'ERROR', message, errorCode: 'SCENARIO_ERROR' }
  return { state: FAILED > 0 ? 'FAILED' : 'COMPLETED', message, errorCode: null }
}

type Member = Pick<Execution, 'id' | 'contextName' | 'state' | 'started' | 'ended' | 'message'>

/** What watchers of a suite hear when one of its scenarios begins or ends: a log line, and the scenario as a step. */
export function memberUpdates(member: Member): RunUpdate[] {
  const { id, contextName: name, state, started, ended, message } = member
  const durationMs = ended && ended.getTime() - started.getTime()
  const reason = message ? `: ${message}` : ''
  const text = ended ? `${name} ${state} (${durationMs} ms)${reason}` : `${name} starts`
  const level = state === 'FAILED' || state === 'ERROR' ? 'ERROR' : 'INFO'
  return [
    { kind: 'LOG', lines: [logLine(ended ?? started, level, 'Suite', text)] },
    { kind: 'STEP', step: { id, name, state, started, ended, durationMs, message } },
  ]
}

/** The log line of a scenario that is skipped. */
export const skippedUpdate = ({ name, reason }: SkippedScenario, now: Date): RunUpdate => ({
  kind: 'LOG',
  lines: [logLine(now, 'WARN', 'Suite', `${name} SKIPPED: ${reason}`)],
})
