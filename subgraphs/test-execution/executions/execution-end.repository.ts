import type { EntityManager } from '@mikro-orm/postgresql'
import { EXECUTION_ENDED } from '../../shared/execution-ended.ts'
import type { Jobs } from '../../shared/jobs.ts'
import { promiseCallback } from '../callbacks/callback-promise.repository.ts'
import type { RunUpdate } from '../runners/run-scenario.ts'
import { endedJob, runUpdates, stateUpdate } from './execution.rows.ts'
import type { Ending, Execution } from './execution.ts'
import { advanceToEnd, insertUpdates } from './progress.repository.ts'

/**
 * Ends an execution inside the transaction of `em`: final state, last updates, and the jobs that make it an event and
 * call its URL. Deletes data that only the run needed.
 * @param updates of the run, not yet appended
 * @returns false when the execution has ended, or is no longer this attempt's
 */
export async function writeEnd(
  em: EntityManager,
  jobs: Jobs,
  execution: Execution,
  ending: Ending,
  ended: Date,
  updates: readonly RunUpdate[],
): Promise<boolean> {
  const { id, callback, contextName } = execution
  // The run has taken secrets out of the name.
  const end = { ...ending, contextName, ended }
  const updateCount = await advanceToEnd(em, execution, updates.length + 1, end)
  if (updateCount === null) return false
  await insertUpdates(em, [
    ...runUpdates(id, updateCount - updates.length - 1, updates),
    stateUpdate({ ...execution, state: ending.state, updateCount }),
  ])
  await jobs.enqueue(em, EXECUTION_ENDED.name, endedJob(execution, ending, ended))
  if (callback) await promiseCallback(em, jobs, id, callback, ended)
  return true
}
