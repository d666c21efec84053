import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { currentCaller } from '../../../platform/audit/audit.ts'
import { inTransaction, type Sql } from '../../../platform/database/sql.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { OWN_EVENT } from '../../../platform/jobs/own-event.ts'
import type { Artifact, SealedValues } from '../artifacts/artifact.kind.ts'
import { checkCredentials } from '../unattended/owner.repository.ts'
import { type Owner, ownerFrom, type UnattendedState } from '../unattended/owner.ts'
import { eventOf } from '../unattended/unattended-event.ts'
import { HOUR_MS } from './decide.ts'
import type { Trigger } from './trigger.ts'
import { TriggerStateEntity } from './trigger-state.entity.ts'

export interface StoredTrigger {
  id: string
  name: string
  trigger: Trigger
  owner: Owner
  sealed: SealedValues
}

/** Knowledge of one change or request. */
export interface KnownStart {
  /** Its result if it started one, null if it was refused; undefined if it was not judged yet. */
  resultId: string | null | undefined
  chain: readonly string[]
  started: readonly Date[]
}

/** Another has started it meanwhile, or its last start of the hour; or the trigger is gone. */
export class StartTaken extends Error {
  constructor() {
    super('The start of a trigger was taken')
  }
}

/** Longer than a change is retried. */
const KEPT_MS = 7 * 86_400_000

/**
 * Takes over who has stored a trigger, in that transaction: its executions have the rights of that account.
 * @throws AppError FORBIDDEN without `executions:run`; BAD_USER_INPUT where its executions would be refused
 */
export async function storeTrigger(em: Sql, artifact: Artifact): Promise<void> {
  const owner = ownerFrom(currentCaller())
  const trigger = artifact as unknown as Artifact & Trigger // of its kind
  if (trigger.enabled) await checkCredentials(em, trigger)
  await sql`
    insert into test_execution.trigger_state (trigger_id, owner)
    values (${artifact.id}, ${JSON.stringify(owner)}::jsonb)
    on conflict (trigger_id) do update set owner = excluded.owner`.execute(em.getKysely())
}

/** Forgets the progress of a trigger that is removed: its id may be used again. */
export async function forgetTrigger(em: Sql, id: string): Promise<void> {
  for (const table of ['trigger_state', 'trigger_start'])
    await sql`delete from ${sql.table(`test_execution.${table}`)} where trigger_id = ${id}`.execute(
      em.getKysely(),
    )
}

/** Progress of triggers. Each start is written in the transaction that accepts its execution. */
export class TriggerRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Pick<Jobs, 'enqueue'>,
  ) {}

  /** @param name or id, which comes first */
  async find(name: string): Promise<StoredTrigger | undefined> {
    const { rows } = await sql<StoredTrigger>`
      select id, name, fields as trigger, owner, sealed from test_execution.artifact
      join test_execution.trigger_state on trigger_id = id
      where kind = 'trigger' and (id = ${name} or name = ${name})
      order by (id = ${name}) desc limit 1`.execute(this.em.fork().getKysely())
    return rows[0]
  }

  /** @param executionId whose end the change is, if any; a scenario of a suite follows from what started the suite */
  async known(id: string, key: string, executionId: string | null, now: Date): Promise<KnownStart> {
    const kysely = this.em.fork().getKysely()
    const { rows } = await sql<{ key: string; resultId: string | null; at: Date | string }>`
      select key, result_id as "resultId", at from test_execution.trigger_start
      where trigger_id = ${id} and (key = ${key} or at > ${new Date(+now - HOUR_MS)} and result_id is not null)
      order by at`.execute(kysely)
    const causes = executionId
      ? await sql<{ chain: string[] }>`
          select chain from test_execution.trigger_start where result_id = ${executionId}
            or result_id = (select suite_id from test_execution.execution where id = ${executionId})`.execute(
          kysely,
        )
      : { rows: [] }
    return {
      resultId: rows.find((row) => row.key === key)?.resultId,
      chain: causes.rows.flatMap(({ chain }) => chain),
      started: rows.filter(({ resultId }) => resultId !== null).map(({ at }) => new Date(at)),
    }
  }

  /** Writes a start in the transaction that accepts its execution. @throws StartTaken */
  async record(
    em: Sql,
    { id, name, trigger: { perHour } }: StoredTrigger,
    { key, chain }: { key: string; chain: readonly string[] },
    now: Date,
    resultId: string,
  ): Promise<void> {
    const kysely = em.getKysely()
    const failure = await lockState(em, id)
    const { numAffectedRows } = await sql`
      insert into test_execution.trigger_start (trigger_id, key, at, result_id, chain)
      select ${id}, ${key}, ${now}, ${resultId}::uuid, ${JSON.stringify([...chain, id])}::jsonb
      where ${perHour} > (select count(*) from test_execution.trigger_start
        where trigger_id = ${id} and result_id is not null and at > ${new Date(+now - HOUR_MS)})
      on conflict do nothing`.execute(kysely)
    if (numAffectedRows === 0n) throw new StartTaken()
    await sql`
      update test_execution.trigger_state
      set last_run_at = ${now}, last_result_id = ${resultId}, failure = null
      where trigger_id = ${id}`.execute(kysely)
    await sql`
      delete from test_execution.trigger_start
      where trigger_id = ${id} and at < ${new Date(+now - KEPT_MS)}`.execute(kysely)
    if (failure !== null)
      await this.jobs.enqueue(em, OWN_EVENT.name, eventOf('trigger', { id, name }, key, now, null))
  }

  /**
   * Says why nothing was started, and counts it by an event.
   * @param isFinal false where the sender may repeat the request
   */
  async refuse(
    { id, name }: StoredTrigger,
    { key, isFinal }: { key: string; isFinal: boolean },
    now: Date,
    failure: string,
  ): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const kysely = em.getKysely()
      await lockState(em, id)
      if (isFinal) {
        const { numAffectedRows } = await sql`
          insert into test_execution.trigger_start (trigger_id, key, at, chain)
          values (${id}, ${key}, ${now}, '[]') on conflict do nothing`.execute(kysely)
        if (numAffectedRows === 0n) return
      }
      await sql`
        update test_execution.trigger_state set failure = ${failure}
        where trigger_id = ${id}`.execute(kysely)
      const run = isFinal ? key : `${key} ${now.toISOString()}`
      await this.jobs.enqueue(
        em,
        OWN_EVENT.name,
        eventOf('trigger', { id, name }, run, now, failure),
      )
    })
  }

  async findAll(ids: readonly string[]): Promise<Map<string, UnattendedState>> {
    const rows = await this.em
      .fork()
      .find(TriggerStateEntity, { triggerId: { $in: [...ids] } }, { disableIdentityMap: true })
    return new Map(
      rows.map(({ triggerId, owner, lastRunAt = null, lastResultId = null, failure = null }) => [
        triggerId,
        { owner, lastRunAt, lastResultId, failure },
      ]),
    )
  }
}

/** @returns the failure that is shown @throws StartTaken for a trigger that is deleted */
async function lockState(em: Sql, id: string): Promise<string | null> {
  const { rows } = await sql<{ failure: string | null }>`
    select failure from test_execution.trigger_state where trigger_id = ${id} for update`.execute(
    em.getKysely(),
  )
  if (!rows[0]) throw new StartTaken()
  return rows[0].failure
}
