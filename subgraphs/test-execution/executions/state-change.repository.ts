import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { batched } from '../../shared/batched.ts'
import type { HorizonRepository } from '../../shared/position/horizon.repository.ts'
import type { Part, Placed } from '../../shared/tail/interest.ts'
import type { ExecutionStateName, ExecutionTypeName } from './execution.ts'
import type { ExecutionFilter } from './execution-list.repository.ts'
import { executionsByIds } from './progress.repository.ts'

/** Identifies a change of state. */
export interface StateChangeKey {
  executionId: string
  seq: number
}

/** A change of state, with what filters ask about its execution. */
export interface StateChange extends StateChangeKey, Placed {
  state: ExecutionStateName
  contextId: string
  type: ExecutionTypeName
}

/** Rows of one read. */
const PART = 100

/** Reads the changes of state of all executions in the order of their positions, up to the horizon. */
export class StateChangeRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly horizon: Pick<HorizonRepository, 'read'>,
  ) {}

  /** The execution of a change as it is by now. */
  readonly loadExecution = batched((ids) => executionsByIds(this.em.fork(), ids))

  /** Behind everything that was committed up to now, apart from what older transactions hold back. */
  async end(): Promise<number> {
    const { complete } = await this.horizon.read()
    const { rows } = await sql<{ last: string | null }>`
      select max(position)::text as last from test_execution.execution_update
      where position <= ${complete}::bigint`.execute(this.#kysely())
    return Number(rows[0]?.last ?? 0)
  }

  /** @returns its position; null where the change is unknown, or was deleted because of its age */
  async find({ executionId, seq }: StateChangeKey): Promise<number | null> {
    const { rows } = await sql<{ position: string }>`
      select position::text as position from test_execution.execution_update
      where execution_id = ${executionId}::uuid and seq = ${seq}::int and kind = 'STATE'`.execute(
      this.#kysely(),
    )
    return rows[0] ? Number(rows[0].position) : null
  }

  async read(
    after: number,
    { contextId = null, type = null, states = null }: ExecutionFilter,
    limit = PART,
  ): Promise<Part<StateChange>> {
    const { complete, isHeldBack } = await this.horizon.read()
    const { rows: found } = await sql<Row>`
      select stored.last, found.*
      from (
        select max(position)::text as last from test_execution.execution_update
        where position > ${after}::bigint and position <= ${complete}::bigint
      ) as stored
      left join lateral (
        select change.position::text as position, change.execution_id as "executionId", change.seq, change.state,
          execution.context_id as "contextId", execution.type
        from test_execution.execution_update as change
        join test_execution.execution as execution on execution.id = change.execution_id
        where change.kind = 'STATE'
          and change.position > ${after}::bigint and change.position <= ${complete}::bigint
          and (${contextId}::text is null or execution.context_id = ${contextId})
          and (${type}::text is null or execution.type = ${type})
          and (${states}::text[] is null or change.state = any(${states}))
        order by change.position limit ${limit}
      ) as found on stored.last is not null`.execute(this.#kysely())
    const rows = found
      .filter((row): row is Found => row.executionId !== null)
      .map(({ last, ...row }) => ({ ...row, position: Number(row.position) }))
    const last = rows.at(-1)
    if (last && rows.length === limit) return { rows, next: last.position, rest: 'more' }
    // Behind a stored row, not at the horizon: after a crash the database may draw the numbers of lost rows again.
    const next = Number(found[0]?.last ?? after)
    return { rows, next, rest: isHeldBack ? 'soon' : 'nothing' }
  }

  #kysely() {
    return this.em.fork().getKysely()
  }
}

interface Found extends Omit<StateChange, 'position'> {
  position: string
  /** The last change that is stored up to the horizon, whether it matches or not. */
  last: string | null
}

/** Where nothing is found, one row has the last stored change alone. */
type Row = Found | (Pick<Found, 'last'> & { executionId: null })
