import type { MikroORM } from '@mikro-orm/postgresql'
import { inTransaction, runSql } from '../../../platform/database/sql.ts'
import { dropFromSearch, lockSearch } from '../read/index/search.repository.ts'

const DAY_MS = 86_400_000
/** Rows that one statement deletes: more would hold up a checkpoint, and those who wait for their locks. */
const BATCH = 10_000
/** The same of events: the index waits meanwhile. */
const EVENTS_BATCH = 1_000

/** Deletes expired rows of tables without partitions. */
export class RetentionRepository {
  constructor(private readonly orm: MikroORM) {}

  /** Removes the answers to requests whose idempotency key holds no longer. */
  async forgetAnswers(now: Date): Promise<void> {
    await runSql(this.orm.em, FORGET_ANSWERS, [now])
  }

  /** Removes occurrences that were not sent again for long. @returns how many it were */
  forgetKnownOccurrences(now: Date): Promise<number> {
    return this.#forget(FORGET_KNOWN_OCCURRENCES, KNOWN_DAYS, now)
  }

  /** @returns how many it were */
  forgetStatusChanges(days: number, now: Date): Promise<number> {
    return this.#forget(FORGET_STATUS_CHANGES, days, now)
  }

  /** Keeps the latest execution of each event. @returns how many it were */
  forgetExecutions(days: number, now: Date): Promise<number> {
    return this.#forget(FORGET_EXECUTIONS, days, now)
  }

  /** @returns how many it were */
  forgetNotifications(days: number, now: Date): Promise<number> {
    return this.#forget(FORGET_NOTIFICATIONS, days, now)
  }

  /** Removes artifacts that were deleted long ago. @returns how many it were */
  forgetArtifacts(now: Date): Promise<number> {
    return this.#forget(FORGET_ARTIFACTS, LATE_DAYS, now)
  }

  /** Deletes events that nothing has changed since, with all that belongs to them. @returns how many it were */
  async forgetEvents(days: number, now: Date): Promise<number> {
    const before = new Date(now.getTime() - days * DAY_MS)
    for (let all = 0; ; ) {
      const forgotten = await inTransaction(this.orm.em, async (sql) => {
        await lockSearch(sql)
        const events = await runSql<{ id: string }>(sql, FORGET_EVENTS, [before, EVENTS_BATCH])
        const ids = events.map(({ id }) => id)
        for (const table of [
          'status_change',
          'execution_event',
          'imported_event',
          'notification_member',
        ])
          await runSql(sql, `delete from events.${table} where event_id = any ($1)`, [ids])
        await dropFromSearch(sql, ids)
        return ids.length
      })
      all += forgotten
      if (forgotten < EVENTS_BATCH) return all
    }
  }

  async #forget(statement: string, days: number, now: Date): Promise<number> {
    const before = new Date(now.getTime() - days * DAY_MS)
    for (let all = 0; ; ) {
      const rows = await runSql(this.orm.em, statement, [before, BATCH])
      all += rows.length
      if (rows.length < BATCH) return all
    }
  }
}

/** Answers are replayed for 24 hours. */
const FORGET_ANSWERS = `delete from events.answered_request where answered_at < $1::timestamptz - interval '24 hours'`

/** Longer than any sender waits between repeats. */
const KNOWN_DAYS = 30

/** $1: sent before when; $2: how many at most. */
const FORGET_KNOWN_OCCURRENCES = `
  delete from events.known_occurrence where key = any (array(
    select key from events.known_occurrence where sent_at < $1 limit $2))
  returning key`

/** $1: changed before when; $2: how many at most. */
const FORGET_STATUS_CHANGES = `
  delete from events.status_change where ctid = any (array(
    select ctid from events.status_change where at < $1 limit $2))
  returning id`

const FORGET_NOTIFICATIONS = `
  delete from events.notification where id = any (array(
    select id from events.notification where created < $1 and state <> 'PENDING' limit $2))
  returning id`

/** The queue keeps the job of a change for 14 days, so no late one comes any more. */
const LATE_DAYS = 30

/** $1: changed before when; $2: how many at most. A silence whose end is not taken in yet stays. */
const FORGET_ARTIFACTS = `
  delete from events.forwarded_artifact where ctid = any (array(
    select ctid from events.forwarded_artifact
    where is_deleted and not is_active and to_timestamp(at / 1e6) < $1 limit $2))
  returning id`

/** $1: caused before when; $2: how many at most. */
const FORGET_EXECUTIONS = `
  delete from events.execution_event where ctid = any (array(
    select link.ctid from events.execution_event as link where at < $1 and not exists (
      select from events.event where event.id = link.event_id and event.execution_id = link.execution_id)
    limit $2))
  returning event_id`

/** $1: changed before when; $2: how many at most. An event that is counted meanwhile stays. */
const FORGET_EVENTS = `
  delete from events.event where last_updated_at < $1 and id = any (array(
    select event.id from events.event_seen as seen join events.event on event.id = seen.event_id
    where seen.last_seen_at < $1 and event.last_updated_at < $1 limit $2))
  returning id::text`
