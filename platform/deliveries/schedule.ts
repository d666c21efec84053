import { retryAfterMs } from '../../formats/retry-after.ts'
import type { DeliveryAttempt, DeliveryStep, Tried } from './delivery.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds to wait after each failed attempt; after the last one a delivery is dead. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  8 * HOUR,
]

/** Waiting times differ by up to this part, so that receivers are not met by everything at once. */
const JITTER = 0.1

/** 410: the receiver is gone for good. */
const GONE = 410

/** 429 and 503: receivers that say when they take requests again. */
const WAITS: readonly (number | null)[] = [429, 503]
/** Longest time that a receiver may add to the schedule. */
const MAX_ADDED_MS = HOUR

export interface Retries extends Omit<Tried, 'attempt'> {
  /** Milliseconds until each. */
  schedule?: readonly number[] | undefined
  /** Between 0 and 1. */
  random?: number
}

/**
 * Next step after an attempt.
 * @param failedBefore attempts of this round that failed before
 */
export function stepAfter(
  { status }: Pick<DeliveryAttempt, 'status'>,
  failedBefore: number,
  now: Date,
  { schedule = RETRY_AFTER_MS, random = Math.random(), retryAfter = '', isFinal }: Retries = {},
): DeliveryStep {
  if (status !== null && status >= 200 && status < 300)
    return { state: 'DELIVERED', nextAttemptAt: null }
  if (status === GONE) return { state: 'GIVEN_UP', nextAttemptAt: null }
  const waitMs = schedule[failedBefore]
  if (waitMs === undefined || isFinal) return { state: 'DEAD', nextAttemptAt: null }
  const jittered = waitMs * (1 + JITTER * (2 * random - 1))
  const asked = WAITS.includes(status) ? retryAfterMs(retryAfter, now.getTime()) : 0
  const delayMs = Math.max(jittered, Math.min(asked, waitMs + MAX_ADDED_MS))
  return { state: 'PENDING', nextAttemptAt: new Date(now.getTime() + delayMs) }
}
