import type { MikroORM } from '@mikro-orm/postgresql'
import { toRow } from '../../../platform/database/row.ts'
import type { Sql } from '../../../platform/database/sql.ts'
import type { Condition } from '../../../platform/event-query/condition.ts'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../../platform/paging/page.ts'
import { ReadBudget } from '../../../platform/paging/read-budget.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import { RawEventEntity, type StoredRawEvent } from '../tables/raw-event.entity.ts'
import { readList } from './lists/list.repository.ts'
import { ListOrder } from './lists/list-order.ts'
import { planInOrder, planList } from './lists/list-plan.repository.ts'
import { type Within, withinTime } from './query-timeout.ts'

/** Reads raw events, the one that was stored last first. */
export class RawEventRepository {
  readonly #within: Within

  constructor(
    private readonly orm: MikroORM,
    { queryTimeoutMs, pageBytes } = DEFAULT_SETTINGS,
    private readonly budget = new ReadBudget(pageBytes),
  ) {
    this.#within = withinTime(orm, queryTimeoutMs)
  }

  async findPage(
    page: Page,
    conditions: readonly Condition[],
  ): Promise<Connection<StoredRawEvent>> {
    const order = new ListOrder('raw', page)
    const planned = (sql: Sql) => planList(sql, order, conditions)
    const { rows, count, goesOn } = await readList(this.#within, planned, page, this.budget)
    return connect(page, { rows: this.#map(rows), cursorOf: cursorOfStored, count, goesOn })
  }

  /** Those of one event in the order of receipt. */
  async findPageOfEvent(
    eventId: string,
    page: Page,
    conditions: readonly Condition[] = [],
  ): Promise<Connection<StoredRawEvent>> {
    const ofEvent = { sql: 'raw.event_id = ?', parameters: [eventId] }
    const plan = planInOrder(new ListOrder('occurrence', page), [ofEvent, ...conditions])
    const { rows, count, goesOn } = await readList(this.#within, () => plan, page, this.budget)
    return connect(page, { rows: this.#map(rows), cursorOf: cursorOfReceived, count, goesOn })
  }

  #map(rows: readonly object[]): StoredRawEvent[] {
    return rows.map((row) => toRow(this.orm.em, RawEventEntity, row))
  }
}

const cursorOfStored = ({ id }: StoredRawEvent): string => cursorOf(id)

const cursorOfReceived = ({ receivedAt, id }: StoredRawEvent): string =>
  cursorOf(receivedAt.getTime(), id)

const hasDigits = (parts: readonly string[], ...digits: number[]): boolean =>
  parts.length === digits.length &&
  parts.every((part, at) => /^\d+$/.test(part) && part.length <= (digits[at] ?? 0))

export const isRawEventKey: IsKey = (parts) => hasDigits(parts, 18)

export const isOccurrenceKey: IsKey = (parts) => hasDigits(parts, 15, 18)
