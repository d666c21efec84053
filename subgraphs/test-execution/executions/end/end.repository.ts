import { EXECUTION_ENDED } from '../../../../platform/jobs/execution-ended.ts'
import type { RunUpdate } from '../../../../runner/run/run-scenario.ts'
import {
  type JobTransaction,
  promiseCallback,
} from '../../callbacks/callback-promise.repository.ts'
import { causeOf } from '../causes/cause.ts'
import type { Execution } from '../execution.entity.ts'
import { endedJob, runUpdates, stateUpdate } from '../execution.rows.ts'
import type { Ending } from '../execution.ts'
import { advanceToEnd, insertUpdates } from '../run/progress.repository.ts'

/** End of an execution. */
export interface End {
  /** As its run knows it: the run may have taken secrets out of the name. */
  execution: Execution
  ending: Ending
  ended: Date
  /** Updates of the run, not yet appended. */
  updates: readonly RunUpdate[]
}

/** Nothing ends before it began. */
export const laterOf = (one: Date, other: Date): Date => (one < other ? other : one)

/**
 * Ends executions inside a transaction: final state, last updates, and the jobs that make each an event, unless it was
 * a try or was cancelled (it has no verdict), and call its URL. Deletes data that only the runs needed.
 * @returns those that have ended now, without those that had ended or are no longer this attempt's
 */
export async function writeEnds(
  transaction: JobTransaction,
  given: readonly End[],
): Promise<End[]> {
  const { em, jobs } = transaction
  // A cancel may have waited for the transaction that began an execution, and clocks of processes differ.
  const ends = given.map((end) => ({ ...end, ended: laterOf(end.ended, end.execution.started) }))
  const counts = await advanceToEnd(
    em,
    ends.map(({ execution, ending, ended, updates }) => {
      const { id, attempt, contextName, started } = execution
      return {
        ...ending,
        ...{ id, attempt, contextName, started, ended },
        cause: causeOf(execution, ending),
        updates: updates.length + 1,
      }
    }),
  )
  const written = ends.filter(({ execution }) => counts.has(execution.id))
  if (written.length === 0) return []
  await insertUpdates(
    em,
    written.flatMap(({ execution, ending: { state }, updates }) => {
      const updateCount = counts.get(execution.id) ?? 0
      return [
        ...runUpdates(execution.id, updateCount - updates.length - 1, updates),
        stateUpdate({ ...execution, state, updateCount }),
      ]
    }),
  )
  await jobs.enqueueAll(
    em,
    EXECUTION_ENDED.name,
    written
      .filter(
        ({ execution, ending }) =>
          execution.startedBy !== 'EDITOR' && ending.errorCode !== 'CANCELLED',
      )
      .map(({ execution, ending, ended }) => endedJob(execution, ending, ended)),
  )
  for (const { execution, ended } of written)
    if (execution.callback)
      await promiseCallback(transaction, execution.id, execution.callback, ended)
  return written
}
