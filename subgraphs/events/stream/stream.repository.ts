import type { MikroORM } from '@mikro-orm/postgresql'
import type { HorizonRepository } from '../../shared/position/horizon.repository.ts'
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

/** Reads raw events in the order of their positions, up to the horizon. */
export class StreamRepository {
  readonly #orm: MikroORM
  readonly #horizon: Pick<HorizonRepository, 'read'>

  constructor(orm: MikroORM, horizon: Pick<HorizonRepository, 'read'>) {
    this.#orm = orm
    this.#horizon = horizon
  }

  /** Behind everything that was committed up to now, apart from what older transactions hold back. */
  async end(): Promise<Position> {
    const { complete } = await this.#horizon.read()
    const [row] = await runSql<{ id: string | null }>(await poolOf(this.#orm), FIND_LAST, [
      '0',
      complete,
    ])
    return { id: row?.id ?? '0', readUpTo: complete }
  }

  /** Whether a raw event is still there. @param receivedAt in whole milliseconds; null: at any time */
  async isKept(id: string, receivedAt: Date | null = null): Promise<boolean> {
    const rows = await runSql(await poolOf(this.#orm), FIND, [id, receivedAt])
    return rows.length > 0
  }

  /** @param conditions on `raw` */
  async read(
    { id, readUpTo }: Position,
    conditions: readonly Condition[],
    limit: number,
  ): Promise<StreamPart> {
    const { complete, isHeldBack } = await this.#horizon.read()
    const rest = isHeldBack ? 'soon' : 'nothing'
    if (complete === readUpTo) return { rows: [], next: { id, readUpTo }, rest }
    const bounds: Condition = {
      sql: 'raw.id > ?::bigint and raw.id <= ?::bigint',
      parameters: [id, complete],
    }
    const where = whereAll([bounds, ...conditions])
    const found = await runSql<{ lastId: string | null; id: string | null }>(
      await poolOf(this.#orm),
      `select stored.id as "lastId", found.*
       from (${FIND_LAST}) as stored
       left join lateral (
         select raw.* from events.raw_event as raw ${where.sql} order by raw.id limit ${limit}
       ) as found on stored.id is not null
       order by found.id`,
      where.parameters,
    )
    const em = this.#orm.em.fork({ disableTransactions: true })
    const rows = found
      .filter((row) => row.id !== null)
      .map((row) => em.map(RawEventEntity, row) as unknown as StoredRawEvent)
    const last = rows.at(-1)
    if (last && rows.length === limit)
      return { rows, next: { id: last.id, readUpTo: null }, rest: 'more' }
    // Behind a stored row, not at the horizon: after a crash the database may draw the numbers of lost rows again.
    return { rows, next: { id: found[0]?.lastId ?? id, readUpTo: complete }, rest }
  }
}

/** $1: behind which id, $2: up to which one. */
const FIND_LAST =
  'select max(id)::text as id from events.raw_event where id > $1::bigint and id <= $2::bigint'

const FIND = `
  select from events.raw_event
  where id = $1::bigint and ($2::timestamptz is null or date_trunc('milliseconds', received_at) = $2)`
