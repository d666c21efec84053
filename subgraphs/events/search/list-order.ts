import type { Page } from '../../shared/paging/page.ts'
import type { Condition } from '../query/language/condition.ts'

/** The values of the two columns that tell a row's place in its list. */
export type Key = readonly [unknown, unknown]

interface Sorting {
  columns: readonly [string, string]
  types: readonly [string, string]
}

const SORTINGS = {
  event: { columns: ['first_seen_at', 'id'], types: ['timestamptz', 'uuid'] },
  raw: { columns: ['xact', 'id'], types: ['xid8', 'bigint'] },
  occurrence: { columns: ['received_at', 'id'], types: ['timestamptz', 'bigint'] },
} as const satisfies Record<string, Sorting>

export type ListName = keyof typeof SORTINGS

/** The order in which a page is read. @param as what a statement calls the rows */
export class ListOrder {
  readonly #sorting: Sorting
  readonly #page: Page

  constructor(list: ListName, page: Page) {
    this.#sorting = SORTINGS[list]
    this.#page = page
  }

  /** Where the page begins; a cursor has times in milliseconds. */
  begin(as: string): Condition[] {
    const { from, isBackward } = this.#page
    if (!from) return []
    const [major, minor] = from
    const value = this.#sorting.types[0] === 'timestamptz' ? new Date(Number(major)) : major
    return [this.#compare(as, isBackward ? '>' : '<', [value, minor])]
  }

  /** The rows up to this one. */
  upTo(as: string, key: Key): Condition {
    return this.#compare(as, this.#page.isBackward ? '<=' : '>=', key)
  }

  columns(as: string): string {
    return this.#sorting.columns.map((column) => `${as}.${column}`).join(', ')
  }

  by(as: string, isBackward = this.#page.isBackward): string {
    const direction = isBackward ? 'asc' : 'desc'
    return `order by ${this.#sorting.columns.map((column) => `${as}.${column} ${direction}`).join(', ')}`
  }

  #compare(as: string, sign: string, key: Key): Condition {
    const values = this.#sorting.types.map((type) => `?::${type}`)
    return { sql: `(${this.columns(as)}) ${sign} (${values.join(', ')})`, parameters: [...key] }
  }
}
