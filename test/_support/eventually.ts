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
