import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { HorizonRepository } from '../../shared/position/horizon.repository.ts'
import { ExecutionEntity } from './execution.entity.ts'
import { toExecution } from './execution.rows.ts'
import type { Execution, ExecutionStateName } from './execution.ts'
import type { ExecutionFilter } from './execution-list.repository.ts'

/** A place in the order of state changes, behind which reading goes on. */
export interface StatePosition {
  /** Of a change that is stored, or 0. */
  position: string
  /** The horizon that was read up to; while it stays, there is nothing to read. */
  readUpTo: string | null
}

export const BEGINNING: StatePosition = { position: '0', readUpTo: null }

/** Identifies a change of state. */
export interface StateChangeKey {
  executionId: string
  seq: number
}

/** A change of state, with the execution as it is by now. */
export interface StateChange extends StateChangeKey {
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

/** Reads the changes of state of all executions in the order of their positions, up to the horizon. */
export class StateChangeRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly horizon: Pick<HorizonRepository, 'read'>,
  ) {}

  /** Behind everything that was committed up to now, apart from what older transactions hold back. */
  async end(): Promise<StatePosition> {
    const { complete } = await this.horizon.read()
    const { rows } = await sql<{ last: string | null }>`
      select max(position)::text as last from test_execution.execution_update
      where position <= ${complete}::bigint`.execute(this.#kysely())
    return { position: rows[0]?.last ?? '0', readUpTo: complete }
  }

  /** @returns null where the change is unknown, or was deleted because of its age */
  async find({ executionId, seq }: StateChangeKey): Promise<StatePosition | null> {
    const { rows } = await sql<{ position: string }>`
      select position::text as position from test_execution.execution_update
      where execution_id = ${executionId}::uuid and seq = ${seq}::int and kind = 'STATE'`.execute(
      this.#kysely(),
    )
    return rows[0] ? { position: rows[0].position, readUpTo: null } : null
  }

  async read(
    { position, readUpTo }: StatePosition,
    { contextId = null, type = null, states = null }: ExecutionFilter,
    limit: number,
  ): Promise<StatePart> {
    const { complete, isHeldBack } = await this.horizon.read()
    const rest = isHeldBack ? 'soon' : 'nothing'
    if (complete === readUpTo) return { changes: [], next: { position, readUpTo }, rest }
    const { rows } = await sql<Row>`
      select stored.last, found.*
      from (
        select max(position)::text as last from test_execution.execution_update
        where position > ${position}::bigint and position <= ${complete}::bigint
      ) as stored
      left join lateral (
        select change.position::text as position, change.execution_id as "executionId", change.seq, change.state
        from test_execution.execution_update as change
        join test_execution.execution as execution on execution.id = change.execution_id
        where change.kind = 'STATE'
          and change.position > ${position}::bigint and change.position <= ${complete}::bigint
          and (${contextId}::text is null or execution.context_id = ${contextId})
          and (${type}::text is null or execution.type = ${type})
          and (${states}::text[] is null or change.state = any(${states}))
        order by change.position limit ${limit}
      ) as found on stored.last is not null`.execute(this.#kysely())
    const found = rows.filter((row): row is Found => row.executionId !== null)
    const executions = await this.#executions(found)
    const changes = found.flatMap(({ executionId, seq, state }) => {
      const execution = executions.get(executionId)
      return execution ? [{ executionId, seq, state, execution }] : []
    })
    const last = found.at(-1)
    if (last && found.length === limit)
      return { changes, next: { position: last.position, readUpTo: null }, rest: 'more' }
    // Behind a stored row, not at the horizon: after a crash the database may draw the numbers of lost rows again.
    return { changes, next: { position: rows[0]?.last ?? position, readUpTo: complete }, rest }
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

interface Found extends StateChangeKey {
  position: string
  state: ExecutionStateName
  /** The last change that is stored up to the horizon, whether it matches or not. */
  last: string | null
}

/** Where nothing is found, one row has the last stored change alone. */
type Row = Found | (Pick<Found, 'last'> & { executionId: null })
