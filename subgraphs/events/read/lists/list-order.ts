import type { Condition } from '../../../../platform/event-query/condition.ts'
import type { Table } from '../../../../platform/event-query/fields.ts'
import type { Page } from '../../../../platform/paging/page.ts'

/** The values of the columns that decide a row's place in its list. */
export type Key = readonly unknown[]

export interface Sorting {
  table: Table
  /** Expressions over a row that is called `as`. */
  columns(as: string): readonly string[]
  types: readonly string[]
  isAscending?: boolean
}

const sorted = (table: Table, names: readonly string[], types: readonly string[]): Sorting => ({
  table,
  columns: (as) => names.map((name) => `${as}.${name}`),
  types,
})

const SORTINGS = {
  event: sorted('event', ['first_seen_at', 'id'], ['timestamptz', 'uuid']),
  raw: sorted('raw', ['id'], ['bigint']),
  occurrence: sorted('raw', ['received_at', 'id'], ['timestamptz', 'bigint']),
} as const

const ROWS: Record<Table, string> = { event: 'events.event', raw: 'events.raw_event' }

/** The order in which a page is read. @param as what a statement calls the rows, if not as their table */
export class ListOrder {
  readonly table: Table
  /** The table's rows, under its name. */
  readonly from: Condition
  readonly #sorting: Sorting
  readonly #page: Page

  /** @param list a list by name in its own order, or another order */
  constructor(list: keyof typeof SORTINGS | Sorting, page: Page) {
    this.#sorting = typeof list === 'string' ? SORTINGS[list] : list
    this.#page = page
    this.table = this.#sorting.table
    this.from = { sql: `${ROWS[this.table]} as ${this.table}`, parameters: [] }
  }

  /** The same list from its begin. */
  whole(): ListOrder {
    return new ListOrder(this.#sorting, { ...this.#page, from: null })
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
    return this.#compare(as, this.#isRising() ? '>' : '<', key)
  }

  /** The rows up to this one. */
  upTo(key: Key, as: string = this.table): Condition {
    return this.#compare(as, this.#isRising() ? '<=' : '>=', key)
  }

  columns(as: string = this.table): readonly string[] {
    return this.#sorting.columns(as)
  }

  by(as: string = this.table): string {
    const direction = this.#isRising() ? 'asc' : 'desc'
    return `order by ${this.columns(as).map((column) => `${column} ${direction}`)}`
  }

  #isRising(): boolean {
    const { isAscending = false } = this.#sorting
    return this.#page.isBackward !== isAscending
  }

  #compare(as: string, sign: string, key: Key): Condition {
    const values = this.#sorting.types.map((type) => `?::${type}`)
    return { sql: `(${this.columns(as)}) ${sign} (${values})`, parameters: [...key] }
  }
}
