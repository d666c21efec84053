import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../shared/paging/page.ts'
import type { ReadBudget } from '../../shared/paging/read-budget.ts'
import { ExecutionEntity, type ExecutionRow } from './execution.entity.ts'
import { UUID } from './execution.rows.ts'
import type { Execution, ExecutionStateName, ExecutionTypeName } from './execution.ts'
import { selectUpToBytes } from './progress.repository.ts'

/** Selects executions. An absent condition matches all. */
export interface ExecutionFilter {
  contextId?: string | null
  type?: ExecutionTypeName | null
  states?: readonly ExecutionStateName[] | null
}

/** Lists of executions, newest first. */
export class ExecutionListRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly budget: ReadBudget,
  ) {}

  async page(
    { from, isBackward, limit, ...page }: Page,
    { contextId, type, states }: ExecutionFilter,
  ): Promise<Connection<Execution>> {
    const em = this.em.fork()
    const matching: FilterQuery<ExecutionRow> = {
      ...(contextId != null && { contextId }),
      ...(type != null && { type }),
      ...(states != null && { state: { $in: [...states] } }),
    }
    const [key] = from ?? []
    // Ids are UUIDv7: they sort by the time of their creation.
    const behind = key ? { id: isBackward ? { $gt: key } : { $lt: key } } : {}
    const rows = await em.find(
      ExecutionEntity,
      { ...matching, ...behind },
      {
        orderBy: { id: isBackward ? 'asc' : 'desc' },
        limit: limit + 1,
        fields: ['id'],
        disableIdentityMap: true,
      },
    )
    const ids = rows.map(({ id }) => id)
    const { executions, isCut } = await this.#read(ids.slice(0, limit))
    return connect(
      { from, isBackward, limit, ...page },
      executions,
      ({ id }) => cursorOf(id),
      () => em.count(ExecutionEntity, matching),
      isCut || ids.length > limit,
    )
  }

  /** A page ends by its bytes as well. */
  #read(ids: readonly string[]): ReturnType<typeof selectUpToBytes> {
    return this.budget.inTurn(async () => {
      const inOrder = sql`where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`
      const value = await selectUpToBytes(this.em.fork(), inOrder, this.budget.pageBytes)
      return { value, bytes: value.bytes }
    })
  }
}

export const isExecutionKey: IsKey = ([id = '', ...rest]) => UUID.test(id) && rest.length === 0
