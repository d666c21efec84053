import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import {
  type Connection,
  connect,
  cursorOf,
  type IsKey,
  type Page,
} from '../../shared/paging/page.ts'
import { ExecutionEntity, type ExecutionRow } from './execution.entity.ts'
import { toExecution, UUID } from './execution.rows.ts'
import type { Execution, ExecutionStateName, ExecutionTypeName } from './execution.ts'

/** Which executions; what is absent does not matter. */
export interface ExecutionFilter {
  contextId?: string | null
  type?: ExecutionTypeName | null
  states?: readonly ExecutionStateName[] | null
}

/** Lists of executions, newest first. */
export class ExecutionListRepository {
  constructor(private readonly em: EntityManager) {}

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
      { orderBy: { id: isBackward ? 'asc' : 'desc' }, limit: limit + 1 },
    )
    return connect(
      { from, isBackward, limit, ...page },
      rows.map(toExecution),
      ({ id }) => cursorOf(id),
      () => em.count(ExecutionEntity, matching),
    )
  }
}

export const isExecutionKey: IsKey = ([id = '', ...rest]) => UUID.test(id) && rest.length === 0
