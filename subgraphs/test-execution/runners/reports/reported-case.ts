import type { StepResult } from '../run-outcome.ts'

/** A test that a tool ran by itself. */
export type ReportedCase = Pick<StepResult, 'name' | 'durationMs' | 'message'> & {
  state: 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'
}
