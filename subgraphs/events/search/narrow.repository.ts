import type { MikroORM } from '@mikro-orm/postgresql'
import type { Page } from '../../shared/paging/page.ts'
import { type Condition, clauseOf, numbered } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { poolOf, runSql, type Sql } from '../tables/sql.repository.ts'
import { type Candidates, findCandidates } from './candidates.repository.ts'
import { type Key, ListOrder } from './list-order.ts'

/** So many candidates are judged at once. */
const FEW = 5_000
/** With more candidates than this, a page is mostly found sooner in the order of the list. There are more raw events. */
const SEVERAL: Record<Table, number> = { event: FEW, raw: 30_000 }
/** More candidates than this are not judged to count what matches. */
const COUNTED: Record<Table, number> = { event: FEW, raw: 10_000 }
/** Of more than a few candidates these are judged first; so much is judged at once for a page of any size. */
const FIRST = 2_000
/** So many rows are judged in the order of the list before candidates are tried all the same. */
const IN_ORDER = 20_000

/** How a list is read quickest. */
export interface ListPlan {
  /** Conditions that leave more and more of the page, each for whom the former left less than a page. The last leave all. */
  parts: Iterable<readonly Condition[]> | AsyncIterable<readonly Condition[]>
  count: readonly Condition[]
  /** How `count` finds its rows: among few candidates, in the order of the list, or not at all, because it are too many. */
  counting: 'candidates' | 'in order' | 'estimate'
  /** No estimate is higher. */
  atMost: number
}

/** Everything is judged in the order of the list. @param as what statements call its rows */
export const planInOrder = (
  conditions: readonly Condition[],
  order: ListOrder,
  as: string,
): ListPlan => ({
  parts: [[...order.begin(as), ...conditions]],
  count: conditions,
  counting: 'in order',
  atMost: Infinity,
})

/**
 * Looks in the search tables for how many rows may match, and where these are.
 * @param conditions on `table`
 */
export async function planList(
  orm: MikroORM,
  table: Table,
  conditions: readonly Condition[],
  page: Page,
): Promise<ListPlan> {
  const order = new ListOrder(table, page)
  const given = conditions.flatMap(({ lookup }) => lookup ?? [])
  if (given.length === 0) return planInOrder(conditions, order, table)
  const pool = await poolOf(orm)
  const candidates = await findCandidates(pool, table, given, SEVERAL[table])
  const list = { pool, table, conditions, order, candidates }
  const atMost = candidates.rows
  if (candidates.rows > COUNTED[table])
    return { parts: partsOf(list), count: conditions, counting: 'estimate', atMost }
  const all = await among(list, () => [])
  const parts = page.from || candidates.rows > FEW ? partsOf(list) : [all]
  return { parts, count: all, counting: 'candidates', atMost }
}

interface List {
  pool: Sql
  table: Table
  conditions: readonly Condition[]
  order: ListOrder
  candidates: Candidates
}

async function* partsOf(list: List): AsyncGenerator<readonly Condition[]> {
  const { pool, table, conditions, order, candidates } = list
  const inOrder = [...order.begin(table), ...conditions]
  const areMany = candidates.rows > SEVERAL[table]
  if (areMany) {
    const last = await findKey(pool, order, `${PLACES[table].rows} as found`, [], IN_ORDER)
    yield last ? [order.upTo(table, last), ...inOrder] : inOrder
    if (!last) return
  }
  if (candidates.rows > FEW) {
    const { sql, parameters } = candidates
    const last = await findKey(pool, order, `(${sql}) as found`, parameters, FIRST)
    if (last) yield await among(list, (as) => [...order.begin(as), order.upTo(as, last)])
  }
  yield areMany ? inOrder : await among(list, (as) => order.begin(as))
}

/** Finds the row that stands so many behind where the page begins. @param from names its rows `found` */
async function findKey(
  pool: Sql,
  order: ListOrder,
  from: string,
  parameters: readonly unknown[],
  offset: number,
): Promise<Key | undefined> {
  const begin = clauseOf(order.begin('found'))
  const statement = numbered({
    sql: `select ${order.columns('found')} from ${from} ${begin.sql} ${order.by('found')} offset ${offset} limit 1`,
    parameters: [...parameters, ...begin.parameters],
  })
  const [row] = await runSql<object>(pool, statement.sql, statement.parameters)
  return row && (Object.values(row) as unknown as Key)
}

/**
 * What matches among the candidates and everything that is not indexed yet.
 * @param within which part of the list
 */
async function among(
  { pool, table, conditions, candidates }: List,
  within: (as: string) => readonly Condition[],
): Promise<readonly Condition[]> {
  // As values, not within the statement: the planner must see how little there is behind it.
  const [position] = await runSql<{ xact: string; id: string }>(pool, POSITION)
  const part = clauseOf(within('found'))
  const isOneOf = {
    sql: PLACES[table].isOneOf(
      `(${candidates.sql}) as found ${part.sql}`,
      'events.raw_event as late where (late.xact, late.id) > (?::xid8, ?::bigint)',
    ),
    parameters: [
      ...candidates.parameters,
      ...part.parameters,
      ...(position ? [position.xact, position.id] : ['0', '0']),
    ],
  }
  return [isOneOf, ...conditions, ...within(table).map(notByIndex)]
}

/** The planner would rather read everything in the order of the list than look few rows up. */
const notByIndex = ({ sql, parameters }: Condition): Condition => ({
  sql: `(${sql}) is true`,
  parameters,
})

const POSITION = 'select xact::text as xact, id::text as id from events.search_position'

/** How the rows of a table are found by their keys. */
interface Place {
  rows: string
  isOneOf(found: string, late: string): string
}

// As an array, so that the planner looks each up, however many it expects.
const PLACES: Record<Table, Place> = {
  event: {
    rows: 'events.event',
    isOneOf: (found, late) =>
      `event.id = any (array(select found.id from ${found} union all select late.event_id from ${late}))`,
  },
  raw: {
    rows: 'events.raw_event',
    isOneOf: (found, late) => `(raw.received_at, raw.xact, raw.id) in (
      select * from unnest(array(select found::events.raw_key from ${found}))
      union all select late.received_at, late.xact, late.id from ${late})`,
  },
}
