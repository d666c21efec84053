import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { batched } from '../../../../platform/async/turns.ts'
import type { HorizonRepository } from '../../../../platform/position/horizon.repository.ts'
import type { Part, Placed } from '../../../../platform/tail/interest.ts'
import { whereOf } from '../list/filter.sql.ts'
import type { ExecutionFilter, Filtered } from '../list/filter.ts'
import { executionsByIds } from '../run/progress.repository.ts'

/** Identifies a change of state. */
export interface StateChangeKey {
  executionId: string
  seq: number
}

/** A change of state, with what filters ask about its execution; `state` is the one that it changed to. */
export type StateChange = StateChangeKey & Placed & Filtered

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

  /** The last change up to the horizon, so that all that comes after it is read behind it. @returns null where none is kept */
  async last(): Promise<StateChangeKey | null> {
    const { complete } = await this.horizon.read()
    const { rows } = await sql<StateChangeKey>`
      select execution_id as "executionId", seq from test_execution.execution_update
      where position <= ${complete}::bigint order by position desc limit 1`.execute(this.#kysely())
    return rows[0] ?? null
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
    { states = null, ...filter }: ExecutionFilter,
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
          ${FILTERED}
        from test_execution.execution_update as change
        join test_execution.execution as execution on execution.id = change.execution_id
        where change.kind = 'STATE'
          and change.position > ${after}::bigint and change.position <= ${complete}::bigint
          and ${whereOf(filter)}
          and (${states}::text[] is null or change.state = any(${states}))
        order by change.position limit ${limit}
      ) as found on stored.last is not null`.execute(this.#kysely())
    const rows = found
      .filter((row): row is FoundChange => row.executionId !== null)
      .map(({ last, started, ended, ...row }) => ({
        ...row,
        position: Number(row.position),
        started: new Date(started),
        ended: ended === null ? null : new Date(ended),
      }))
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

/** Columns that filters read besides the state. */
const FILTERED =
  sql.raw(`execution.id, execution.context_id as "contextId", execution.context_name as "contextName", execution.type,
  execution.labels, execution.environment_id as "environmentId", execution.executed_by as "executedBy",
  execution.started_by as "startedBy",
  execution.started, execution.ended, execution.suite_id as "suiteId", execution.message,
  execution.error_code as "errorCode", execution.use_code_coverage as "useCodeCoverage",
  execution.cause_id as "causeId", execution.revisions`)

/** Times come as text. */
interface FoundChange extends Omit<StateChange, 'position' | 'started' | 'ended'> {
  position: string
  started: string
  ended: string | null
  /** The last change that is stored up to the horizon, whether it matches or not. */
  last: string | null
}

/** Row that was found, or one with the last stored change alone. */
type Row = FoundChange | (Pick<FoundChange, 'last'> & { executionId: null })
