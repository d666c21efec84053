import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { badInput } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { currentCaller } from '../../../platform/audit/audit.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Artifact } from '../artifacts/artifact.kind.ts'
import { type ScheduleOwner, ScheduleStateEntity } from './schedule-state.entity.ts'
import { runTimes, type Timing } from './times.ts'

/** Attributes of a stored schedule. */
export interface Schedule extends Timing {
  target: string
  environment?: string
  credentialsFrom?: string
  labels: Readonly<Record<string, string>>
  missed: 'SKIP' | 'ONCE'
  overlap: 'SKIP' | 'QUEUE' | 'CANCEL'
  enabled: boolean
}

/**
 * Sets the next time of a schedule, in the transaction that stores it. Runs have the rights of the caller who stores it.
 * @throws AppError FORBIDDEN without `executions:run`; BAD_USER_INPUT where its runs would be refused
 */
export async function storeSchedule(
  em: Sql,
  artifact: Artifact,
  before: Artifact | null,
): Promise<void> {
  const owner = ownerFrom(currentCaller())
  const schedule = artifact as unknown as Artifact & Schedule // of its kind
  if (schedule.enabled) await checkCredentials(em, schedule)
  const isSame = before !== null && timingOf(before) === timingOf(artifact)
  const next = schedule.enabled ? runTimes(artifact.id, schedule).after(currentTime()) : null
  await sql`
    insert into test_execution.schedule_state as state (schedule_id, next_at, owner)
    values (${artifact.id}, ${next}, ${JSON.stringify(owner)}::jsonb)
    on conflict (schedule_id) do update set owner = excluded.owner,
      next_at = case when ${isSame} then state.next_at else excluded.next_at end,
      noticed_at = case when ${isSame} then state.noticed_at end,
      missed = ${isSame} and state.missed`.execute(em.getKysely())
}

/** Examples that a start loads have no owner: they run once a user stores them. @throws AppError FORBIDDEN */
function ownerFrom(caller: Caller | undefined): ScheduleOwner {
  if (!caller) return { user: null, permissions: [] }
  requirePermission(caller, 'executions:run')
  const { user, subject, account, permissions } = caller
  return { user, permissions, ...(subject && { subject }), ...(account && { account }) }
}

const timingOf = (artifact: Artifact): string =>
  JSON.stringify([artifact.cron, artifact.timeZone, artifact.spread, artifact.enabled])

/** @throws AppError BAD_USER_INPUT where a scenario needs credentials and none are named, or where they are not there */
async function checkCredentials(
  em: Sql,
  { target, environment, credentialsFrom }: Schedule,
): Promise<void> {
  const kysely = em.getKysely()
  if (credentialsFrom !== undefined) {
    const { rows } = await sql`
      select from test_execution.artifact
      where id_space = 'environment' and id = ${environment}
        and fields -> 'secrets' @> ${JSON.stringify([{ name: credentialsFrom }])}::jsonb`.execute(
      kysely,
    )
    if (rows.length === 0)
      throw badInput(
        `credentialsFrom: the environment ${environment} has no secret ${credentialsFrom}`,
      )
    return
  }
  const { rows } = await sql<{ id: string }>`
    with recursive named(id) as (
      select ${target}::text
      union
      select further.id from named
      join test_execution.artifact as artifact on id_space = 'executable' and artifact.id = named.id
      cross join lateral jsonb_array_elements_text(
        coalesce(fields -> 'testCases', '[]') || coalesce(fields -> 'calledTestCases', '[]')
          || coalesce(fields -> 'setup', '[]') || coalesce(fields -> 'teardown', '[]')) as further(id))
    select artifact.id from named
    join test_execution.artifact as artifact on id_space = 'executable' and artifact.id = named.id
    where kind = 'testcase' and fields -> 'allowExecuteWithoutCredentials' is distinct from 'true'
    order by artifact.id limit 1`.execute(kysely)
  const [closed] = rows
  if (closed)
    throw badInput(
      `credentialsFrom: it is missing, and the testcase ${closed.id} needs host credentials; name a secret of the environment that holds them as USER_ID:PASSWORD`,
    )
}

/** Forgets the progress of a schedule that is removed: its id may be used again. */
export async function forgetSchedule(em: Sql, id: string): Promise<void> {
  await sql`delete from test_execution.schedule_state where schedule_id = ${id}`.execute(
    em.getKysely(),
  )
}

/** Progress of a schedule as it is shown. */
export interface ScheduleState {
  nextAt: Date | null
  owner: ScheduleOwner
  lastRunAt: Date | null
  lastResultId: string | null
  /** Why the last time started nothing, be it left out or refused. */
  failure: string | null
}

/** Reads the progress of schedules. */
export class ScheduleStateRepository {
  constructor(private readonly em: EntityManager) {}

  async findAll(ids: readonly string[]): Promise<Map<string, ScheduleState>> {
    const rows = await this.em
      .fork()
      .find(ScheduleStateEntity, { scheduleId: { $in: [...ids] } }, { disableIdentityMap: true })
    return new Map(
      rows.map(({ scheduleId, nextAt = null, lastRunAt = null, lastResultId = null, ...row }) => [
        scheduleId,
        {
          owner: row.owner,
          nextAt,
          lastRunAt,
          lastResultId,
          failure: row.skipped ?? row.failure ?? null,
        },
      ]),
    )
  }
}
