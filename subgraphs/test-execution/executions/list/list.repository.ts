import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../../../platform/paging/page.ts'
import type { ReadBudget } from '../../../../platform/paging/read-budget.ts'
import type { Execution } from '../execution.entity.ts'
import { UUID } from '../execution.rows.ts'
import { selectUpToBytes } from '../run/progress.repository.ts'
import { whereOf } from './filter.sql.ts'
import type { ExecutionFilter } from './filter.ts'
import { withinTime } from './list-timeout.repository.ts'
import type { ExecutionOrder } from './order.ts'

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
    const range = { limit, offset: 0, bytes: this.budget.pageBytes }
    const { executions, isCut, goesOn, total } = await this.#read(page, filter, {
      where,
      order,
      ...range,
    })
    return connect(page, {
      rows: executions,
      cursorOf: ({ id }) => cursorOf(id),
      count: async () => total ?? this.#count(filter),
      goesOn: isCut || goesOn,
    })
  }

  /** A numbered page, without cursors: its order has none. @throws AppError OPERATION_LIMIT_EXCEEDED where it has too many bytes: it cannot end before its limit */
  async numberedPage(
    page: { limit: number; offset: number } & Pick<Page, 'isCounted'>,
    filter: ExecutionFilter,
    order: ExecutionOrder,
  ): Promise<Connection<Execution>> {
    const { limit, offset } = page
    const { executions, isCut, goesOn, total } = await this.#read(page, filter, {
      where: whereOf(filter),
      order,
      limit,
      offset,
      bytes: this.budget.bytes,
    })
    if (isCut) this.budget.spend(this.budget.bytes + 1)
    const { pageInfo, ...found } = connect(
      { from: offset > 0 ? [] : null, isBackward: false, limit },
      {
        rows: executions,
        cursorOf: ({ id }) => cursorOf(id),
        count: async () => total ?? this.#count(filter),
        goesOn,
      },
    )
    return { ...found, pageInfo: { ...pageInfo, startCursor: null, endCursor: null } }
  }

  #count(filter: ExecutionFilter): Promise<number> {
    return withinTime(this.em, (em) => countOf(em, filter))
  }

  /** All in one snapshot: an execution that is deleted meanwhile is in neither the page nor the total, or in both. */
  #read(
    { isCounted }: Pick<Page, 'isCounted'>,
    filter: ExecutionFilter,
    range: ListedRange,
  ): Promise<ReadPage> {
    const { where, order, limit, offset, bytes } = range
    return this.budget.inTurn(async () => {
      const value = await withinTime(this.em, async (em) => {
        const { rows } = await sql<{ id: string }>`
          select id from test_execution.execution as execution where ${where}
          order by ${order} limit ${limit + 1} offset ${offset}`.execute(em.getKysely())
        const ids = rows.slice(0, limit).map(({ id }) => id)
        const total = isCounted ? await countOf(em, filter) : undefined
        const rest = sql`where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`
        const read = await selectUpToBytes(em, { name: 'executions-in-order', rest }, bytes)
        return { ...read, goesOn: rows.length > limit, total }
      })
      return { value, bytes: value.bytes }
    })
  }
}

async function countOf(em: EntityManager, filter: ExecutionFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from test_execution.execution as execution
    where ${whereOf(filter)}`.execute(em.getKysely())
  return rows[0]?.count ?? 0
}

interface ListedRange {
  where: RawBuilder<boolean>
  order: RawBuilder<unknown>
  limit: number
  offset: number
  bytes: number
}

interface ReadPage extends Read {
  /** Behind the limit. */
  goesOn: boolean
  total: number | undefined
}

export const isExecutionKey: IsKey = ([id = '', ...rest]) => UUID.test(id) && rest.length === 0
