import { defineEntity, p } from '@mikro-orm/core'
import type { Owner } from '../unattended/owner.ts'

/** Progress of a schedule. Its artifact says what it is to do. */
export const ScheduleStateEntity = defineEntity({
  name: 'ScheduleState',
  tableName: 'schedule_state',
  properties: {
    scheduleId: p.string().primary(),
    /** Its next run; null while it is not enabled. A run is started under it: see `advance`. */
    nextAt: p.datetime(3).nullable(),
    owner: p.json<Owner>(),
    /** When a process last saw that the run is due. */
    noticedAt: p.datetime(3).nullable(),
    /** True if no process saw that for too long. */
    missed: p.boolean().default(false),
    /** Until when one process has the run. */
    claimedUntil: p.datetime(3).nullable(),
    lastRunAt: p.datetime(3).nullable(),
    lastResultId: p.uuid().nullable(),
    /** Why the last run that was tried started nothing; null where it did. An event is open meanwhile. */
    failure: p.text().nullable(),
    /** Why the last time was left out, as `missed` and `overlap` say; null where it was not. */
    skipped: p.text().nullable(),
  },
  indexes: [
    {
      name: 'schedule_state_next_at_index',
      expression:
        'create index "schedule_state_next_at_index" on "test_execution"."schedule_state" ("next_at") where next_at is not null',
    },
  ],
})

/** Has a row while no schedule runs: a restore inserts one. */
export const ScheduleHoldEntity = defineEntity({
  name: 'ScheduleHold',
  tableName: 'schedule_hold',
  properties: {
    reason: p.text().primary(),
    since: p.datetime(3),
  },
})
