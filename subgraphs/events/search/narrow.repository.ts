import type { MikroORM } from '@mikro-orm/postgresql'
import { type Condition, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'

/** More candidates than this are found sooner by reading the list in its order. */
const FEW = 10_000

/**
 * A condition that leaves the few rows which may match, found in the search tables; null where these do not help: the
 * conditions have no index, or so much matches that a page is soon full. What is not indexed yet is always left.
 * @param conditions on `table`
 */
async function narrow(
  orm: MikroORM,
  table: Table,
  conditions: readonly Condition[],
): Promise<Condition | null> {
  const lookups = conditions.flatMap(({ lookup }) => (lookup ? [lookup] : []))
  if (lookups.length === 0) return null
  const { searched, key, tail, searchKey } = PLACES[table]
  const where = whereAll(lookups)
  const pool = await poolOf(orm)
  const [row] = await runSql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    pool,
    `explain (format json) select from ${searched} as search ${where.sql}`,
    where.parameters,
  )
  const estimate = row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  if (estimate > FEW) return null
  // As values, not within the statement: the planner must see how little there is behind it.
  const [position] = await runSql<{ xact: string; id: string }>(pool, POSITION)
  return {
    sql: `${key} in (select ${searchKey} from ${searched} as search where ${lookups.map(({ sql }) => sql).join(' and ')}
      union all select ${tail} from events.raw_event as late
      where (late.xact, late.id) > (?::xid8, ?::bigint))`,
    parameters: [...where.parameters, position?.xact ?? '0', position?.id ?? '0'],
  }
}

/** The conditions, with that one first where there is one. */
export async function narrowed(
  orm: MikroORM,
  table: Table,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const few = await narrow(orm, table, conditions)
  return few ? [few, ...conditions] : conditions
}

const POSITION = 'select xact::text as xact, id::text as id from events.search_position'

const PLACES = {
  event: {
    searched: 'events.event_search',
    key: 'event.id',
    searchKey: 'search.event_id',
    tail: 'late.event_id',
  },
  raw: {
    searched: 'events.raw_search',
    key: '(raw.received_at, raw.xact, raw.id)',
    searchKey: 'search.received_at, search.xact, search.id',
    tail: 'late.received_at, late.xact, late.id',
  },
} as const satisfies Record<Table, object>
