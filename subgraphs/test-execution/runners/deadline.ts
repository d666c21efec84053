import { RunError } from './run-error.ts'

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
    // What work throws when it is aborted (an AbortError, say) is not why it was.
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', cancel)
  }
}

/** Why work was aborted. */
export const reasonOf = ({ reason }: AbortSignal): RunError =>
  reason instanceof RunError ? reason : new RunError('CANCELLED', 'The execution was cancelled')
