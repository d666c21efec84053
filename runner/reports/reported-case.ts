import type { StepResult } from '../run/outcome.ts'

/** A test that a tool ran by itself. */
export type ReportedCase = Pick<StepResult, 'name' | 'durationMs' | 'message' | 'tries'> & {
  state: 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'
  /** Its output, and texts and stacks of its faults. */
  log: string
  /** Paths of files, as the report has them. */
  files: readonly string[]
}
