import { RunError } from './run-error.ts'

/** What one execution of a scenario may leave behind, so that its result can be read at once. Limits of single steps stand with their kinds. */
export interface RunLimits {
  /** Steps, rows and reported tests, those that were skipped included. */
  steps: number
  /** Bytes of its log. */
  logBytes: number
  /** Characters of what its steps captured, at a time. */
  captured: number
  /** Characters of failures, and of messages of steps. */
  failures: number
  /** Characters of requests, responses and captures that its steps keep; what exceeds it is left out. */
  evidence: number
  /** Requests of steps at a time: each holds up to 1 MiB of an answer until that is judged. Further ones wait. */
  requestsAtOnce: number
}

export const DEFAULT_RUN_LIMITS: RunLimits = {
  steps: 10_000,
  logBytes: 4 * 1024 * 1024,
  captured: 16 * 1024 * 1024,
  failures: 2 * 1024 * 1024,
  evidence: 1024 * 1024,
  requestsAtOnce: 16,
}

/** Counts against the limits. What exceeds one aborts the run with the reason, and its teardown still has its place. */
export function createRunCount({ steps, logBytes, failures, evidence }: RunLimits) {
  const exceeded = new AbortController()
  const end = (code: 'STEP_LIMIT' | 'OUTPUT_LIMIT', message: string) =>
    exceeded.abort(new RunError(code, message))
  let bytes = 0
  let failureLength = 0
  let kept = 0
  return {
    signal: exceeded.signal,
    /** @returns whether it still has its place */
    noteEvidence(size: number): boolean {
      if (kept + size > evidence) return false
      kept += size
      return true
    },
    noteSteps(count: number): void {
      if (count > steps) end('STEP_LIMIT', `The execution has more than ${steps} steps`)
    },
    noteFailure(size: number): void {
      failureLength += size
      if (failureLength > failures)
        end('OUTPUT_LIMIT', `The failures of the execution are larger than ${failures} characters`)
    },
    /** @returns whether the line still has its place */
    noteLine(line: string): boolean {
      bytes += Buffer.byteLength(line)
      if (bytes <= logBytes) return true
      end('OUTPUT_LIMIT', `The log of the execution is larger than ${logBytes} bytes`)
      return false
    },
  }
}

export type RunCount = ReturnType<typeof createRunCount>
