import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS, WAIT_SECONDS } from '../../../platform/jobs/jobs.ts'

/** One attempt to deliver a notification. */
export interface NotificationJob {
  notificationId: string
  /** Number of this attempt, from 1; a job whose attempt was made already does nothing. */
  attempt: number
}

/** Each attempt is a job of its own, as those of callbacks are. */
export const NOTIFICATION: Queue = {
  name: 'notification',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: WAIT_SECONDS,
  expireInSeconds: 120,
}

/** Ends notifications without a job. */
export const LOST_NOTIFICATIONS: Queue = {
  name: 'lost-notifications',
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 300,
}
