import { sizeOf } from '../../formats/json/values.ts'
import type { CoverageSize } from '../coverage/line-coverage.ts'
import type { Scope } from '../scenario/template.ts'
import { RunError } from './error.ts'

/** Limits of the data that one execution of a scenario leaves behind, so that its result can be read at once. Limits of single steps stand with their kinds. */
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
  /** Files, and components, that its coverage names; as all of coverage, once merged. */
  coveredFiles: number
  /** Executable lines of these. */
  coveredLines: number
  /** Characters of their names and sources. */
  coveredText: number
  /** Requests of steps at a time: each holds up to 1 MiB of an answer until that is judged. Further ones wait. */
  requestsAtOnce: number
}

export const DEFAULT_RUN_LIMITS: RunLimits = {
  steps: 10_000,
  logBytes: 4 * 1024 * 1024,
  captured: 16 * 1024 * 1024,
  failures: 2 * 1024 * 1024,
  evidence: 1024 * 1024,
  coveredFiles: 20_000,
  coveredLines: 1_000_000,
  coveredText: 16 * 1024 * 1024,
  requestsAtOnce: 16,
}

/** Counts against the limits. What exceeds one aborts the run with the reason, and its teardown still has its place. */
export function createRunCount(limits: RunLimits) {
  const { steps, logBytes, failures, evidence } = limits
  const exceeded = new AbortController()
  const end = (code: 'STEP_LIMIT' | 'OUTPUT_LIMIT', message: string) =>
    exceeded.abort(new RunError(code, message))
  let bytes = 0
  let failureLength = 0
  let kept = 0
  const covered: CoverageSize = { files: 0, lines: 0, text: 0 }
  return {
    signal: exceeded.signal,
    /** @returns whether it still has its place; of steps that succeeded half of all */
    noteEvidence(size: number, isGood: boolean): boolean {
      if (kept + size > (isGood ? evidence / 2 : evidence)) return false
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
    /** @returns whether what is added still has its place */
    noteCoverage({ files, lines, text }: CoverageSize): boolean {
      const exceeded =
        (covered.files + files > limits.coveredFiles && `${limits.coveredFiles} files`) ||
        (covered.lines + lines > limits.coveredLines && `${limits.coveredLines} lines`) ||
        (covered.text + text > limits.coveredText &&
          `${limits.coveredText} characters of names and sources`)
      if (exceeded) {
        end(
          'OUTPUT_LIMIT',
          `The coverage of the execution has more than ${exceeded}: report fewer files, or execute without coverage`,
        )
        return false
      }
      covered.files += files
      covered.lines += lines
      covered.text += text
      return true
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

/**
 * Captures of an execution's steps that templates can still name.
 * @param max characters of all captures of the execution at a time
 */
export function createCaptures(max: number) {
  const sizes = new WeakMap<Scope['capture'], number>()
  let total = 0
  return {
    /** Adds to what templates can name. @throws RunError CAPTURE_LIMIT */
    keep(captured: Readonly<Record<string, unknown>>, capture: Scope['capture']): void {
      const size = Object.keys(captured).length > 0 ? sizeOf(captured) : 0
      if (total + size > max)
        throw new RunError(
          'CAPTURE_LIMIT',
          `The execution captures more than ${max} characters: capture only the parts that later steps use`,
        )
      total += size
      sizes.set(capture, (sizes.get(capture) ?? 0) + size)
      Object.assign(capture, captured)
    },
    /** A row or a scenario has ended. */
    release(capture: Scope['capture']): void {
      total -= sizes.get(capture) ?? 0
      sizes.delete(capture)
    },
  }
}

export type Captures = ReturnType<typeof createCaptures>

/**
 * Runs work under a signal that also aborts after a time; its reason is always a `RunError`.
 * A `ms` of null sets no limit of its own.
 */
export async function withDeadline<Result>(
  outer: AbortSignal,
  ms: number | null,
  what: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const cancel = () => controller.abort(reasonOf(outer))
  if (outer.aborted) cancel()
  outer.addEventListener('abort', cancel, { once: true })
  const late = () => controller.abort(new RunError('TIMEOUT', `${what} took longer than ${ms} ms`))
  const timer = ms === null ? undefined : setTimeout(late, ms)
  try {
    controller.signal.throwIfAborted()
    return await work(controller.signal)
  } catch (error) {
    // An error of aborted work (an AbortError, say) is not the reason of the abort.
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', cancel)
  }
}

/** Why work was aborted. */
export const reasonOf = ({ reason }: AbortSignal): RunError =>
  reason instanceof RunError ? reason : new RunError('CANCELLED', 'The execution was cancelled')
