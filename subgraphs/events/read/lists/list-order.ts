import type { Condition } from '../../../../platform/event-query/condition.ts'
import type { Table } from '../../../../platform/event-query/fields.ts'
import type { Page } from '../../../../platform/paging/page.ts'

/** The values of the columns that decide a row's place in its list. */
export type Key = readonly unknown[]

interface Sorting {
  table: Table
  columns: readonly string[]
  types: readonly string[]
}

const SORTINGS = {
  event: { table: 'event', columns: ['first_seen_at', 'id'], types: ['timestamptz', 'uuid'] },
  raw: { table: 'raw', columns: ['id'], types: ['bigint'] },
  occurrence: { table: 'raw', columns: ['received_at', 'id'], types: ['timestamptz', 'bigint'] },
} as const satisfies Record<string, Sorting>

const ROWS: Record<Table, string> = { event: 'events.event', raw: 'events.raw_event' }

/** The order in which a page is read. @param as what a statement calls the rows, if not as their table */
export class ListOrder {
  readonly table: Table
  /** The table's rows, under its name. */
  readonly from: Condition
  readonly #list: keyof typeof SORTINGS
  readonly #sorting: Sorting
  readonly #page: Page

  constructor(list: keyof typeof SORTINGS, page: Page) {
    this.#list = list
    this.#sorting = SORTINGS[list]
    this.#page = page
    this.table = this.#sorting.table
    this.from = { sql: `${ROWS[this.table]} as ${this.table}`, parameters: [] }
  }

  /** The same list from its begin. */
  whole(): ListOrder {
    return new ListOrder(this.#list, { ...this.#page, from: null })
  }

  /** Conditions for rows behind the cursor; a cursor has times in milliseconds. */
  begin(as: string = this.table): Condition[] {
    const { from } = this.#page
    if (!from) return []
    const { types } = this.#sorting
    const keyPart = (text: string, at: number) =>
      types[at] === 'timestamptz' ? new Date(Number(text)) : text
    return [this.behind(from.map(keyPart), as)]
  }

  /** The rows behind this one, in reading direction. */
  behind(key: Key, as: string = this.table): Condition {
    return this.#compare(as, this.#page.isBackward ? '>' : '<', key)
  }

  /** The rows up to this one. */
  upTo(key: Key, as: string = this.table): Condition {
    return this.#compare(as, this.#page.isBackward ? '<=' : '>=', key)
  }

  columns(as: string = this.table): string[] {
    return this.#sorting.columns.map((column) => `${as}.${column}`)
  }

  by(as: string = this.table): string {
    const direction = this.#page.isBackward ? 'asc' : 'desc'
    return `order by ${this.columns(as).map((column) => `${column} ${direction}`)}`
  }

  #compare(as: string, sign: string, key: Key): Condition {
    const values = this.#sorting.types.map((type) => `?::${type}`)
    return { sql: `(${this.columns(as)}) ${sign} (${values})`, parameters: [...key] }
  }
}
