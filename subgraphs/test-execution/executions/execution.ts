import type { CallbackTarget } from '../callbacks/callback.ts'
import type {
  CodeCoverage,
  RunUpdate,
  StepResult,
  ValidationFailure,
} from '../runners/run-scenario.ts'
import type { ArtifactRevision } from './execution.snapshot.ts'
import type { Labels } from './labels.ts'

export type ExecutionTypeName = 'TEST' | 'SUITE'
export type ExecutionStateName = 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR'
export type FinalState = Exclude<ExecutionStateName, 'RUNNING'>
export type UpdateKindName = 'STATE' | RunUpdate['kind']

/** An execution with its result so far. */
export interface Execution {
  id: string
  type: ExecutionTypeName
  contextId: string
  contextName: string
  state: ExecutionStateName
  attempt: number
  updateCount: number
  started: Date
  ended: Date | null
  message: string | null
  errorCode: string | null
  executedBy: string
  useCodeCoverage: boolean
  /** Begun without a sign-in: every caller that knows its id may read it. */
  open: boolean
  /** Receives the end of the execution. */
  callback: CallbackTarget | null
  /** Of the request that asked for it. */
  requestId: string
  /** The execution of a suite that it belongs to, and its place there from 0. */
  suiteId: string | null
  position: number | null
  /** Null for a scenario. */
  suite: SuiteRun | null
  /** Whether steps, log, sources and lines were deleted because of their age. */
  detailsPruned: boolean
  labels: Labels
  /** What it runs in; of a suite only where all of its scenarios run in the same. */
  environmentId: string | null
  /** What it runs, of a suite its own alone; and the same for executions that ran the same. */
  revisions: ArtifactRevision[]
  revisionDigest: string
  steps: StepResult[]
  validationFailures: ValidationFailure[]
  codeCoverage: CodeCoverage[]
  /** Those before the last one, in order. */
  tries: EarlierTry[]
  /** Whether its failure counts for nothing in its suite. */
  isQuarantined: boolean
}

/** The scenarios of a suite that one job runs one after the other: positions of those that have not ended. The first one runs. */
export type Lane = readonly number[]

/** How the execution of a suite goes on: its rules, and how many of its scenarios stand where. */
export interface SuiteRun {
  haltAtFailure: boolean
  maxParallel: number
  /** All of them. */
  scenarios: number
  lanes: readonly Lane[]
  ended: Readonly<Record<FinalState, number>>
  /** How many in quarantine did not succeed; they are not among `ended`. */
  quarantined?: number
  /** Whether any of them needs another one. */
  hasNeeds?: boolean
  /** Those that were skipped as what they need did not succeed. */
  unneeded?: readonly SkippedScenario[]
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

/** Whether it succeeded only when it was tried again. */
export const isFlaky = ({ state, tries }: Pick<Execution, 'state' | 'tries'>): boolean =>
  state === 'COMPLETED' && tries.length > 0

export const isFinal = (state: ExecutionStateName): boolean => state !== 'RUNNING'

/** Pub/sub topic; its messages are ids of executions that changed and have not ended. */
export const EXECUTION_CHANGED = 'execution-changed'

/** Pub/sub topic; its messages are ids of executions that may have ended. */
export const EXECUTION_OVER = 'execution-over'

/** Pub/sub topic; its messages are ids of cancelled executions. */
export const EXECUTION_CANCELLED = 'execution-cancelled'
