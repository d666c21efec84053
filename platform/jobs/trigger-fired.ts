import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS } from './jobs.ts'

/** The job by which a change of an event starts an execution; written in the transaction that takes the change in. */
export interface TriggerFired {
  triggerId: string
  /** Unique: a change that is delivered twice starts once. */
  change: string
  /** The execution whose end is the change; null for any other. */
  executionId: string | null
  /** JSON of the event. */
  event: string
}

/** Retried while the queue of executions is full, for about 16 hours. */
export const TRIGGER_FIRED: Queue = {
  name: 'trigger-fired',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
}
