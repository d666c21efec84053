import type { MikroORM } from '@mikro-orm/postgresql'
import { toRow } from '../../../platform/database/row.ts'
import { runSql } from '../../../platform/database/sql.ts'
import { type Condition, whereAll } from '../../../platform/event-query/condition.ts'
import type { Table } from '../../../platform/event-query/fields.ts'
import type { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import type { Part, Placed } from '../../../platform/tail/interest.ts'
import { RawEventEntity, type StoredRawEvent } from '../tables/raw-event.entity.ts'
import { StatusChangeEntity, type StoredStatusChange } from '../tables/status-change.entity.ts'
import { cursorExpired, type StreamPosition } from './position.ts'

/** A change of an event: an occurrence that was counted into it, or a status that a person has set. */
export interface Change extends Placed {
  eventId: string
  at: Date
  occurrence: StoredRawEvent | null
  statusChange: StoredStatusChange | null
}

/** Filter of changes: occurrences alone or all, and conditions on the `raw` event or on the `event`. */
export interface ChangeFilter {
  table: Table
  conditions: readonly Condition[]
}

export const ALL_CHANGES: ChangeFilter = { table: 'event', conditions: [] }

/** Rows of one read. */
const PART = 200

/** Reads changes of events in the order of their positions, up to the horizon. */
export class ChangeRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly horizon: Pick<HorizonRepository, 'read'>,
  ) {}

  /** Behind everything that was committed up to now, apart from what older transactions hold back. */
  async end(): Promise<number> {
    return (await this.last())?.position ?? 0
  }

  /** The last change up to the horizon, so that all that comes after it is read behind it. */
  async last(): Promise<StreamPosition | null> {
    const { complete } = await this.horizon.read()
    const [row] = await runSql<{ position: string; at: Date }>(this.orm.em, FIND_LAST_PLACE, [
      complete,
    ])
    return row ? { position: Number(row.position), at: new Date(row.at) } : null
  }

  /** True if a change is still there. @param place `at` in whole milliseconds; without it: at any time */
  async isKept({ position, at }: { position: number; at?: Date }): Promise<boolean> {
    const rows = await runSql(this.orm.em, FIND, [position, at ?? null])
    return rows.length > 0
  }

  /**
   * The next changes that match.
   * @throws AppError CURSOR_EXPIRED where rows behind the position may be deleted: not while the row is there behind
   *   which the part was read
   */
  async read(after: number, filter: ChangeFilter, limit = PART): Promise<Part<Change>> {
    const { complete, isHeldBack } = await this.horizon.read()
    const rows = await this.#find(after, complete, filter, limit)
    const last = rows.at(-1)
    if (last && rows.length === limit) {
      if (after > 0 && !(await this.isKept({ position: after }))) throw cursorExpired()
      return { rows, next: last.position, rest: 'more' }
    }
    // Behind a stored row, not at the horizon: after a crash the database may draw the numbers of lost rows again.
    const next = filter === ALL_CHANGES ? last?.position : await this.#last(after, complete)
    return { rows, next: next ?? after, rest: isHeldBack ? 'soon' : 'nothing' }
  }

  /** Those of some changes that match. */
  async select(changes: readonly Change[], { table, conditions }: ChangeFilter): Promise<Change[]> {
    const idOf = ({ eventId, occurrence }: Change) => (table === 'raw' ? occurrence?.id : eventId)
    const among = { sql: `${table}.id = any(?)`, parameters: [changes.map(idOf)] }
    const where = whereAll([among, ...conditions])
    const from = table === 'raw' ? 'events.raw_event as raw' : 'events.event as event'
    const rows = await runSql<{ id: string }>(
      this.orm.em,
      `select ${table}.id::text as id from ${from} ${where.sql}`,
      where.parameters,
    )
    const matching = new Set(rows.map(({ id }) => id))
    return changes.filter((change) => matching.has(idOf(change) ?? ''))
  }

  async #find(
    after: number,
    complete: string,
    { table, conditions }: ChangeFilter,
    limit: number,
  ): Promise<Change[]> {
    const find = async (name: string, position: string, from: string) => {
      const bounds: Condition = {
        sql: `${name}.${position} > ?::bigint and ${name}.${position} <= ?::bigint`,
        parameters: [after, complete],
      }
      const where = whereAll([bounds, ...conditions])
      const event =
        table === 'event' && conditions.length > 0
          ? `join events.event as event on event.id = ${name}.event_id`
          : ''
      return runSql<object>(
        this.orm.em,
        `select ${name}.* from ${from} as ${name} ${event} ${where.sql}
         order by ${name}.${position} limit ${limit}`,
        where.parameters,
      )
    }
    const { em } = this.orm
    const occurrences = (await find('raw', 'id', 'events.raw_event')).map((row) =>
      changeOf(toRow(em, RawEventEntity, row)),
    )
    if (table === 'raw') return occurrences
    const statusChanges = (await find('change', 'position', 'events.status_change')).map((row) =>
      statusChangeOf(toRow(em, StatusChangeEntity, row)),
    )
    if (statusChanges.length === 0) return occurrences
    const all = [...occurrences, ...statusChanges].sort((a, b) => a.position - b.position)
    return all.slice(0, limit)
  }

  /** The position of the last change, whether it matches or not. */
  async #last(after: number, complete: string): Promise<number | undefined> {
    const [row] = await runSql<{ last: string | null }>(this.orm.em, FIND_LAST, [after, complete])
    return row?.last == null ? undefined : Number(row.last)
  }
}

const changeOf = (occurrence: StoredRawEvent): Change => ({
  position: Number(occurrence.id),
  eventId: occurrence.eventId,
  at: occurrence.receivedAt,
  occurrence,
  statusChange: null,
})

const statusChangeOf = (statusChange: StoredStatusChange): Change => ({
  position: Number(statusChange.position),
  eventId: statusChange.eventId,
  at: statusChange.at,
  occurrence: null,
  statusChange,
})

export const streamPositionOf = ({ position, at }: Change): StreamPosition => ({ position, at })

/** $1: behind which position, $2: up to which one. */
const FIND_LAST = `
  select greatest(
    (select max(id) from events.raw_event where id > $1::bigint and id <= $2::bigint),
    (select max(position) from events.status_change where position > $1::bigint and position <= $2::bigint))::text as last`

/** $1: up to which position. */
const FIND_LAST_PLACE = `
  select position::text as position, at from (
    (select id as position, received_at as at from events.raw_event
      where id <= $1::bigint order by id desc limit 1)
    union all
    (select position, at from events.status_change
      where position <= $1::bigint order by position desc limit 1)) as last
  order by last.position desc limit 1`

const FIND = `
  select from events.raw_event
  where id = $1::bigint and ($2::timestamptz is null or date_trunc('milliseconds', received_at) = $2)
  union all
  select from events.status_change
  where position = $1::bigint and ($2::timestamptz is null or date_trunc('milliseconds', at) = $2)`
