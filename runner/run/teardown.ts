import { reasonOf } from './limits.ts'

/** Rule for steps that may still run once a run is cancelled. */
export interface TeardownRule {
  /** Ends teardowns, too. */
  signal: AbortSignal
  /** Resolves with true if teardowns may run. @param isRunning whether one has begun, and goes on unless the answer is no */
  mayRun(isRunning: boolean): Promise<boolean>
}

export const NO_TEARDOWN: TeardownRule = {
  signal: new AbortController().signal,
  mayRun: async () => false,
}

/**
 * Runs a teardown, whether the run is cancelled before or meanwhile.
 * @param run aborted when the run is cancelled
 * @returns null where it may not begin
 */
export async function tearDown<Result>(
  run: AbortSignal,
  { signal, mayRun }: TeardownRule,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  if (run.aborted) return (await mayRun(false)) ? work(signal) : null
  const refused = new AbortController()
  let asked: Promise<void> | null = null
  const ask = async () => {
    if (!(await mayRun(true))) refused.abort(reasonOf(run))
  }
  const onCancel = () => {
    asked = ask()
  }
  run.addEventListener('abort', onCancel, { once: true })
  try {
    return await work(AbortSignal.any([signal, refused.signal]))
  } finally {
    run.removeEventListener('abort', onCancel)
    await asked
  }
}
