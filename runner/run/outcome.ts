import type { ReportedTry } from '../../formats/junit/reported-test.ts'
import type { CodeCoverage } from '../coverage/line-coverage.ts'
import type { AssertName } from '../expectations/asserts.ts'
import type { Attachment } from './attachment.ts'
import type { RunError, RunErrorCode } from './error.ts'
import type { Exchange, StepCall } from './evidence.ts'

export interface StepResult {
  /** Its id in the scenario; for a row of the dataset `row[0]`, for what a tool reported `test[0]`. */
  id: string
  /** The ids from the outermost step to this one, with slashes between them: unique in the execution. */
  path?: string
  name: string
  /** `call`, `http`, …; `row` for a row of the dataset, `test` for what a tool reported. */
  kind?: string
  /** From 0; null outside of a dataset. */
  datasetRow?: number | null
  state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'
  started: Date
  ended: Date | null
  durationMs: number | null
  message: string | null
  /** Why it is an ERROR; absent where that does not count, as of an optional step. */
  errorCode?: RunErrorCode
  /** True if its failure changes nothing else; absent where it does, and while it runs. */
  isOptional?: boolean
  /** Number of tries. */
  attempts?: number
  /** Tries before the last one of a test that a tool reported. */
  tries?: ReportedTry[]
  /** Its last request and the response. */
  exchange?: Exchange
  /** Its last call of a component. */
  call?: StepCall
  captures?: Record<string, unknown>
  /** Files that it left. */
  attachments?: Attachment[]
}

/** One expectation that was not met, as clients read it. */
export interface ValidationFailure {
  name: string
  message: string
  stepId: string
  /** Path of a test that a tool reported, whose id several steps may have; absent where an older version stored it. */
  stepPath?: string
  path: string
  /** `test` where a tool reported that a test failed. */
  assert: AssertName | 'negative' | 'test'
  expectedValue: unknown
  actualValue: unknown
  datasetRow: number | null
}

/** Update of a run while it goes on: a step that changed, or new log lines. */
export type RunUpdate = { kind: 'STEP'; step: StepResult } | { kind: 'LOG'; lines: string[] }

/** Outcome of some steps. */
export interface Outcome {
  failures: ValidationFailure[]
  /** Why it is ERROR. */
  fault: RunError | null
}

/** End of a run. Everything in it but the captures is masked and can be stored as it is. */
export interface RunOutcome {
  /** Name of the scenario. */
  name: string
  state: 'COMPLETED' | 'FAILED' | 'ERROR'
  /** Empty on success. */
  message: string
  /** Why the state is ERROR; null otherwise. */
  errorCode: RunErrorCode | null
  steps: StepResult[]
  validationFailures: ValidationFailure[]
  /** Empty when not asked for, or when nothing was measured. */
  codeCoverage: CodeCoverage[]
  log: string
  /** Captures of its steps outside of a dataset, in clear. */
  captures: Readonly<Record<string, unknown>>
}
