import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS } from '../../shared/jobs.ts'

export interface ExecuteJob {
  executionId: string
  /** Of the request that asked for the execution. */
  requestId: string
}

/** Receives the executions whose worker was lost for the second time. */
export const EXECUTION_LOST: Queue = { name: 'execution-lost', retryLimit: 1_000, retryDelay: 1 }

/** Deletes details of executions; one at a time, as the next is due anyway. */
export const PRUNE_DETAILS: Queue = {
  name: 'prune-details',
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 3_600,
}

/** One job an execution. A lost worker is noticed by its heartbeat; then it runs once more. */
export const EXECUTE: Queue = {
  name: 'execute',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1,
  retryDelay: 0,
  expireInSeconds: 23 * 3600,
  deadLetter: EXECUTION_LOST.name,
}
