import { randomUUID } from 'node:crypto'
import { AppError, badInput, notFound } from '../../../formats/errors.ts'
import type { Orm } from '../../../platform/database/orm.ts'
import { toRow } from '../../../platform/database/row.ts'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { OWN_EVENT, type OwnEvent } from '../../../platform/jobs/own-event.ts'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type Page } from '../../../platform/paging/page.ts'
import { HeartbeatEntity, type StoredHeartbeat } from './heartbeat.entity.ts'

/** A time between two looks that means that no process was there to receive heartbeats. */
const OUTAGE_MS = 15_000
/** Heartbeats that are found missing in one transaction. */
const AT_ONCE = 500

/** Stores heartbeats. What is decided of one and the job that makes it an event are one transaction. */
export class HeartbeatRepository {
  constructor(
    private readonly orm: Orm,
    private readonly jobs: Pick<Jobs, 'enqueueAll'>,
  ) {}

  /**
   * Takes a heartbeat in.
   * @param every null: as before
   * @param most HEARTBEATS
   */
  record(
    name: string,
    every: { text: string; allowedMs: number } | null,
    now: Date,
    most: number,
  ): Promise<StoredHeartbeat> {
    return inTransaction(
      this.orm.em,
      async (sql) => {
        const known = await this.#lock(sql, name)
        if (!known) await assertRoom(sql, most)
        const text = every?.text ?? known?.every
        const allowedMs = every?.allowedMs ?? known?.allowedMs
        if (!text || !allowedMs)
          throw badInput(
            'every: it is missing; the first heartbeat says when the next one comes, such as 5m',
          )
        const due = new Date(now.getTime() + allowedMs)
        const since = known?.isMissing ? after(known, now) : (known?.since ?? now)
        const stored = await this.#write(sql, UPSERT, [name, text, allowedMs, now, due, since])
        if (known?.isMissing) await this.#note(sql, [stored], 'It is back.')
        return stored
      },
      { isAudited: false },
    )
  }

  /** Stops watching one, or begins anew. @throws AppError NOT_FOUND */
  setPaused(name: string, isPaused: boolean, now: Date): Promise<StoredHeartbeat> {
    return inTransaction(this.orm.em, async (sql) => {
      const known = await this.#locked(sql, name)
      if (known.isPaused === isPaused) return known
      const due = isPaused ? null : new Date(now.getTime() + known.allowedMs)
      const since = known.isMissing ? after(known, now) : known.since
      const stored = await this.#write(sql, PAUSE, [name, isPaused, due, since])
      if (known.isMissing) await this.#note(sql, [stored], 'It was paused.')
      return stored
    })
  }

  /** @throws AppError NOT_FOUND */
  delete(name: string, now: Date): Promise<StoredHeartbeat> {
    return inTransaction(this.orm.em, async (sql) => {
      const known = await this.#locked(sql, name)
      await runSql(sql, DELETE, [name])
      const ended = { ...known, since: after(known, now), isMissing: false }
      if (known.isMissing) await this.#note(sql, [ended], 'It was deleted.')
      return known
    })
  }

  async countMissing(): Promise<number> {
    const [row] = await runSql<{ count: number }>(this.orm.em, COUNT_MISSING)
    return row?.count ?? 0
  }

  /** By name. */
  page(page: Page): Promise<Connection<StoredHeartbeat>> {
    const [from] = page.from ?? []
    const [order, behind] = page.isBackward ? ['desc', '<'] : ['asc', '>']
    return readCounted(this.orm.em, page, async (em) => {
      const rows = await runSql<object>(
        em,
        `select * from events.heartbeat where ($1::text is null or name collate "C" ${behind} $1)
         order by name collate "C" ${order} limit $2`,
        [from ?? null, page.limit + 1],
      )
      return {
        rows: rows.map((row) => this.#toHeartbeat(row)),
        cursorOf: ({ name }) => cursorOf(name),
        count: () => countAll(em),
      }
    })
  }

  /**
   * Opens an event for each that is overdue. After a time without a look it grants all of them their time again, as no
   * process could receive them.
   * @returns when to look again; null while nothing is watched
   */
  look(now: Date): Promise<Date | null> {
    return inTransaction(
      this.orm.em,
      async (sql) => {
        if (!(await nextDue(sql))) return null
        const [watch] = await runSql<{ lookedAt: Date }>(sql, LOCK_WATCH)
        await runSql(sql, LOOK, [now])
        if (!watch || now.getTime() - new Date(watch.lookedAt).getTime() > OUTAGE_MS)
          await runSql(sql, GRANT, [now])
        else {
          const rows = await runSql<object>(sql, MISS, [now, AT_ONCE])
          await this.#note(
            sql,
            rows.map((row) => this.#toHeartbeat(row)),
          )
        }
        return nextDue(sql)
      },
      { isAudited: false },
    )
  }

  /** Makes what became of heartbeats events. @param why they are closed */
  async #note(sql: Sql, heartbeats: readonly StoredHeartbeat[], why = ''): Promise<void> {
    await this.jobs.enqueueAll(
      sql,
      OWN_EVENT.name,
      heartbeats.map((heartbeat) => eventOf(heartbeat, why)),
    )
  }

  async #write(sql: Sql, statement: string, values: unknown[]): Promise<StoredHeartbeat> {
    const [row] = await runSql<object>(sql, statement, values)
    return this.#toHeartbeat(row as object) // it was locked or inserted
  }

  async #lock(sql: Sql, name: string): Promise<StoredHeartbeat | undefined> {
    const [row] = await runSql<object>(sql, LOCK, [name])
    return row && this.#toHeartbeat(row)
  }

  async #locked(sql: Sql, name: string): Promise<StoredHeartbeat> {
    const known = await this.#lock(sql, name)
    if (!known) throw notFound('heartbeat', name)
    return known
  }

  #toHeartbeat(row: object): StoredHeartbeat {
    return toRow(this.orm.em, HeartbeatEntity, row)
  }
}

/** Later than its former event, whichever clock that had: an earlier one would count and change nothing. */
const after = ({ since }: StoredHeartbeat, now: Date): Date =>
  new Date(Math.max(now.getTime(), since.getTime() + 1))

function eventOf(
  { name, every, seenAt, since, isMissing }: StoredHeartbeat,
  why: string,
): OwnEvent {
  const last = `The last one came at ${seenAt.toISOString()}`
  return {
    key: randomUUID(),
    title: `Heartbeat ${name}`,
    message: isMissing ? `It is missing: expected every ${every}. ${last}.` : why,
    severity: isMissing ? 'ERROR' : 'INFO',
    status: isMissing ? 'OPEN' : 'OK',
    eventClass: 'heartbeat',
    source: { ref: name, type: 'heartbeat', name },
    properties: { heartbeat: name },
    createdAt: since.toISOString(),
  }
}

async function assertRoom(sql: Sql, most: number): Promise<void> {
  if ((await countAll(sql)) >= most)
    throw new AppError(
      'CONFLICT',
      `There are ${most} heartbeats already (HEARTBEATS): delete one that is not needed`,
    )
}

async function countAll(sql: Sql): Promise<number> {
  const [row] = await runSql<{ count: number }>(sql, COUNT)
  return row?.count ?? 0
}

async function nextDue(sql: Sql): Promise<Date | null> {
  const [row] = await runSql<{ next: Date | null }>(sql, NEXT)
  return row?.next ? new Date(row.next) : null
}

const LOCK = 'select * from events.heartbeat where name = $1 for update'

const UPSERT = `
  insert into events.heartbeat as stored (name, every, allowed_ms, seen_at, due_at, since, is_missing, is_paused)
  values ($1, $2, $3, $4, $5, $6, false, false)
  on conflict (name) do update set every = excluded.every, allowed_ms = excluded.allowed_ms,
    seen_at = greatest(stored.seen_at, excluded.seen_at), since = excluded.since, is_missing = false,
    due_at = case when stored.is_paused then null else excluded.due_at end
  returning *`

const PAUSE = `
  update events.heartbeat set is_paused = $2, due_at = $3, since = $4, is_missing = false where name = $1 returning *`

const DELETE = 'delete from events.heartbeat where name = $1'

const COUNT = 'select count(*)::int as count from events.heartbeat'

const COUNT_MISSING = 'select count(*)::int as count from events.heartbeat where is_missing'

const NEXT = 'select min(due_at) as next from events.heartbeat'

const LOCK_WATCH = 'select looked_at as "lookedAt" from events.heartbeat_watch for update'

const LOOK = `
  insert into events.heartbeat_watch as watch (is_only, looked_at) values (true, $1)
  on conflict (is_only) do update set looked_at = greatest(watch.looked_at, excluded.looked_at)`

const GRANT = `
  update events.heartbeat set due_at = $1::timestamptz + allowed_ms * interval '1 ms' where due_at <= $1`

const MISS = `
  update events.heartbeat set is_missing = true, due_at = null,
    since = greatest($1::timestamptz, since + interval '1 ms')
  where name in (select name from events.heartbeat where due_at <= $1 order by name limit $2 for update)
  returning *`
