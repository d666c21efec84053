import { setTimeout as delay } from 'node:timers/promises'

const LOOK_MS = 50
const PATIENCE_MS = 60_000

/** Tries until it does not throw. @throws what it threw last, after a while */
export async function eventually<Result>(
  look: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > until) throw error
      await delay(LOOK_MS)
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
