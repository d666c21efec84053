import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS } from './jobs.ts'

/** The job by which the end of an execution becomes an event; written in the transaction that ends it. */
export interface ExecutionEnded {
  executionId: string
  /** Id of the request that asked for the execution. */
  requestId: string
  /** The scenario or suite that was executed. */
  contextId: string
  contextType: 'testcase' | 'suite'
  /** Name of the scenario or suite. */
  title: string
  message: string
  state: 'COMPLETED' | 'FAILED' | 'ERROR'
  /** ISO 8601. */
  ended: string
}

/** Retried until the event is stored: about ten hours with growing pauses. What a lost process took is taken again. */
export const EXECUTION_ENDED: Queue = {
  name: 'execution-ended',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 50,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 900,
}
