import type { CodeCoverage } from './coverage/line-coverage.ts'
import type { AssertName } from './expectations/asserts.ts'
import type { RunErrorCode } from './run-error.ts'

export interface StepResult {
  id: string
  name: string
  state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'
  started: Date
  ended: Date | null
  durationMs: number | null
  message: string | null
}

/** One expectation that was not met, as clients read it. */
export interface ValidationFailure {
  name: string
  message: string
  stepId: string
  path: string
  assert: AssertName
  expectedValue: unknown
  actualValue: unknown
  datasetRow: number | null
}

/** What a run says while it goes on: a step that changed, or new log lines. */
export type RunUpdate = { kind: 'STEP'; step: StepResult } | { kind: 'LOG'; lines: string[] }

/** How a run ended. Everything in it is masked and can be stored as it is. */
export interface RunOutcome {
  state: 'COMPLETED' | 'FAILED' | 'ERROR'
  /** Empty on success. */
  message: string
  /** Why the state is ERROR; null otherwise. */
  errorCode: RunErrorCode | null
  steps: StepResult[]
  validationFailures: ValidationFailure[]
  /** Empty when not asked for, or when the component was never loaded. */
  codeCoverage: CodeCoverage[]
  log: string
}
