import type {
  CodeCoverage,
  RunUpdate,
  ScenarioRun,
  StepResult,
  ValidationFailure,
} from '../runners/run-scenario.ts'

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
  /** Told how it ended. */
  callbackUrl: string | null
  steps: StepResult[]
  validationFailures: ValidationFailure[]
  codeCoverage: CodeCoverage[]
}

/** What an execution runs: fixed when it is accepted, so later edits cannot change it. */
export type ExecutionSnapshot = Pick<ScenarioRun, 'name' | 'component' | 'scenario'>

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

/** Pub/sub topic; its messages are ids of executions that changed. */
export const EXECUTION_CHANGED = 'execution-changed'
