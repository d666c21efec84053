import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { currentCaller } from '../../../platform/audit/audit.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Artifact } from '../artifacts/artifact.kind.ts'
import { checkCredentials } from '../unattended/owner.repository.ts'
import { ownerFrom, type Unattended, type UnattendedState } from '../unattended/owner.ts'
import { ScheduleStateEntity } from './schedule-state.entity.ts'
import { runTimes, type Timing } from './times.ts'

/** Attributes of a stored schedule. */
export interface Schedule extends Timing, Unattended {
  missed: 'SKIP' | 'ONCE'
  overlap: 'SKIP' | 'QUEUE' | 'CANCEL'
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

const timingOf = (artifact: Artifact): string =>
  JSON.stringify([artifact.cron, artifact.timeZone, artifact.spread, artifact.enabled])

/** Forgets the progress of a schedule that is removed: its id may be used again. */
export async function forgetSchedule(em: Sql, id: string): Promise<void> {
  await sql`delete from test_execution.schedule_state where schedule_id = ${id}`.execute(
    em.getKysely(),
  )
}

/** Progress of a schedule as it is shown. */
export interface ScheduleState extends UnattendedState {
  nextAt: Date | null
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
