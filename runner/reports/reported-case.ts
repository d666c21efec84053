import type { ReportedTest, ReportedTry } from '../../formats/junit/reported-test.ts'

/** A test that a tool ran by itself. */
export interface ReportedCase
  extends Pick<ReportedTest, 'name' | 'state' | 'message' | 'started' | 'log' | 'files'> {
  /** Null where the report has none that can be. */
  durationMs: number | null
  /** Before the last one, in order. */
  tries: ReportedTry[]
}
