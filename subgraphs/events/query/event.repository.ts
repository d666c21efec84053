import type { MikroORM } from '@mikro-orm/postgresql'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../shared/paging/page.ts'
import { countRows } from '../search/count.repository.ts'
import { ListOrder } from '../search/list-order.ts'
import { planList } from '../search/narrow.repository.ts'
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import { type Condition, whereAll } from './language/condition.ts'
import { isUuid } from './uuid.ts'

/** Reads events, newest first. */
export class EventRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /** @param ids anything; what is no event's id finds nothing */
  findByIds(ids: readonly string[]): Promise<StoredEvent[]> {
    return this.#select('select * from events.event where id = any ($1)', [ids.filter(isUuid)])
  }

  async findPage(page: Page, conditions: readonly Condition[]): Promise<Connection<StoredEvent>> {
    const plan = await planList(this.#orm, 'event', conditions, page)
    const order = new ListOrder('event', page)
    let rows: StoredEvent[] = []
    for await (const part of plan.parts) {
      const where = whereAll(part)
      rows = await this.#select(
        `select event.* from events.event ${where.sql} ${order.by('event')} limit ${page.limit + 1}`,
        where.parameters,
      )
      if (rows.length > page.limit) break
    }
    return connect(page, rows, cursorOfEvent, () =>
      countRows(this.#orm, 'events.event', plan, order.by('event', false)),
    )
  }

  async #select(statement: string, parameters: readonly unknown[]): Promise<StoredEvent[]> {
    const rows = await runSql<object>(await poolOf(this.#orm), statement, parameters)
    const em = this.#orm.em.fork({ disableTransactions: true })
    // The ORM knows the columns' types; every column is there, so none of them is undefined.
    return rows.map((row) => em.map(EventEntity, row) as unknown as StoredEvent)
  }
}

const cursorOfEvent = ({ firstSeenAt, id }: StoredEvent): string =>
  cursorOf(firstSeenAt.getTime(), id)

export const isEventKey: IsKey = ([seenMs = '', id = '', ...rest]) =>
  /^-?\d{1,15}$/.test(seenMs) && isUuid(id) && rest.length === 0
