import type { MikroORM } from '@mikro-orm/postgresql'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../shared/paging/page.ts'
import { countRows } from '../search/count.repository.ts'
import { type ListPlan, planList } from '../search/narrow.repository.ts'
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
    return this.#findPage(page, plan, ['xact', 'id'], cursorOfStored)
  }

  /** Those of one event in the order of receipt. */
  findPageOfEvent(
    eventId: string,
    page: Page,
    conditions: readonly Condition[] = [],
  ): Promise<Connection<StoredRawEvent>> {
    const ofEvent = { sql: 'raw.event_id = ?', parameters: [eventId] }
    const all = [ofEvent, ...conditions]
    const plan: ListPlan = { page: all, count: all, counting: 'in order' }
    return this.#findPage(page, plan, ['received_at', 'id'], cursorOfReceived)
  }

  async #findPage(
    page: Page,
    plan: ListPlan,
    order: readonly [string, string],
    cursor: (raw: StoredRawEvent) => string,
  ): Promise<Connection<StoredRawEvent>> {
    let rows = await this.#read(page, plan, plan.page, order)
    if (plan.orElse && rows.length <= page.limit)
      rows = await this.#read(page, plan, plan.orElse, order)
    const known = rows[0]?.matches
    return connect(
      page,
      this.#map(rows),
      cursor,
      async () =>
        known ??
        countRows(
          this.#orm,
          'events.raw_event as raw',
          plan,
          order.map((column) => `raw.${column} desc`).join(', '),
        ),
    )
  }

  async #read(
    page: Page,
    { count, counting }: ListPlan,
    conditions: readonly Condition[],
    order: readonly [string, string],
  ): Promise<{ matches?: number }[]> {
    const direction = page.isBackward ? 'asc' : 'desc'
    const where = whereAll(page.from ? [...conditions, behind(page, order)] : conditions)
    // Where all candidates are judged for the page, they are counted by the way.
    const isCounted = counting === 'candidates' && conditions === count && !page.from
    return runSql(
      await poolOf(this.#orm),
      `select raw.* ${isCounted ? ', count(*) over ()::float8 as matches' : ''}
       from events.raw_event as raw ${where.sql}
       order by raw.${order[0]} ${direction}, raw.${order[1]} ${direction} limit ${page.limit + 1}`,
      where.parameters,
    )
  }

  #map(rows: readonly object[]): StoredRawEvent[] {
    const em = this.#orm.em.fork({ disableTransactions: true })
    // The ORM knows the columns' types; every column is there, so none of them is undefined.
    return rows.map((row) => em.map(RawEventEntity, row) as unknown as StoredRawEvent)
  }
}

function behind({ from, isBackward }: Page, [major, minor]: readonly [string, string]): Condition {
  const [majorValue, id] = from ?? []
  const value = major === 'xact' ? majorValue : new Date(Number(majorValue))
  return {
    sql: `(raw.${major}, raw.${minor}) ${isBackward ? '>' : '<'} (?, ?)`,
    parameters: [value, id],
  }
}

const cursorOfStored = ({ xact, id }: StoredRawEvent): string => cursorOf(xact, id)

const cursorOfReceived = ({ receivedAt, id }: StoredRawEvent): string =>
  cursorOf(receivedAt.getTime(), id)

export const isRawEventKey: IsKey = (parts) =>
  parts.length === 2 && parts.every((part) => /^\d{1,18}$/.test(part))
