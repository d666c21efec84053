import type { MikroORM } from '@mikro-orm/postgresql'
import { EventEntity, type StoredEvent } from '../tables/event.entity.ts'
import { type Connection, connect, cursorOf, type IsKey, type Page } from './page.ts'

/** A condition in SQL over the columns of a table, with `?` for each parameter. */
export interface Condition {
  sql: string
  parameters: unknown[]
}

/** Reads events, newest first. */
export class EventRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /** @param ids anything; what is no event's id finds nothing */
  async findByIds(ids: readonly string[]): Promise<StoredEvent[]> {
    const uuids = ids.filter((id) => UUID.test(id))
    if (uuids.length === 0) return []
    const rows = this.#orm.em
      .fork()
      .find(EventEntity, { id: { $in: uuids } }, { disableIdentityMap: true })
    return rows as Promise<unknown> as Promise<StoredEvent[]>
  }

  async findPage(page: Page, conditions: readonly Condition[]): Promise<Connection<StoredEvent>> {
    const direction = page.isBackward ? 'asc' : 'desc'
    const query = this.#select(conditions)
      .select('*')
      .orderBy({ firstSeenAt: direction, id: direction })
      .limit(page.limit + 1)
    if (page.from) {
      const [seenMs, id] = page.from
      query.andWhere(`(first_seen_at, id) ${page.isBackward ? '>' : '<'} (?, ?)`, [
        new Date(Number(seenMs)),
        id,
      ])
    }
    const rows = (await query.getResult()) as unknown as StoredEvent[]
    return connect(page, rows, cursorOfEvent, () => this.#select(conditions).getCount())
  }

  #select(conditions: readonly Condition[]) {
    const query = this.#orm.em.fork().createQueryBuilder(EventEntity, 'event')
    for (const { sql, parameters } of conditions) query.andWhere(sql, parameters)
    return query
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const cursorOfEvent = ({ firstSeenAt, id }: StoredEvent): string =>
  cursorOf(firstSeenAt.getTime(), id)

export const isEventKey: IsKey = ([seenMs = '', id = '', ...rest]) =>
  /^-?\d{1,16}$/.test(seenMs) && UUID.test(id) && rest.length === 0
