export type TestState = 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'

/** All that a report says of a test. */
export interface ReportedTest {
  /** Tells it apart in its report. */
  name: string
  /** The same without its class. */
  title: string
  state: TestState
  /** Message of all its faults; empty where it succeeded. */
  message: string
  /** NaN where the report has no number. */
  durationMs: number
  /** ISO 8601; null where the report has no time. */
  started: string | null
  /** Output of the test and its suite, then texts and stacks of its faults. */
  log: string
  /** Paths of files, as the report has them. */
  files: readonly string[]
  /** Before the last one, in order. */
  tries: readonly ReportedTry[]
}

export interface ReportedTry {
  state: 'FAILED' | 'ERROR'
  message: string
  started: string | null
  durationMs: number
}

export interface Report {
  tests: ReportedTest[]
  /** Contradictions in the report. */
  warnings: string[]
}

export interface ReportOptions {
  /** Zone of times without an offset; UTC if absent. */
  zone?: string
  /** Tests of one name are tries of one, also of tools that may mean rows of data. */
  reruns?: boolean
}
