import type { ExecutionEnded } from '../../platform/jobs/execution-ended.ts'
import type { RunUpdate } from '../runners/run-scenario.ts'
import type { ExecutionRow } from './execution.entity.ts'
import type { Ending, Execution, ExecutionStateName, StoredUpdate } from './execution.ts'

/** What the database takes as an id. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The row as the domain sees it, without columns that are loaded on demand. */
export function toExecution(
  row: Omit<ExecutionRow, 'snapshot' | 'credentials' | 'captures'>,
): Execution {
  const { id, type, contextId, contextName, state, attempt, updateCount, started, executedBy } = row
  const { useCodeCoverage, open, detailsPruned, steps, validationFailures, codeCoverage } = row
  const { ended = null, message = null, errorCode = null, callback = null, requestId } = row
  const { suiteId = null, position = null, suite = null, environmentId = null } = row
  const { labels, revisions, revisionDigest, tries, isQuarantined } = row
  return {
    id,
    type,
    contextId,
    contextName,
    state,
    attempt,
    updateCount,
    started,
    ended,
    message,
    errorCode,
    executedBy,
    useCodeCoverage,
    open,
    callback,
    requestId,
    suiteId,
    position,
    suite,
    detailsPruned,
    labels,
    environmentId,
    revisions,
    revisionDigest,
    steps,
    validationFailures,
    codeCoverage,
    tries,
    isQuarantined,
  }
}

/** The row that says which state an execution is in now. */
export const stateUpdate = ({ id, state, updateCount }: Execution): StoredUpdate => ({
  executionId: id,
  seq: updateCount,
  kind: 'STATE',
  state,
  step: null,
  log: null,
})

/** What a run reported, as rows behind `seq`. */
export const runUpdates = (
  executionId: string,
  seq: number,
  updates: readonly RunUpdate[],
  state: ExecutionStateName = 'RUNNING',
): StoredUpdate[] =>
  updates.map((update, index) => ({
    executionId,
    seq: seq + 1 + index,
    kind: update.kind,
    state,
    step: update.kind === 'STEP' ? update.step : null,
    log: update.kind === 'LOG' ? update.lines : null,
  }))

/** The job that reports an ended execution to the events subgraph. */
export const endedJob = (
  execution: Execution,
  { state, message }: Ending,
  ended: Date,
): ExecutionEnded => ({
  executionId: execution.id,
  requestId: execution.requestId,
  contextId: execution.contextId,
  contextType: execution.type === 'SUITE' ? 'suite' : 'testcase',
  title: execution.contextName,
  message,
  state,
  ended: ended.toISOString(),
})
