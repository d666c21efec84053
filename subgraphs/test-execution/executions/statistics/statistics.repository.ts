import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionStateName } from '../execution.ts'
import { whereOf } from '../list/filter.sql.ts'
import type { ExecutionFilter } from '../list/filter.ts'
import { withinTime } from '../list/list-timeout.repository.ts'
import type { ExecutionBucket, ExecutionCounts, FlakyContext } from './statistics.type.ts'

interface Row extends Omit<ExecutionCounts, 'passRate'> {
  /** From 0; null for all of them together. */
  bucket: number | null
}

/** Counts executions in the database. */
export class StatisticsRepository {
  constructor(private readonly em: EntityManager) {}

  /** Counts executions; a repeated one counts once, as its last repetition. @param bounds of buckets, in order @returns buckets that are not empty by their place, and the whole span */
  async count(
    bounds: readonly Date[],
    filter: ExecutionFilter,
  ): Promise<{ whole: ExecutionCounts; buckets: Map<number, ExecutionBucket> }> {
    const times = bounds.map((bound) => bound.toISOString())
    const { rows } = await withinTime(this.em, (em) =>
      sql<Row>`
        select bucket, count(*)::int as total,
          count(*) filter (where state = 'RUNNING')::int as running,
          count(*) filter (where state = 'COMPLETED')::int as completed,
          count(*) filter (where state = 'FAILED')::int as failed,
          count(*) filter (where state = 'ERROR')::int as error,
          percentile_cont(0.5) within group (order by ms)::float8 as "durationP50Ms",
          percentile_cont(0.95) within group (order by ms)::float8 as "durationP95Ms"
        from (
          select state, width_bucket(started, ${times}::timestamptz[]) - 1 as bucket,
            (extract(epoch from ended - started) * 1000)::float8 as ms
          from test_execution.execution as execution
          where started >= ${times[0]}::timestamptz and started < ${times.at(-1)}::timestamptz and again_id is null and ${whereOf(filter)}
        ) as found
        group by grouping sets ((bucket), ()) order by bucket nulls last`.execute(em.getKysely()),
    )
    const counts = rows.map(({ bucket, ...row }) => ({ bucket, ...row, passRate: passRateOf(row) }))
    return {
      whole: counts.find(({ bucket }) => bucket === null) ?? NOTHING,
      buckets: new Map(
        counts.flatMap(({ bucket, ...row }) => {
          const start = bucket === null ? undefined : bounds[bucket]
          return bucket === null || !start ? [] : [[bucket, { ...row, start }]]
        }),
      ),
    }
  }

  /** The last good execution of the same that had ended before one was accepted, by its id; without one, the last. */
  async before({ id, contextId, type }: Execution): Promise<string | null> {
    const last = (states: readonly ExecutionStateName[]) => sql`(
      select id, state from test_execution.execution
      where context_id = ${contextId} and type = ${type} and id < ${id}::uuid
        and state = any(${[...states]}::text[]) and not details_pruned and started_by <> 'EDITOR'
      order by id desc limit 1)`
    const { rows } = await sql<{ id: string }>`
      select id from (${last(['COMPLETED'])} union all ${last(['FAILED', 'ERROR'])}) as found
      order by state = 'COMPLETED' desc limit 1`.execute(this.em.fork().getKysely())
    return rows[0]?.id ?? null
  }

  /**
   * The scenarios and suites whose verdict changed most often between executions of the same revisions.
   * @param runs of each that are looked at: the last ones since `from`
   */
  async flaky(
    from: Date,
    runs: number,
    limit: number,
    filter: ExecutionFilter,
  ): Promise<FlakyContext[]> {
    const { rows } = await withinTime(this.em, (em) =>
      sql<FlakyContext>`
        select * from (
          select context_id as "contextId", max(type) as type,
            (array_agg(context_name order by id desc))[1] as name, count(*)::int as runs,
            count(*) filter (where changes)::int as changes,
            (count(*) filter (where changes) / greatest(count(*) - 1, 1)::float8)::float8 as score,
            (array_agg(state order by id desc))[1] as "lastState"
          from (
            select *, differs and nth < ${runs} as changes from (
            select id, context_id, type, context_name, state,
              row_number() over (partition by type, context_id order by id desc) as nth,
              revision_digest <> '' and lag(revision_digest) over before = revision_digest
                and (lag(state) over before = 'COMPLETED') <> (state = 'COMPLETED') as differs
            from test_execution.execution as execution
            where state <> 'RUNNING' and error_code is distinct from 'CANCELLED'
              and started >= ${from} and ${whereOf(filter)}
            window before as (partition by type, context_id order by id)
            ) as followed
          ) as numbered
          where nth <= ${runs} group by type, context_id
        ) as scored
        where changes > 0 order by score desc, changes desc, "contextId" limit ${limit}`.execute(
        em.getKysely(),
      ),
    )
    return rows
  }
}

const NOTHING: ExecutionCounts = {
  ...{ total: 0, running: 0, completed: 0, failed: 0, error: 0 },
  ...{ passRate: null, durationP50Ms: null, durationP95Ms: null },
}

export const emptyBucket = (start: Date): ExecutionBucket => ({ ...NOTHING, start })

const passRateOf = ({ completed, failed, error }: Omit<Row, 'bucket'>): number | null => {
  const ended = completed + failed + error
  return ended === 0 ? null : completed / ended
}
