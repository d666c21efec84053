import { type EntityManager, raw } from '@mikro-orm/postgresql'
import { EXECUTION_ENDED } from '../../shared/execution-ended.ts'
import type { Jobs } from '../../shared/jobs.ts'
import { promiseCallback } from '../callbacks/callback-promise.repository.ts'
import type { RunUpdate } from '../runners/run-scenario.ts'
import { ExecutionEntity, ExecutionUpdateEntity } from './execution.entity.ts'
import { endedJob, runUpdates, stateUpdate } from './execution.rows.ts'
import type { Ending, Execution } from './execution.ts'

/**
 * Ends an execution inside the transaction of `em`: final state, last updates, and the jobs that make it an event and
 * tell it. What was needed only to run it goes.
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
  const { id, attempt, callback, contextName } = execution
  // The run has taken secrets out of the name.
  const change = { ...ending, contextName, ended, credentials: null, snapshot: null }
  const updateCount = await advance(em, id, attempt, updates.length + 1, change)
  if (updateCount === null) return false
  await em.insertMany(ExecutionUpdateEntity, [
    ...runUpdates(id, updateCount - updates.length - 1, updates),
    stateUpdate({ ...execution, state: ending.state, updateCount }),
  ])
  await jobs.enqueue(em, EXECUTION_ENDED.name, endedJob(execution, ending, ended))
  if (callback) await promiseCallback(em, jobs, id, callback, ended)
  return true
}

/** Changes the row only while it is RUNNING in this attempt. @returns the new `updateCount`, or null */
export async function advance(
  em: EntityManager,
  id: string,
  attempt: number,
  updates: number,
  change: object,
): Promise<number | null> {
  const taken: { updateCount: number } | null = await em
    .createQueryBuilder(ExecutionEntity)
    .update({ ...change, updateCount: raw('update_count + ?', [updates]) })
    .where({ id, attempt, state: 'RUNNING' })
    .returning('updateCount')
    .execute('get')
  return taken?.updateCount ?? null
}
