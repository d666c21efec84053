import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS, WAIT_SECONDS } from '../../../platform/jobs/jobs.ts'

/** One attempt of one delivery. */
export interface CallbackJob {
  executionId: string
  deliveryId: string
  /** Number of this attempt, from 1; a job whose attempt was made already does nothing. */
  attempt: number
}

/**
 * Each attempt is a job of its own. What is retried here is only what kept an attempt from being made and recorded: a lost
 * worker, or a database that is away.
 */
export const CALLBACK: Queue = {
  name: 'callback',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: WAIT_SECONDS,
  expireInSeconds: 60,
}

/** Ends deliveries without a job; one at a time, as the next is due anyway. */
export const LOST_CALLBACKS: Queue = {
  name: 'lost-callbacks',
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 300,
}
