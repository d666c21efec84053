import type { MikroORM } from '@mikro-orm/postgresql'
import { type Condition, whereAll } from '../query/language/condition.ts'
import { RawEventEntity, type StoredRawEvent } from '../tables/raw-event.entity.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import type { Position } from './position.ts'

export interface StreamPart {
  rows: StoredRawEvent[]
  /** Where reading goes on. */
  next: Position
  /** `more` can be read at once, `soon` when an older transaction has ended, `nothing` is left. */
  rest: 'more' | 'soon' | 'nothing'
}

/** Reads raw events in the order of commit. */
export class StreamRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /** Behind everything that was committed up to now, apart from what older transactions hold back. */
  async end(): Promise<Position> {
    const [row] = await runSql<{ xact: string }>(
      await poolOf(this.#orm),
      'select pg_snapshot_xmin(pg_current_snapshot())::text as xact',
    )
    return { xact: row?.xact ?? '0', id: '0' }
  }

  /** Whether the transaction can be one of this database, and the day of receipt is still kept. */
  async isKept(xact: string, receivedAt: Date): Promise<boolean> {
    const [row] = await runSql<{ isKnown: boolean; oldest: string }>(
      await poolOf(this.#orm),
      IS_KEPT,
      [xact],
    )
    const day = receivedAt.toISOString().slice(0, 10).replaceAll('-', '')
    return row ? row.isKnown && day >= row.oldest.slice(-8) : false
  }

  /** @param conditions on `raw` */
  async read(
    { xact, id }: Position,
    conditions: readonly Condition[],
    limit: number,
  ): Promise<StreamPart> {
    const bounds: Condition = {
      sql: '(raw.xact, raw.id) > (?::xid8, ?::bigint) and raw.xact < horizon.xmin',
      parameters: [xact, id],
    }
    const where = whereAll([bounds, ...conditions])
    const found = await runSql<{ horizon: string; isHeldBack: boolean; id: string | null }>(
      await poolOf(this.#orm),
      `select horizon.xmin::text as horizon,
         exists (select from events.raw_event as held where held.xact >= horizon.xmin) as "isHeldBack", found.*
       from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) as horizon
       left join lateral (
         select raw.* from events.raw_event as raw ${where.sql} order by raw.xact, raw.id limit ${limit}
       ) as found on true
       order by found.xact, found.id`,
      where.parameters,
    )
    const em = this.#orm.em.fork({ disableTransactions: true })
    const rows = found
      .filter((row) => row.id !== null)
      .map((row) => em.map(RawEventEntity, row) as unknown as StoredRawEvent)
    const last = rows.at(-1)
    if (last && rows.length === limit)
      return { rows, next: { xact: last.xact, id: last.id }, rest: 'more' }
    const [{ horizon, isHeldBack } = { horizon: xact, isHeldBack: false }] = found
    return {
      rows,
      next: { xact: horizon, id: '0' },
      rest: isHeldBack ? 'soon' : 'nothing',
    }
  }
}

const IS_KEPT = `
  select $1::xid8 < pg_snapshot_xmax(pg_current_snapshot()) as "isKnown", min(child.relname) as oldest
  from pg_inherits join pg_class child on child.oid = inhrelid
  where inhparent = 'events.raw_event'::regclass`
