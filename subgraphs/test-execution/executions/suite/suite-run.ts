import { logLine } from '../../../../runner/run/log.ts'
import type { RunUpdate } from '../../../../runner/run/run-scenario.ts'
import type { ExecutionSnapshot } from '../accept/snapshot.ts'
import type { Execution } from '../execution.entity.ts'
import type { Ending, FinalState, Lane, SkippedScenario, SuiteRun } from '../execution.ts'

/** A scenario of a suite that is still to begin. */
export interface PlannedMember {
  contextId: string
  contextName: string
  useCodeCoverage: boolean
  snapshot: ExecutionSnapshot
  /** Positions of what must be COMPLETED first. */
  needs: readonly number[]
  /** True if it runs behind all others, whatever became of them. */
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
  lanes: [],
  ended: { COMPLETED: 0, FAILED: 0, ERROR: 0 },
})

/** Number of lanes that may still begin. */
export const vacancies = ({ haltAtFailure, maxParallel, lanes, ended }: SuiteRun): number =>
  haltAtFailure && ended.FAILED + ended.ERROR > 0 ? 0 : maxParallel - lanes.length

/** A part holds a slot of a worker about this long, and as many scenarios at most. */
export const PART_MS = 250
const PART_SCENARIOS = 25

/**
 * Number of scenarios that a lane begins with. One job and one claim for several pay when they are short; of long ones
 * another worker may take the next, and other executions get their turn.
 * @param tookMs of those that have ended just now
 */
export function partSize(run: SuiteRun, tookMs: readonly number[]): number {
  const { haltAtFailure, maxParallel, scenarios, lanes } = run
  if (haltAtFailure || tookMs.length === 0) return 1
  const planned = scenarios - endedScenarios(run) - lanes.flat().length
  const short = Math.floor(PART_MS / Math.max(1, ...tookMs))
  return Math.max(1, Math.min(short, PART_SCENARIOS, Math.ceil(planned / maxParallel)))
}

/** Deals scenarios out to lanes, so that they begin about in their order. */
export const dealt = <Each>(all: readonly Each[], lanes: number): Each[][] =>
  Array.from({ length: Math.min(lanes, all.length) }, (_, lane) =>
    all.filter((_each, at) => at % lanes === lane),
  )

export const withBegun = (run: SuiteRun, lanes: readonly Lane[]): SuiteRun => ({
  ...run,
  lanes: [...run.lanes, ...lanes],
})

/** A scenario of a suite at its end. */
export type EndedMember = Execution & { position: number; state: FinalState; ended: Date }

/** @param end of a scenario that belongs to a suite */
export const endedMember = ({
  execution,
  ending,
  ended,
}: {
  execution: Execution
  ending: Ending
  ended: Date
}): EndedMember => ({ ...execution, ...ending, position: execution.position ?? 0, ended })

export function withEnded(run: SuiteRun, members: readonly EndedMember[]): SuiteRun {
  const ended = { ...run.ended }
  let { quarantined = 0 } = run
  for (const { state, isQuarantined } of members)
    if (isQuarantined && state !== 'COMPLETED') quarantined++
    else ended[state]++
  const gone = new Set(members.map(({ position }) => position))
  const lanes = run.lanes.map((lane) => lane.filter((position) => !gone.has(position)))
  return { ...run, ended, quarantined, lanes: lanes.filter((lane) => lane.length > 0) }
}

const headsOf = ({ lanes }: SuiteRun): Set<number> => new Set(lanes.flatMap(([head]) => head ?? []))

/** The scenarios whose turn has come in their lanes, and since when. */
export function nextInLanes(
  run: SuiteRun,
  members: readonly EndedMember[],
): { position: number; since: Date }[] {
  const heads = headsOf(run)
  return withEnded(run, members).lanes.flatMap((lane) => {
    const [head] = lane
    if (head === undefined || heads.has(head)) return []
    const former = run.lanes.find((each) => each.includes(head))
    const ends = members.filter(({ position }) => former?.includes(position))
    return { position: head, since: new Date(Math.max(...ends.map(({ ended }) => +ended))) }
  })
}

/** A scenario that is skipped as what it needs did not succeed. */
export type UnneededScenario = SkippedScenario & { isQuarantined: boolean }

export function withSkipped(run: SuiteRun, skipped: readonly UnneededScenario[]): SuiteRun {
  if (skipped.length === 0) return run
  const { unneeded = [], missed = 0 } = run
  const more = skipped.map(({ name, reason }) => ({ name, reason }))
  const lost = skipped.filter(({ isQuarantined }) => !isQuarantined)
  return { ...run, unneeded: [...unneeded, ...more], missed: missed + lost.length }
}

/** All that never ran, and why. */
export const skippedScenarios = ({ unneeded = [], skipped = [] }: SuiteRun): SkippedScenario[] => [
  ...unneeded,
  ...skipped.map((name) => ({ name, reason: 'The suite ended before it began' })),
]

/** The log line of a scenario that is skipped. */
export const skippedUpdate = ({ name, reason }: SkippedScenario, now: Date): RunUpdate => ({
  kind: 'LOG',
  lines: [logLine(now, 'WARN', 'Suite', `${name} SKIPPED: ${reason}`)],
})

export const endedScenarios = ({ ended, quarantined = 0 }: SuiteRun): number =>
  ended.COMPLETED + ended.FAILED + ended.ERROR + quarantined

/**
 * The result of a suite of which nothing runs or begins any more (conformance: TX-68). Quarantine excuses a failure, but
 * not that others could not run because of it.
 */
export function endingOf(run: SuiteRun): Pick<Ending, 'state' | 'message' | 'errorCode'> {
  const { FAILED, ERROR } = run.ended
  const { quarantined = 0, missed = 0, cancelled } = run
  if (cancelled !== undefined) return { state: 'ERROR', message: cancelled, errorCode: 'CANCELLED' }
  const skipped = run.scenarios - endedScenarios(run)
  const counts = [
    { of: ERROR, did: 'ended in error' },
    { of: FAILED, did: 'failed' },
    { of: quarantined, did: 'did not succeed in quarantine' },
    { of: skipped, did: 'did not run' },
  ].filter(({ of }) => of > 0)
  const all = ` of ${run.scenarios} ${run.scenarios === 1 ? 'scenario' : 'scenarios'}`
  const message = counts.map(({ of, did }, at) => `${of}${at === 0 ? all : ''} ${did}`).join(', ')
  if (ERROR > 0) return { state: 'ERROR', message, errorCode: 'SCENARIO_ERROR' }
  return { state: FAILED + missed > 0 ? 'FAILED' : 'COMPLETED', message, errorCode: null }
}

type Member = Pick<Execution, 'id' | 'contextName' | 'state' | 'started' | 'ended' | 'message'>

/** Updates for watchers of a suite when one of its scenarios begins or ends: a log line, and the scenario as a step. */
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

/**
 * The same for several, in the order of their times. One that waited in its lane has not been announced when it ends.
 * @param run before these ends
 * @param begun whose turn has come
 */
export function laneUpdates(
  run: SuiteRun,
  ended: readonly EndedMember[],
  begun: readonly Execution[] = [],
): RunUpdate[] {
  const heads = headsOf(run)
  const unannounced = ended
    .filter(({ position }) => !heads.has(position))
    .map((member) => ({ ...member, state: 'RUNNING' as const, ended: null, message: null }))
  return [...unannounced, ...ended, ...begun]
    .toSorted((a, b) => +(a.ended ?? a.started) - +(b.ended ?? b.started))
    .flatMap(memberUpdates)
}
