import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../platform/paging/page.ts'
import type { ReadBudget } from '../../platform/paging/read-budget.ts'
import type { Execution } from './execution.entity.ts'
import { UUID } from './execution.rows.ts'
import { whereOf } from './execution-filter.sql.ts'
import type { ExecutionFilter } from './execution-filter.ts'
import type { ExecutionOrder } from './execution-order.ts'
import { withinTime } from './list-timeout.repository.ts'
import { selectUpToBytes } from './progress.repository.ts'

type Read = Awaited<ReturnType<typeof selectUpToBytes>>

/** Lists of executions, newest first unless they are sorted. */
export class ExecutionListRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly budget: ReadBudget,
  ) {}

  /** A page behind a cursor. It ends by its bytes as well. */
  async page(page: Page, filter: ExecutionFilter): Promise<Connection<Execution>> {
    const { from, isBackward, limit } = page
    const [key] = from ?? []
    // Ids are UUIDv7: they sort by the time of their creation.
    const behind = sql`id ${sql.raw(isBackward ? '>' : '<')} ${key}::uuid`
    const where = key ? sql<boolean>`${whereOf(filter)} and ${behind}` : whereOf(filter)
    const order = sql`id ${sql.raw(isBackward ? 'asc' : 'desc')}`
    const ids = await this.#ids(where, order, limit + 1, 0)
    const { executions, isCut } = await this.#read(ids.slice(0, limit), this.budget.pageBytes)
    return connect(page, {
      rows: executions,
      cursorOf: ({ id }) => cursorOf(id),
      count: () => this.#count(filter),
      goesOn: isCut || ids.length > limit,
    })
  }

  /** A numbered page, without cursors: its order has none. @throws AppError OPERATION_LIMIT_EXCEEDED where it has too many bytes: it cannot end before its limit */
  async numberedPage(
    { limit, offset }: { limit: number; offset: number },
    filter: ExecutionFilter,
    order: ExecutionOrder,
  ): Promise<Connection<Execution>> {
    const ids = await this.#ids(whereOf(filter), order, limit + 1, offset)
    const { executions, isCut } = await this.#read(ids.slice(0, limit), this.budget.bytes)
    if (isCut) this.budget.spend(this.budget.bytes + 1)
    const { pageInfo, ...page } = connect(
      { from: offset > 0 ? [] : null, isBackward: false, limit },
      {
        rows: executions,
        cursorOf: ({ id }) => cursorOf(id),
        count: () => this.#count(filter),
        goesOn: ids.length > limit,
      },
    )
    return { ...page, pageInfo: { ...pageInfo, startCursor: null, endCursor: null } }
  }

  async #ids(
    where: RawBuilder<boolean>,
    order: RawBuilder<unknown>,
    limit: number,
    offset: number,
  ): Promise<string[]> {
    return withinTime(this.em, async (em) => {
      const { rows } = await sql<{ id: string }>`
        select id from test_execution.execution as execution where ${where}
        order by ${order} limit ${limit} offset ${offset}`.execute(em.getKysely())
      return rows.map(({ id }) => id)
    })
  }

  #count(filter: ExecutionFilter): Promise<number> {
    return withinTime(this.em, async (em) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from test_execution.execution as execution
        where ${whereOf(filter)}`.execute(em.getKysely())
      return rows[0]?.count ?? 0
    })
  }

  #read(ids: readonly string[], bytes: number): Promise<Read> {
    return this.budget.inTurn(async () => {
      const rest = sql`where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`
      const inOrder = { name: 'executions-in-order', rest }
      const value = await withinTime(this.em, (em) => selectUpToBytes(em, inOrder, bytes))
      return { value, bytes: value.bytes }
    })
  }
}

export const isExecutionKey: IsKey = ([id = '', ...rest]) => UUID.test(id) && rest.length === 0
