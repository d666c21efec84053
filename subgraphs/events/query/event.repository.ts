import type { MikroORM } from '@mikro-orm/postgresql'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../shared/paging/page.ts'
import { readList } from '../search/list.repository.ts'
import { ListOrder } from '../search/list-order.ts'
import { planList } from '../search/narrow.repository.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import { poolOf, runSql, type Sql } from '../tables/sql.repository.ts'
import type { Condition } from './language/condition.ts'
import { isUuid } from './uuid.ts'
import { type Within, withinTime } from './within-time.ts'

/** Reads events, newest first. */
export class EventRepository {
  readonly #orm: MikroORM
  readonly #within: Within

  constructor(orm: MikroORM, { queryTimeoutMs } = DEFAULT_SETTINGS) {
    this.#orm = orm
    this.#within = withinTime(orm, queryTimeoutMs)
  }

  /** @param ids anything; what is no event's id finds nothing */
  async findByIds(ids: readonly string[]): Promise<StoredEvent[]> {
    const known = ids.filter(isUuid)
    const select = 'select * from events.event where id = any ($1)'
    return this.#map(await runSql(await poolOf(this.#orm), select, [known]))
  }

  async findPage(page: Page, conditions: readonly Condition[]): Promise<Connection<StoredEvent>> {
    const order = new ListOrder('event', page)
    const planned = (sql: Sql) => planList(sql, order, conditions)
    const { rows, count } = await readList(this.#within, planned, page.limit)
    return connect(page, this.#map(rows), cursorOfEvent, count)
  }

  #map(rows: readonly object[]): StoredEvent[] {
    const em = this.#orm.em.fork({ disableTransactions: true })
    // The ORM knows the columns' types; every column is there, so none of them is undefined.
    return rows.map((row) => em.map(EventEntity, row) as unknown as StoredEvent)
  }
}

const cursorOfEvent = ({ firstSeenAt, id }: StoredEvent): string =>
  cursorOf(firstSeenAt.getTime(), id)

export const isEventKey: IsKey = ([seenMs = '', id = '', ...rest]) =>
  /^(\d{1,15}|-\d{1,14})$/.test(seenMs) && isUuid(id) && rest.length === 0
