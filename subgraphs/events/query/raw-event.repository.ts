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
import { type ListPlan, planInOrder, planList } from '../search/narrow.repository.ts'
import { RawEventEntity, type StoredRawEvent } from '../tables/raw-event.entity.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import { type Condition, whereAll } from './language/condition.ts'

/** Reads raw events, the one that was stored last first. */
export class RawEventRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  async findPage(
    page: Page,
    conditions: readonly Condition[],
  ): Promise<Connection<StoredRawEvent>> {
    const plan = await planList(this.#orm, 'raw', conditions, page)
    return this.#findPage(page, plan, new ListOrder('raw', page), cursorOfStored)
  }

  /** Those of one event in the order of receipt. */
  findPageOfEvent(
    eventId: string,
    page: Page,
    conditions: readonly Condition[] = [],
  ): Promise<Connection<StoredRawEvent>> {
    const ofEvent = { sql: 'raw.event_id = ?', parameters: [eventId] }
    const order = new ListOrder('occurrence', page)
    const plan = planInOrder([ofEvent, ...conditions], order, 'raw')
    return this.#findPage(page, plan, order, cursorOfReceived)
  }

  async #findPage(
    page: Page,
    plan: ListPlan,
    order: ListOrder,
    cursor: (raw: StoredRawEvent) => string,
  ): Promise<Connection<StoredRawEvent>> {
    let rows: { matches?: number }[] = []
    for await (const conditions of plan.parts) {
      rows = await this.#read(page, plan, conditions, order)
      if (rows.length > page.limit) break
    }
    const known = rows[0]?.matches
    return connect(
      page,
      this.#map(rows),
      cursor,
      async () =>
        known ?? countRows(this.#orm, 'events.raw_event as raw', plan, order.by('raw', false)),
    )
  }

  async #read(
    page: Page,
    { count, counting }: ListPlan,
    conditions: readonly Condition[],
    order: ListOrder,
  ): Promise<{ matches?: number }[]> {
    const where = whereAll(conditions)
    // Where all candidates are judged for the page, they are counted by the way.
    const isCounted = counting === 'candidates' && conditions === count
    return runSql(
      await poolOf(this.#orm),
      `select raw.* ${isCounted ? ', count(*) over ()::float8 as matches' : ''}
       from events.raw_event as raw ${where.sql} ${order.by('raw')} limit ${page.limit + 1}`,
      where.parameters,
    )
  }

  #map(rows: readonly object[]): StoredRawEvent[] {
    const em = this.#orm.em.fork({ disableTransactions: true })
    // The ORM knows the columns' types; every column is there, so none of them is undefined.
    return rows.map((row) => em.map(RawEventEntity, row) as unknown as StoredRawEvent)
  }
}

const cursorOfStored = ({ xact, id }: StoredRawEvent): string => cursorOf(xact, id)

const cursorOfReceived = ({ receivedAt, id }: StoredRawEvent): string =>
  cursorOf(receivedAt.getTime(), id)

export const isRawEventKey: IsKey = (parts) =>
  parts.length === 2 && parts.every((part) => /^\d{1,18}$/.test(part))
