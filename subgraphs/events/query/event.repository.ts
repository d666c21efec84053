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
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import type { Condition } from './language/condition.ts'
import { isUuid } from './uuid.ts'

/** Reads events, newest first. */
export class EventRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /** @param ids anything; what is no event's id finds nothing */
  async findByIds(ids: readonly string[]): Promise<StoredEvent[]> {
    const known = ids.filter(isUuid)
    const select = 'select * from events.event where id = any ($1)'
    return this.#map(await runSql(await poolOf(this.#orm), select, [known]))
  }

  async findPage(page: Page, conditions: readonly Condition[]): Promise<Connection<StoredEvent>> {
    const pool = await poolOf(this.#orm)
    const plan = await planList(pool, new ListOrder('event', page), conditions)
    const { rows, count } = await readList(pool, plan, page.limit)
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
