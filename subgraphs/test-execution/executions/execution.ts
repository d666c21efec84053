import type { Queue } from 'pg-boss'
import { badInput } from '../../../formats/errors.ts'
import { checkText } from '../../../platform/database/database-text.ts'
import { HEARTBEAT_SECONDS, WAIT_SECONDS } from '../../../platform/jobs/jobs.ts'
import type {
  CodeCoverage,
  RunUpdate,
  StepResult,
  ValidationFailure,
} from '../../../runner/run/run-scenario.ts'

export type ExecutionTypeName = 'TEST' | 'SUITE'
export type ExecutionStateName = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR'
/** The origin of an execution; its members have that of their suite. */
export type StartedByName =
  | 'USER'
  | 'EDITOR'
  | 'FILES'
  | 'SCHEDULE'
  | 'TRIGGER'
  | 'AGAIN'
  | 'IMPORT'
  | 'COMPONENT'
export type FinalState = Exclude<ExecutionStateName, 'RUNNING'>
export type UpdateKindName = 'STATE' | RunUpdate['kind']

/** The scenarios of a suite that one job runs one after the other: positions of those that have not ended. The first one runs. */
export type Lane = readonly number[]

/** Progress of a suite's execution: its rules, and numbers of its scenarios by state. */
export interface SuiteRun {
  haltAtFailure: boolean
  maxParallel: number
  /** All of them. */
  scenarios: number
  lanes: readonly Lane[]
  ended: Readonly<Record<FinalState, number>>
  /** Number in quarantine that did not succeed; they are not among `ended`. */
  quarantined?: number
  /** True if any of them needs another one. */
  hasNeeds?: boolean
  /** Those that were skipped as what they need did not succeed. */
  unneeded?: readonly SkippedScenario[]
  /** Number of these that are not in quarantine themselves. */
  missed?: number
  /** Names of those that never began, in the order of the suite; absent before its end or cancel. */
  skipped?: readonly string[]
  /** Why it was cancelled; then only its teardowns run. */
  cancelled?: string
}

/** A scenario of a suite that never ran. */
export interface SkippedScenario {
  name: string
  reason: string
}

/** A try of an execution that was not its last one. */
export interface EarlierTry
  extends Pick<Ending, 'state' | 'message' | 'errorCode' | 'steps' | 'validationFailures'> {
  started: Date
  ended: Date
}

/** One change, as stored. */
export interface StoredUpdate {
  executionId: string
  seq: number
  kind: UpdateKindName
  state: ExecutionStateName
  step: StepResult | null
  log: string[] | null
}

/** Common reason of failures that are alike. */
export interface Cause {
  /** The fingerprint of what follows: the same for equal failures of any scenario. */
  id: string
  /** An error code, `HTTP_503`, `EXPECTATION`, or `TEST` where a tool reported the failure. */
  fault: string
  /** The place: a host that failed, else a component, else a step by its name; empty without any. */
  step: string
  /** Path and assert; empty where no expectation decided it. */
  expectation: string
  /** Without numbers, ids, times and quoted values. */
  message: string
}

/** The result that ends an execution. */
export interface Ending {
  state: FinalState
  message: string
  errorCode: string | null
  steps: StepResult[]
  validationFailures: ValidationFailure[]
  codeCoverage: CodeCoverage[]
  /** Sealed: what a setup captured for the others of its suite. */
  captures?: string | null
}

/** True if it succeeded only when it was tried again. */
export const isFlaky = ({
  state,
  tries,
}: {
  state: ExecutionStateName
  tries: readonly EarlierTry[]
}): boolean => state === 'COMPLETED' && tries.length > 0

export const isFinal = (state: ExecutionStateName): boolean => state !== 'RUNNING'

/** Pub/sub topic; its messages are ids of executions that changed and have not ended. */
export const EXECUTION_CHANGED = 'execution-changed'

/** Pub/sub topic; its messages are ids of executions that may have ended. */
export const EXECUTION_OVER = 'execution-over'

/** Pub/sub topic; its messages are ids of cancelled executions. */
export const EXECUTION_CANCELLED = 'execution-cancelled'

export interface ExecuteJob {
  executionId: string
  /** Executions of the same suite that follow, one after the other: with the first a part of it. */
  rest?: readonly string[]
  /** Attempts of a former job for these executions. */
  before?: number
  /** The suite that this is a teardown of: it waits for teardowns of scenarios that a cancel cut off. */
  tearsDown?: string
  /** Id of the request that asked for the execution. */
  requestId: string
}

/** @param executions one, or a part of a suite in its order @param of what else the job says */
export function executeJob(
  [first, ...rest]: readonly { id: string }[],
  of: Omit<ExecuteJob, 'executionId' | 'rest'>,
): ExecuteJob {
  if (!first) throw new Error('A job without an execution')
  return {
    ...of,
    executionId: first.id,
    ...(rest.length > 0 && { rest: rest.map(({ id }) => id) }),
  }
}

/** Receives the executions whose worker was lost for the second time. */
export const EXECUTION_LOST: Queue = {
  name: 'execution-lost',
  retryLimit: 1_000,
  retryDelay: 1,
  retentionSeconds: WAIT_SECONDS,
}

/** Deletes details of executions; one at a time, as the next is due anyway. */
export const PRUNE_DETAILS: Queue = {
  name: 'prune-details',
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 3_600,
}

/** A job for each execution, or for a part of a suite. A lost worker is noticed by its heartbeat; then it runs once more. */
export const EXECUTE: Queue = {
  name: 'execute',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1,
  retryDelay: 0,
  retentionSeconds: WAIT_SECONDS,
  expireInSeconds: 23 * 3600,
  deadLetter: EXECUTION_LOST.name,
}

/**
 * From acceptance to end; null while it runs, and where a result cannot carry it: an execution may wait for a worker, or
 * its clock was set, or a report has tests of different months.
 */
export function durationMsOf({ started, ended }: { started: Date; ended: Date | null }) {
  // Earlier versions let a cancel end what began while the cancel waited.
  const ms = ended && Math.max(0, ended.getTime() - started.getTime())
  return ms !== null && ms < 2 ** 31 ? ms : null
}

/** Marks of an execution, such as the number of a build: name → value. */
export type Labels = Readonly<Record<string, string>>

export interface Label {
  name: string
  value: string
}

/** Labels of one execution. */
const MAX_LABELS = 20
/** Characters of a value. */
const MAX_LABEL_VALUE = 255

const LABEL_NAME = /^[A-Za-z0-9._/-]{1,63}$/

/** @throws AppError BAD_USER_INPUT that names the label */
export function readLabels(labels: readonly Label[]): Labels {
  const read = new Map<string, string>()
  for (const { name, value } of labels) {
    const shown = JSON.stringify(name.slice(0, 100))
    if (!LABEL_NAME.test(name))
      throw badInput(`The name of a label is 1 to 63 of A-Za-z0-9._/-, which ${shown} is not`)
    if (value.length > MAX_LABEL_VALUE)
      throw badInput(
        `The label ${shown} has a value of more than ${MAX_LABEL_VALUE} characters (MAX_LABEL_VALUE): shorten it`,
      )
    checkText(`The label ${shown}`, value)
    if (read.has(name)) throw badInput(`The label ${shown} is given twice`)
    read.set(name, value)
  }
  if (read.size > MAX_LABELS)
    throw badInput(
      `An execution has at most ${MAX_LABELS} labels (MAX_LABELS), not ${read.size}: leave some out`,
    )
  return Object.fromEntries([...read].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export const labelList = (labels: Labels): Label[] =>
  Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }))
