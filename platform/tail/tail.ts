import { setTimeout as delay } from 'node:timers/promises'
import { DATABASE_AWAY_MS, failureOf, unlessAway } from '../database/database-error.ts'
import { Follower } from './follower.ts'
import type { Group, Interest, Part, Placed, TailSource } from './interest.ts'
import { Kept } from './kept.ts'
import { RecentItems } from './recent-items.ts'
import { Waiter } from './waiter.ts'

/** Rows that become items together, unless their source sets another number. */
const AT_ONCE = 200
/** Between two looks at least, however often something reports. */
const PAUSE_MS = 25
/** Until the next look while an older transaction holds rows back. */
const SOON_MS = 20

/**
 * Follows the order of commit once for all subscribers of this process, and keeps the last rows that one of them wants.
 * A subscriber reads the database only until its position meets these rows. Without subscribers nothing is read.
 */
export class Tail<Row extends Placed, Item> {
  readonly #source: TailSource<Row, Item>
  readonly #groups = new Map<string, Group<Row>>()
  readonly #kept: Kept<Row>
  readonly #items: RecentItems<Row, Item>
  readonly #waiter = new Waiter()
  #end: number | undefined
  #isRunning = false

  /** @param limits rows and bytes that are kept, as Kept has them by default */
  constructor(source: TailSource<Row, Item>, limits?: { rows: number; bytes: number }) {
    this.#source = source
    this.#kept = new Kept(limits)
    this.#items = new RecentItems((row) => source.itemOf(row))
  }

  /** The items of an interest behind a position, in the order of commit, for as long as they are taken. */
  follow(interest: Interest<Row>, after: number): AsyncIterableIterator<Item> {
    const group = this.#groupOf(interest)
    const follower = new Follower(group, after, {
      end: () => this.#end ?? 0,
      itemOf: this.#items.since(performance.now()),
      atOnce: this.#source.atOnce ?? AT_ONCE,
      leave: () => {
        group.followers.delete(follower)
        if (group.followers.size > 0) return
        if (this.#groups.get(interest.key) === group) this.#groups.delete(interest.key)
        if (this.#groups.size === 0) this.#waiter.wake()
      },
    })
    group.followers.add(follower)
    if (!this.#isRunning) void this.#run()
    return follower
  }

  /** Ends all streams. */
  stop(): void {
    for (const { followers } of [...this.#groups.values()])
      for (const follower of [...followers]) void follower.return()
  }

  #groupOf(interest: Interest<Row>): Group<Row> {
    const known = this.#groups.get(interest.key)
    if (known) return known
    const group: Group<Row> = {
      interest,
      since: this.#end,
      rows: [],
      followers: new Set(),
      failure: undefined,
    }
    this.#groups.set(interest.key, group)
    return group
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    const ignore = this.#source.listen(() => this.#waiter.wake())
    try {
      while (this.#groups.size > 0) {
        const began = performance.now()
        const rest = await unlessAway(() => this.#advance())
        if (rest !== 'more' && this.#groups.size > 0) await this.#pause(rest, began)
      }
    } catch (error) {
      for (const group of this.#groups.values()) this.#fail(group, error)
    } finally {
      ignore()
      this.#kept.clear()
      this.#end = undefined
      this.#isRunning = false
    }
    // Some may have come while the last ones failed.
    if (this.#groups.size > 0) void this.#run()
    else this.#source.onIdle?.()
  }

  /** @param rest undefined while the database is away */
  async #pause(rest: 'soon' | 'nothing' | undefined, lookedAt: number): Promise<void> {
    if (rest === undefined) return delay(DATABASE_AWAY_MS)
    await this.#waiter.wait(rest === 'soon' ? SOON_MS : this.#source.lookAgainMs)
    await delay(Math.max(0, lookedAt + PAUSE_MS - performance.now()))
  }

  async #advance(): Promise<Part<Row>['rest']> {
    if (this.#end === undefined) {
      this.#end = await this.#source.end()
      for (const group of this.#groups.values()) begin(group, this.#end)
    }
    const { rows, next, rest } = await this.#source.read(this.#end)
    const groups = [...this.#groups.values()]
    const selected = await Promise.all(groups.map((group) => this.#select(group, rows)))
    this.#end = next
    // Subscribers who came meanwhile have not been asked about these rows.
    const asked = new Set(groups)
    for (const group of this.#groups.values()) if (!asked.has(group)) begin(group, next)
    if (rows.length > 0) this.#publish(groups, selected, rows)
    return rest
  }

  async #select(group: Group<Row>, rows: readonly Row[]): Promise<readonly Row[]> {
    if (rows.length === 0) return rows
    try {
      return await group.interest.select(rows)
    } catch (error) {
      if (failureOf(error) === 'transient') throw error
      this.#fail(group, error)
      return []
    }
  }

  #publish(
    groups: readonly Group<Row>[],
    selected: readonly (readonly Row[])[],
    rows: readonly Row[],
  ): void {
    const wanted = new Set(selected.flat())
    const from = this.#kept.add(rows.filter((row) => wanted.has(row)))
    groups.forEach((group, at) => {
      const matching = selected[at] ?? []
      for (const row of matching) group.rows.push(row)
      if (matching.length > 0) wake(group)
      let dropped = 0
      while ((group.rows[dropped]?.position ?? Number.POSITIVE_INFINITY) <= from) dropped++
      if (dropped > 0) group.since = group.rows.splice(0, dropped).at(-1)?.position
    })
  }

  #fail(group: Group<Row>, error: unknown): void {
    group.failure = { error }
    this.#groups.delete(group.interest.key)
    wake(group)
  }
}

function begin<Row extends Placed>(group: Group<Row>, since: number): void {
  group.since = since
  wake(group)
}

function wake<Row extends Placed>({ followers }: Group<Row>): void {
  for (const follower of followers) follower.wake()
}
