import { logLine } from '../runners/reports/log-line.ts'
import type { RunUpdate } from '../runners/run-scenario.ts'
import type { ExecutionSnapshot } from './execution.snapshot.ts'
import type { Ending, Execution, FinalState, SuiteRun } from './execution.ts'

/** A scenario of a suite that is still to begin. */
export interface PlannedMember {
  contextId: string
  contextName: string
  useCodeCoverage: boolean
  snapshot: ExecutionSnapshot
}

export const newSuiteRun = (
  { haltAtFailure, maxParallel }: Pick<SuiteRun, 'haltAtFailure' | 'maxParallel'>,
  scenarios: number,
): SuiteRun => ({
  haltAtFailure,
  maxParallel,
  scenarios,
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

export const withEnded = (run: SuiteRun, state: FinalState): SuiteRun => ({
  ...run,
  running: run.running - 1,
  ended: { ...run.ended, [state]: run.ended[state] + 1 },
})

export const endedScenarios = ({ ended }: SuiteRun): number =>
  ended.COMPLETED + ended.FAILED + ended.ERROR

/** The result of a suite of which nothing runs or begins any more (conformance: TX-68). */
export function endingOf(run: SuiteRun): Pick<Ending, 'state' | 'message' | 'errorCode'> {
  const { COMPLETED, FAILED, ERROR } = run.ended
  const skipped = run.scenarios - COMPLETED - FAILED - ERROR
  const counts = [
    ERROR > 0 && `${ERROR} ended in error`,
    FAILED > 0 && `${FAILED} failed`,
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
