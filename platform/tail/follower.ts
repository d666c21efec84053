import { DATABASE_AWAY_MS, unlessAway } from '../database/database-error.ts'
import type { Group, Placed } from './interest.ts'
import { Waiter } from './waiter.ts'

/** Tail, as its followers need it. */
export interface FollowedTail<Row, Item> {
  /** Up to where the tail has read. */
  end(): number
  itemOf(row: Row): Promise<Item>
  /** Rows that become items together. */
  atOnce: number
  leave(): void
}

/** One subscriber's way through the rows: from the database while it is behind, then from memory. */
export class Follower<Row extends Placed, Item> implements AsyncIterableIterator<Item> {
  readonly #group: Group<Row>
  readonly #tail: FollowedTail<Row, Item>
  readonly #waiter = new Waiter()
  #position: number
  /** Rows that were read and are no items yet, and the position behind them. */
  #read: { rows: readonly Row[]; next: number } = { rows: [], next: 0 }
  /** Items of rows that were taken and not delivered yet. */
  #items: Item[] = []
  #isOver = false

  constructor(group: Group<Row>, after: number, tail: FollowedTail<Row, Item>) {
    this.#group = group
    this.#position = after
    this.#tail = tail
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    while (this.#items.length === 0 && !this.#isOver) {
      // Only the caller's position moves on: what fails while the database is away is read again.
      const taken = await unlessAway(() => this.#take()).catch(async (error) => {
        await this.return()
        throw error
      })
      if (!taken) await this.#waiter.wait(DATABASE_AWAY_MS)
      else if (!this.#isOver) this.#items = taken
    }
    const item = this.#items.shift()
    return item === undefined ? OVER : { done: false, value: item }
  }

  /** Something has changed for its group. */
  wake(): void {
    this.#waiter.wake()
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    if (!this.#isOver) this.#tail.leave()
    this.#isOver = true
    this.#items = []
    this.#waiter.wake()
    return OVER
  }

  throw(): Promise<IteratorReturnResult<undefined>> {
    return this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** The next items; none where it has to look again. */
  async #take(): Promise<Item[]> {
    const { failure, since, rows: kept, interest } = this.#group
    if (failure) throw failure.error
    if (this.#read.rows.length > 0) return this.#makeItems()
    if (since === undefined || this.#position >= since) {
      const first = kept.findLastIndex(({ position }) => position <= this.#position) + 1
      const rows = kept.slice(first, first + this.#tail.atOnce)
      const last = rows.at(-1)
      if (!last) await this.#waiter.wait()
      this.#read = { rows, next: last?.position ?? this.#position }
      return this.#makeItems()
    }
    const met = this.#tail.end()
    const { rows, next, rest } = await interest.read(this.#position)
    // The rows that the tail has read may be deleted by now, and then they are not waited for.
    this.#read = { rows, next: rest === 'more' ? next : Math.max(next, met) }
    return this.#makeItems()
  }

  async #makeItems(): Promise<Item[]> {
    const { rows, next } = this.#read
    const some = rows.slice(0, this.#tail.atOnce)
    const items = await Promise.all(some.map((row) => this.#tail.itemOf(row)))
    const left = rows.slice(some.length)
    this.#read = { rows: left, next }
    this.#position = left.length > 0 ? (some.at(-1)?.position ?? next) : next
    return items
  }
}

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined }
