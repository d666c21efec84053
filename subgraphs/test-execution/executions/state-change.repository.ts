import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { ExecutionEntity } from './execution.entity.ts'
import { toExecution } from './execution.rows.ts'
import type { Execution, ExecutionStateName } from './execution.ts'
import type { ExecutionFilter } from './execution-list.repository.ts'

/**
 * A place in the order of commit. Transactions commit in another order than they begin, so only what lies below the
 * oldest running one is read: nothing can appear there any more.
 */
export interface StatePosition {
  xact: string
  executionId: string
  seq: number
}

/** A change of state, with the execution as it is by now. */
export interface StateChange extends StatePosition {
  state: ExecutionStateName
  execution: Execution
}

export interface StatePart {
  changes: StateChange[]
  /** Where reading goes on. */
  next: StatePosition
  /** `more` can be read at once, `soon` when an older transaction has ended, `nothing` is left. */
  rest: 'more' | 'soon' | 'nothing'
}

/** Before everything that the transaction did. */
export const beginningOf = (xact: string): StatePosition => ({ xact, executionId: NO_ID, seq: 0 })
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Reads the changes of state of all executions in the order of commit. */
export class StateChangeRepository {
  constructor(private readonly em: EntityManager) {}

  /** Behind everything that was committed up to now, apart from what older transactions hold back. */
  async end(): Promise<StatePosition> {
    const { rows } = await sql<{ xact: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as xact`.execute(this.#kysely())
    return beginningOf(rows[0]?.xact ?? '0')
  }

  /** Whether a transaction can be one of this database. */
  async isKnown(xact: string): Promise<boolean> {
    const { rows } = await sql<{ known: boolean }>`
      select ${xact}::xid8 < pg_snapshot_xmax(pg_current_snapshot()) as known`.execute(
      this.#kysely(),
    )
    return rows[0]?.known ?? false
  }

  async read(
    { xact, executionId, seq }: StatePosition,
    { contextId = null, type = null, states = null }: ExecutionFilter,
    limit: number,
  ): Promise<StatePart> {
    const { rows } = await sql<Row>`
      select horizon.xmin::text as horizon, exists (
          select from test_execution.execution_update as held
          where held.kind = 'STATE' and held.xact >= horizon.xmin) as "isHeldBack", found.*
      from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) as horizon
      left join lateral (
        select change.xact::text as xact, change.execution_id as "executionId", change.seq, change.state
        from test_execution.execution_update as change
        join test_execution.execution as execution on execution.id = change.execution_id
        where change.kind = 'STATE' and change.xact < horizon.xmin
          and (change.xact, change.execution_id, change.seq) > (${xact}::xid8, ${executionId}::uuid, ${seq}::int)
          and (${contextId}::text is null or execution.context_id = ${contextId})
          and (${type}::text is null or execution.type = ${type})
          and (${states}::text[] is null or change.state = any(${states}))
        order by change.xact, change.execution_id, change.seq limit ${limit}
      ) as found on true`.execute(this.#kysely())
    const found = rows.filter((row): row is Found => row.executionId !== null)
    const executions = await this.#executions(found)
    const changes = found.flatMap(({ executionId, xact, seq, state }) => {
      const execution = executions.get(executionId)
      return execution ? [{ executionId, xact, seq, state, execution }] : []
    })
    const last = found.at(-1)
    if (last && found.length === limit) return { changes, next: last, rest: 'more' }
    const [{ horizon, isHeldBack } = { horizon: xact, isHeldBack: false }] = rows
    return { changes, next: beginningOf(horizon), rest: isHeldBack ? 'soon' : 'nothing' }
  }

  async #executions(found: readonly Found[]): Promise<Map<string, Execution>> {
    const ids = [...new Set(found.map(({ executionId }) => executionId))]
    if (ids.length === 0) return new Map()
    const rows = await this.em.fork().find(ExecutionEntity, { id: { $in: ids } })
    return new Map(rows.map((row) => [row.id, toExecution(row)]))
  }

  #kysely() {
    return this.em.fork().getKysely()
  }
}

interface Found extends StatePosition {
  horizon: string
  isHeldBack: boolean
  state: ExecutionStateName
}

/** Where nothing is found, one row tells the horizon alone. */
type Row = Found | (Pick<Found, 'horizon' | 'isHeldBack'> & { executionId: null })
