import type { MikroORM } from '@mikro-orm/postgresql'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'

/** Tables with one partition for each day, in UTC, of the given column. */
const PARTITIONED = {
  raw_event: 'received_at',
  event_minute: 'minute',
  raw_content: 'day',
  raw_number: 'day',
  raw_posting: 'day',
} as const

const DAY_MS = 86_400_000
const DAYS_AHEAD = 7
/** Processes add partitions one after the other. */
const PARTITION_LOCK = 727_402

/** Creates and drops the days of raw events. Attaching a partition does not stop writers. */
export class PartitionRepository {
  constructor(private readonly orm: MikroORM) {}

  /** Makes sure that yesterday, today, the week ahead, and every day that one table has, are there in all of them. */
  ensure(now: Date): Promise<void> {
    return this.#alone(async (sql) => {
      const present = new Set(await partitionNames(sql))
      const days = new Set([...present].map((name) => name.slice(-8)))
      for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++)
        days.add(dayOf(new Date(now.getTime() + ahead * DAY_MS)))
      for (const day of days)
        for (const table of Object.keys(PARTITIONED)) {
          const name = `${table}_${day}`
          if (!present.has(name)) await attach(sql, table, name, dateOf(day))
        }
    })
  }

  /**
   * Drops the partitions of days that ended more than `days` days before `now`, once their events are indexed: the search
   * tables learn of an event by its raw events only.
   * @returns their names
   */
  async dropOlderThan(days: number, now: Date): Promise<string[]> {
    const oldest = dayOf(new Date(now.getTime() - days * DAY_MS))
    const expired = await this.#alone(async (sql) => {
      const [late] = await runSql(sql, FIND_LATE, [dateOf(oldest)])
      return late ? [] : (await partitionNames(sql)).filter((name) => name.slice(-8) < oldest)
    })
    // Each by itself: who holds one table while waiting for the next would deadlock with those who read both.
    for (const name of expired)
      await this.#alone(async (sql) => {
        await runSql(sql, `set local lock_timeout = '5s'`)
        await runSql(sql, `drop table if exists events.${name}`)
      })
    return expired
  }

  #alone<Result>(run: (sql: Sql) => Promise<Result>): Promise<Result> {
    return inTransaction(this.orm.em, async (sql) => {
      await runSql(sql, 'select pg_advisory_xact_lock($1)', [PARTITION_LOCK])
      return run(sql)
    })
  }
}

/** $1: received before when. */
const FIND_LATE = `
  select from events.raw_event
  where id > (select id from events.search_position) and received_at < $1 limit 1`

async function partitionNames(sql: Sql): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    sql,
    `select child.relname as name
     from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = any ($1::regclass[]) order by 1`,
    [Object.keys(PARTITIONED).map((table) => `events.${table}`)],
  )
  return rows.map(({ name }) => name)
}

async function attach(sql: Sql, table: string, name: string, day: Date): Promise<void> {
  const from = day.toISOString().slice(0, 10)
  const to = new Date(day.getTime() + DAY_MS).toISOString().slice(0, 10)
  await runSql(sql, `create table events.${name} (like events.${table} including defaults)`)
  await runSql(
    sql,
    `alter table events.${table} attach partition events.${name}
     for values from ('${from} 00:00:00+00') to ('${to} 00:00:00+00')`,
  )
}

const dateOf = (day: string): Date =>
  new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`)

const dayOf = (date: Date): string => date.toISOString().slice(0, 10).replaceAll('-', '')
