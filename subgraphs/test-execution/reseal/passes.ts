import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import type { Secrets } from '../../../platform/secrets.ts'
import { type ResealCounts, reseal } from './reseal.ts'

/** Maximum number of passes: each finds what the product changed during the one before, and three are mostly enough. */
const MAX_PASSES = 10
/** An execution that was planned before a row was resealed is inserted within this time. */
const SETTLE_MS = 5_000

export interface ResealResult {
  /** Nothing that can be read is left under another key. */
  isDone: boolean
  unreadable: Unreadable[]
}

/** A row that no key opens, and why. */
export interface Unreadable {
  column: string
  key: string
  reason: string
}

/** Reseals until two passes, SETTLE_MS apart, find nothing to do. Rows that no key opens are left as they are. */
export async function resealAll(
  client: ClientBase,
  secrets: Secrets,
  report: (pass: number, counts: readonly ResealCounts[]) => unknown,
  settleMs = SETTLE_MS,
): Promise<ResealResult> {
  let isStill = false
  let unreadable: Unreadable[] = []
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const counts = await reseal(client, secrets)
    await report(pass, counts)
    unreadable = counts.flatMap(({ column, unreadable }) =>
      unreadable.map((row) => ({ column, ...row })),
    )
    const wasStill = isStill
    isStill = counts.every(({ resealed, changed }) => resealed + changed === 0)
    if (isStill && wasStill) return { isDone: true, unreadable }
    if (isStill) await delay(settleMs)
  }
  return { isDone: false, unreadable }
}
