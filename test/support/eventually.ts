import { setTimeout as delay } from 'node:timers/promises'

const PATIENCE_MS = 60_000

/** Pause before the next look (ms): a fifth of the wait so far. Looks take time from what they wait for. */
export const pauseAfter = (waitedMs: number): number => Math.min(Math.max(waitedMs / 5, 10), 250)

/** Tries until it does not throw. @throws what it threw last, after a while */
export async function eventually<Result>(
  look: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const began = performance.now()
  for (;;) {
    try {
      return await look()
    } catch (error) {
      const waitedMs = performance.now() - began
      if (waitedMs > patienceMs) throw error
      await delay(pauseAfter(waitedMs))
    }
  }
}

/**
 * Tries with a time, then with twice as much, and so on, until it does not throw: for what has to come within a time that
 * the test itself sets, on a machine that may be slow. @throws what it threw last, after a while
 */
export async function withTimeEnough<Result>(
  ms: number,
  attempt: (ms: number) => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt(ms)
  } catch (error) {
    if (ms > PATIENCE_MS) throw error
    return withTimeEnough(2 * ms, attempt)
  }
}
