import { type EntityManager, raw } from '@mikro-orm/postgresql'
import { EXECUTION_ENDED } from '../../shared/execution-ended.ts'
import type { Jobs } from '../../shared/jobs.ts'
import { promiseCallback } from '../callbacks/callback-promise.repository.ts'
import type { RunUpdate, StepResult } from '../runners/run-scenario.ts'
import { ExecutionEntity, ExecutionUpdateEntity } from './execution.entity.ts'
import { EXECUTE, type ExecuteJob } from './execution.queues.ts'
import { endedJob, runUpdates, stateUpdate, toExecution } from './execution.rows.ts'
import type { Ending, Execution, ExecutionSnapshot, StoredUpdate } from './execution.ts'

/** A claimed execution: what to run, and the attempt that fences its writes. */
export interface Claim {
  execution: Execution
  snapshot: ExecutionSnapshot
  /** Sealed. */
  credentials: string | null
}

/** Storage of executions. What must happen together happens in one transaction. */
export class ExecutionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
  ) {}

  async find(id: string): Promise<Execution | null> {
    const row = UUID.test(id) ? await this.em.fork().findOne(ExecutionEntity, { id }) : null
    return row && toExecution(row)
  }

  /** Accepts an execution: its row, its first update and its job. */
  async accept(
    execution: Execution,
    snapshot: ExecutionSnapshot,
    credentials: string | null,
    requestId: string,
  ): Promise<void> {
    const job: ExecuteJob = { executionId: execution.id, requestId }
    await this.em.fork().transactional(async (em) => {
      await em.insert(ExecutionEntity, { ...execution, snapshot, credentials })
      await em.insert(ExecutionUpdateEntity, stateUpdate(execution))
      await this.jobs.enqueue(em, EXECUTE.name, job)
    })
  }

  /**
   * Takes an execution for its `attempt`-th run and forgets what an earlier run found out.
   * @returns null when it has ended, or when this or a later attempt was already taken
   */
  async claim(id: string, attempt: number): Promise<Claim | null> {
    const em = this.em.fork()
    const taken = await em.nativeUpdate(
      ExecutionEntity,
      { id, state: 'RUNNING', attempt: { $lt: attempt } },
      { attempt, steps: [] },
    )
    if (taken === 0) return null
    const row = await em.findOneOrFail(
      ExecutionEntity,
      { id },
      { populate: ['snapshot', 'credentials'] },
    )
    return {
      execution: toExecution(row),
      snapshot: row.snapshot,
      credentials: row.credentials ?? null,
    }
  }

  /** Appends what a run reports. @returns false when the execution is no longer this attempt's */
  append(
    id: string,
    attempt: number,
    updates: readonly RunUpdate[],
    steps: StepResult[],
  ): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const last = await advance(em, id, attempt, updates.length, { steps })
      if (last === null) return false
      await em.insertMany(ExecutionUpdateEntity, runUpdates(id, last - updates.length, updates))
      return true
    })
  }

  /**
   * Ends an execution: final state, last updates, and the jobs that make it an event and tell it.
   * @param updates of the run, not yet appended @returns as `append`
   */
  finish(
    execution: Execution,
    ending: Ending,
    ended: Date,
    updates: readonly RunUpdate[],
  ): Promise<boolean> {
    const { id, attempt, callbackUrl } = execution
    return this.em.fork().transactional(async (em) => {
      const change = { ...ending, ended, credentials: null }
      const updateCount = await advance(em, id, attempt, updates.length + 1, change)
      if (updateCount === null) return false
      await em.insertMany(ExecutionUpdateEntity, [
        ...runUpdates(id, updateCount - updates.length - 1, updates),
        stateUpdate({ ...execution, state: ending.state, updateCount }),
      ])
      await this.jobs.enqueue(em, EXECUTION_ENDED.name, endedJob(execution, ending, ended))
      if (callbackUrl) await promiseCallback(em, this.jobs, id, callbackUrl, ended)
      return true
    })
  }

  /** At most `limit` updates behind `seq`, in order. */
  async updatesAfter(id: string, seq: number, limit: number): Promise<StoredUpdate[]> {
    const rows = await this.em
      .fork()
      .find(
        ExecutionUpdateEntity,
        { executionId: id, seq: { $gt: seq } },
        { orderBy: { seq: 'asc' }, limit },
      )
    return rows.map(({ step, log, ...row }) => ({ ...row, step: step ?? null, log: log ?? null }))
  }

  /** All log lines so far, in order. */
  async logLines(id: string): Promise<string[]> {
    const rows = await this.em
      .fork()
      .find(ExecutionUpdateEntity, { executionId: id, kind: 'LOG' }, { orderBy: { seq: 'asc' } })
    return rows.flatMap(({ log }) => log ?? [])
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Changes the row only while it is RUNNING in this attempt. @returns the new `updateCount`, or null */
async function advance(
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
