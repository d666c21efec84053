import type { Outcome } from './frame.ts'
import { RunError } from './run-error.ts'

/** A `RunError` is how a run may end; anything else is ours and goes on. */
export async function settled(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RunError) return { failures: [], fault: error }
    throw error
  }
}
