import type { MikroORM } from '@mikro-orm/postgresql'
import { toRow } from '../../../platform/database/row.ts'
import { runSql, type Sql } from '../../../platform/database/sql.ts'
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
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import { type SizedRow, upToBytes } from '../tables/sized-rows.ts'
import { CONTEXTS, type ContextPage, readContextPages } from './context-pages.repository.ts'
import { type EventOrder, TIME_KEY } from './lists/event-order.ts'
import { readList } from './lists/list.repository.ts'
import { ListOrder } from './lists/list-order.ts'
import { planList, planSorted } from './lists/list-plan.repository.ts'
import { type Within, withinTime } from './query-timeout.ts'
import { isUuid } from './uuid.ts'

/** An event, and the bytes of its long values. */
export interface FoundEvent {
  event: StoredEvent
  bytes: number
}

/** A page of events, and the bytes of their long values. */
export interface FoundPage {
  connection: Connection<StoredEvent>
  bytes: number
}

/** $1: ids. */
const FIND = 'select event.* from events.event where event.id = any ($1)'

/** Reads events, newest first. */
export class EventRepository {
  readonly #within: Within

  constructor(
    private readonly orm: MikroORM,
    { queryTimeoutMs, pageBytes } = DEFAULT_SETTINGS,
    private readonly budget = new ReadBudget(pageBytes),
  ) {
    this.#within = withinTime(orm, queryTimeoutMs)
  }

  /**
   * @param ids any texts; an unknown or malformed id finds nothing
   * @returns what was found, up to the bytes that an operation may read, and the ids behind that
   */
  async findByIds(ids: readonly string[]): Promise<{ found: FoundEvent[]; rest: string[] }> {
    const known = ids.filter(isUuid)
    const rows = await runSql<SizedRow>(
      this.orm.em,
      upToBytes('event', FIND, 'order by event.id', this.budget.bytes),
      [known],
    )
    const found = this.#map(rows).map((event, at) => ({ event, bytes: rows[at]?.bytes ?? 0 }))
    const last = found.at(-1)?.event.id ?? ''
    const isCut = found.length < (rows[0]?.read ?? 0)
    return { found, rest: isCut ? known.filter((id) => id.toLowerCase() > last) : [] }
  }

  /** @param by another order than newest first */
  async findPage(
    page: Page,
    conditions: readonly Condition[],
    by?: EventOrder,
  ): Promise<Connection<StoredEvent>> {
    const order = new ListOrder(by?.sorting ?? 'event', page)
    const plan = by ? planSorted : planList
    const planned = (sql: Sql) => plan(sql, order, conditions)
    const { rows, count, goesOn } = await readList(this.#within, planned, page, this.budget)
    const cursorOf = by?.cursorOf ?? cursorOfEvent
    return connect(page, { rows: this.#map(rows), cursorOf, count, goesOn })
  }

  /**
   * The first pages of the events that executions of contexts caused.
   * @param page from the begin or the end of its list
   * @returns by context; those that must be read by themselves are missing
   */
  async findPagesOfContexts(
    page: Page,
    contextIds: readonly string[],
  ): Promise<Map<string, FoundPage>> {
    const found = new Map<string, FoundPage>()
    for (let at = 0; at < contextIds.length; at += CONTEXTS) {
      const ids = contextIds.slice(at, at + CONTEXTS)
      const pages = await this.#within((sql) => readContextPages(sql, ids, page, this.budget))
      for (const [id, read] of pages) found.set(id, this.#connect(page, read))
    }
    return found
  }

  #connect(page: Page, { rows, bytes, total }: ContextPage): FoundPage {
    const goesOn = Math.min(rows.length, page.limit) < total
    const read = {
      rows: this.#map(rows),
      cursorOf: cursorOfEvent,
      count: async () => total,
      goesOn,
    }
    return { bytes, connection: connect(page, read) }
  }

  #map(rows: readonly object[]): StoredEvent[] {
    return rows.map((row) => toRow(this.orm.em, EventEntity, row))
  }
}

const cursorOfEvent = ({ firstSeenAt, id }: StoredEvent): string =>
  cursorOf(firstSeenAt.getTime(), id)

export const isEventKey: IsKey = ([seenMs = '', id = '', ...rest]) =>
  TIME_KEY.test(seenMs) && isUuid(id) && rest.length === 0
