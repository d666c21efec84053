import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { checkText } from '../../../../platform/database/database-text.ts'
import { inTransaction } from '../../../../platform/database/sql.ts'
import { type Connection, connect, cursorOf, type Page } from '../../../../platform/paging/page.ts'
import { UUID } from '../execution.rows.ts'
import type { Cause } from '../execution.ts'
import { whereOf } from '../list/filter.sql.ts'
import type { ExecutionFilter } from '../list/filter.ts'
import { withinTime } from '../list/list-timeout.repository.ts'
import type { FailureCause, FailureCauseFilter } from './cause.type.ts'
import { listedCauseId } from './cause-id.ts'
import { FailureVerdictEntity, type VerdictName } from './failure-verdict.entity.ts'

/** Scenarios, and suites, of a cause that are listed. */
const MAX_CAUSE_SCENARIOS = 20

/** Judgement of people on a cause, and its author. */
export interface Verdict {
  verdict: VerdictName | null
  owner: string | null
  comment: string | null
  ticket: string | null
  setBy: string
  setAt: Date
}

type Times = 'firstSeen' | 'lastSeen' | 'verdictAt'

interface Row extends Omit<FailureCause, 'id' | keyof Cause | Times> {
  lastId: string
  cause: Cause
  /** Milliseconds since 1970, as the other times. */
  firstSeen: number
  lastSeen: number
  verdictAt: number | null
}

/** Causes of failures, counted when they are read: no failure waits for another one of the same cause. */
export class CauseRepository {
  constructor(private readonly em: EntityManager) {}

  /** Those that were seen last come first. */
  page(
    page: Page,
    filter: ExecutionFilter,
    causes: FailureCauseFilter,
  ): Promise<Connection<FailureCause>> {
    return withinTime(this.em, async (em) => {
      const groups = groupsOf(filter, causes)
      const [key] = page.from ?? []
      const behind = key ? sql`where last_id ${sql.raw(page.isBackward ? '>' : '<')} ${key}` : sql``
      const { rows } = await sql<Row>`${groups} ${readOf(sql`
        select * from causes ${behind}
        order by last_id ${sql.raw(page.isBackward ? 'asc' : 'desc')} limit ${page.limit + 1}`)}
        order by page.last_id ${sql.raw(page.isBackward ? 'asc' : 'desc')}`.execute(em.getKysely())
      const total = page.isCounted
        ? await sql<{ count: number }>`${groups} select count(*)::int as count from causes`.execute(
            em.getKysely(),
          )
        : null
      const keys = new Map(rows.map((row) => [row.causeId, row.lastId]))
      return connect(page, {
        rows: rows.map((row) => toCause(row, filter)),
        cursorOf: ({ causeId }) => cursorOf(keys.get(causeId) ?? ''),
        count: async () => total?.rows[0]?.count ?? this.#count(groups),
      })
    })
  }

  /** Causes by their ids, of all executions that are kept. */
  async find(ids: readonly string[]): Promise<Map<string, FailureCause>> {
    const { rows } = await withinTime(this.em, (em) =>
      sql<Row>`${groupsOf({ causes: [...ids] }, {})} ${readOf(sql`select * from causes`)}`.execute(
        em.getKysely(),
      ),
    )
    return new Map(rows.map((row) => [row.causeId, toCause(row)]))
  }

  /** Replaces what is said of a cause. @returns false where no execution has failed by it */
  judge(id: string, verdict: Verdict): Promise<boolean> {
    checkText('input', { id, ...verdict })
    return inTransaction(this.em, async (em) => {
      const { rows } = await sql`
        select from test_execution.execution where cause_id = ${id} limit 1`.execute(em.getKysely())
      if (rows.length === 0) return false
      await em.upsert(FailureVerdictEntity, { id, ...verdict })
      return true
    })
  }

  async #count(groups: RawBuilder<unknown>): Promise<number> {
    const { rows } = await withinTime(this.em, (em) =>
      sql<{ count: number }>`${groups} select count(*)::int as count from causes`.execute(
        em.getKysely(),
      ),
    )
    return rows[0]?.count ?? 0
  }
}

/** Deletes what was said of causes by which nothing has failed since. Part of retention. */
export async function forgetVerdicts(em: EntityManager, setBefore: Date): Promise<void> {
  await sql`delete from test_execution.failure_verdict as judged
    where set_at < ${setBefore} and not exists (
      select from test_execution.execution where cause_id = judged.id)`.execute(em.getKysely())
}

/** SQL: `groups`, a row for each cause, scenario and environment, and `causes`, a row for each cause. */
const groupsOf = (
  filter: ExecutionFilter,
  { verdicts, owners, isCurrent }: FailureCauseFilter,
): RawBuilder<unknown> => sql`
  with groups as materialized (
    select found.*, judged.verdict, judged.owner, judged.comment, judged.ticket, judged.set_by, judged.set_at, (
      select last.cause_id from test_execution.execution as last
      where last.context_id = found.context_id and last.type = found.type
        and last.environment_id is not distinct from found.environment_id
        and last.state <> 'RUNNING' and last.error_code is distinct from 'CANCELLED'
      order by last.id desc limit 1) is not distinct from found.cause_id as is_current
    from (
      select cause_id, type, context_id, environment_id, count(*)::int as count,
        min(started) as first_seen, max(started) as last_seen, max(id::text) as last_id
      from test_execution.execution as execution
      where cause_id is not null and ${whereOf(filter)}
      group by cause_id, type, context_id, environment_id
    ) as found
    left join test_execution.failure_verdict as judged on judged.id = found.cause_id
    where ${verdictSql(verdicts)} and ${owners == null ? sql`true` : sql`judged.owner = any(${owners}::text[])`}
  ), causes as (
    select cause_id, max(last_id) as last_id, sum(count)::int as count, min(first_seen) as first_seen,
      max(last_seen) as last_seen, count(*)::int as scenario_count,
      count(*) filter (where is_current)::int as current_count
    from groups group by cause_id
    ${isCurrent == null ? sql`` : sql`having bool_or(is_current) = ${isCurrent}`}
  )`

const verdictSql = (verdicts: FailureCauseFilter['verdicts']): RawBuilder<unknown> =>
  verdicts == null
    ? sql`true`
    : sql`coalesce(judged.verdict, '') = any(${verdicts.map((each) => each ?? '')}::text[])`

/** SQL: a page of `causes` with all that is read of each. */
const readOf = (page: RawBuilder<unknown>): RawBuilder<unknown> => sql`, page as (${page}),
  sides as (
    select groups.*, good.id as good_id, (
      select since.id::text from test_execution.execution as since
      where since.context_id = groups.context_id and since.cause_id = groups.cause_id
        and since.environment_id is not distinct from groups.environment_id
        and (good.id is null or since.id > good.id)
      order by since.id limit 1) as since_id
    from groups join page using (cause_id)
    left join lateral (
      select passed.id from test_execution.execution as passed
      where passed.context_id = groups.context_id and passed.type = groups.type
        and passed.environment_id is not distinct from groups.environment_id
        and passed.state = 'COMPLETED' and passed.id < groups.last_id::uuid
      order by passed.id desc limit 1) as good on true
  ), begun as (
    select cause_id, min(since_id) as since_id from sides group by cause_id
  )
  select page.cause_id as "causeId", page.last_id as "lastId", page.count, ${msOf('page.first_seen')} as "firstSeen",
    ${msOf('page.last_seen')} as "lastSeen", page.scenario_count as "scenarioCount",
    page.current_count as "currentCount", last.cause, begun.since_id as "sinceId",
    (select max(good_id::text) from sides
      where cause_id = page.cause_id and good_id::text < begun.since_id) as "lastGoodId",
    (select jsonb_agg(listed order by listed."lastId" desc) from (
      select sides.context_id as "contextId", latest.context_name as name,
        sides.environment_id as "environmentId", count, sides.last_id as "lastId",
        is_current as "isCurrent", latest.is_quarantined as "isQuarantined"
      from sides join test_execution.execution as latest on latest.id = sides.last_id::uuid
      where sides.cause_id = page.cause_id
      order by sides.last_id desc limit ${MAX_CAUSE_SCENARIOS}) as listed) as scenarios,
    (select coalesce(jsonb_agg(listed order by listed.name), '[]') from (
      select suite.context_id as "contextId", max(suite.context_name) as name
      from sides join test_execution.execution as latest on latest.id = sides.last_id::uuid
      join test_execution.execution as suite on suite.id = latest.suite_id
      where sides.cause_id = page.cause_id
      group by suite.context_id order by name limit ${MAX_CAUSE_SCENARIOS}) as listed) as suites,
    judged.verdict, judged.owner, judged.comment, judged.ticket,
    judged.set_by as "verdictBy", ${msOf('judged.set_at')} as "verdictAt"
  from page join begun using (cause_id)
  join test_execution.execution as last on last.id = page.last_id::uuid
  left join test_execution.failure_verdict as judged on judged.id = page.cause_id`

const msOf = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

const toCause = (
  { cause, lastId: _, ...row }: Row,
  filter: ExecutionFilter = {},
): FailureCause => ({
  ...row,
  ...cause,
  id: listedCauseId(row.causeId, filter),
  firstSeen: new Date(row.firstSeen),
  lastSeen: new Date(row.lastSeen),
  verdictAt: row.verdictAt === null ? null : new Date(row.verdictAt),
})

export const isCauseKey = ([id = '', ...rest]: readonly string[]): boolean =>
  UUID.test(id) && rest.length === 0
