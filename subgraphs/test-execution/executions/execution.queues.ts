import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS } from '../../platform/jobs/jobs.ts'

export interface ExecuteJob {
  executionId: string
  /** Executions of the same suite that follow, one after the other: with the first a part of it. */
  rest?: readonly string[]
  /** Attempts of a former job for these executions. */
  before?: number
  /** Of the request that asked for the execution. */
  requestId: string
}

/** @param executions one, or a part of a suite in its order */
export function executeJob(
  [first, ...rest]: readonly { id: string }[],
  requestId: string,
  before = 0,
): ExecuteJob {
  if (!first) throw new Error('A job without an execution')
  return {
    executionId: first.id,
    requestId,
    ...(rest.length > 0 && { rest: rest.map(({ id }) => id) }),
    ...(before > 0 && { before }),
  }
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

/** A job for each execution, or for a part of a suite. A lost worker is noticed by its heartbeat; then it runs once more. */
export const EXECUTE: Queue = {
  name: 'execute',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1,
  retryDelay: 0,
  expireInSeconds: 23 * 3600,
  deadLetter: EXECUTION_LOST.name,
}
