import type { CallbackTarget } from '../callbacks/callback.ts'
import type {
  CodeCoverage,
  RunUpdate,
  StepResult,
  ValidationFailure,
} from '../runners/run-scenario.ts'
import type { ArtifactRevision } from './artifact-revision.ts'
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
  /** Names of those that never began, in the order of the suite; absent before its end. */
  skipped?: readonly string[]
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
}

export const isFinal = (state: ExecutionStateName): boolean => state !== 'RUNNING'

/** Pub/sub topic; its messages are ids of executions that changed and have not ended. */
export const EXECUTION_CHANGED = 'execution-changed'

/** Pub/sub topic; its messages are ids of executions that may have ended. */
export const EXECUTION_OVER = 'execution-over'

/** Pub/sub topic; its messages are ids of cancelled executions. */
export const EXECUTION_CANCELLED = 'execution-cancelled'
