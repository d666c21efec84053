import type { Caller } from '../platform/access/caller.ts'
import {
  CALLER_HEADER,
  type CallerSignature,
  PLANNED_HEADER,
} from '../platform/access/caller-signature.ts'
import type { Introduction } from './federation/index.ts'

/** A token, which lives for a minute, serves all fetches of a request, and those of a stream for a while. */
const REUSE_MS = 20_000

/** Subgraphs of ours verify a token; one WebSocket carries all callers, each operation with its own token. */
export function signedCaller(signature: CallerSignature): Introduction {
  const made = new WeakMap<Caller, { until: number; headers: Promise<Record<string, string>> }>()
  const headersOf = async (caller: Caller) => ({
    [CALLER_HEADER]: await signature.sign(caller),
    [PLANNED_HEADER]: '1',
  })
  return {
    of({ caller }) {
      const known = made.get(caller)
      if (known && performance.now() < known.until) return known.headers
      const headers = headersOf(caller)
      made.set(caller, { until: performance.now() + REUSE_MS, headers })
      return headers
    },
    socketPerCaller: false,
  }
}
