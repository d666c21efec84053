import { type Condition, clauseOf, numbered, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { runSql, type Sql } from '../tables/sql.repository.ts'
import { type Candidates, estimateRows, findCandidates } from './candidates.repository.ts'
import type { Key, ListOrder } from './list-order.ts'

/** So many candidates are judged at once, for the page and to count what matches. */
const FEW = 5_000
/** With more candidates than this, a page is mostly found sooner in the order of the list. There are more raw events. */
const SEVERAL: Record<Table, number> = { event: FEW, raw: 30_000 }
/** The first candidates are not looked for where they are a larger part of all rows than this. */
const LARGEST_PART = 1 / 3
/** Of more than a few candidates so many are judged first, for a page of any size. */
const FIRST = 2_000
/** So many rows are judged in the order of the list before candidates are tried all the same. */
const IN_ORDER = 20_000

/** How a list is read quickest. */
export interface ListPlan {
  order: ListOrder
  /** Longer and longer beginnings of the page, each for when the former had less than a page. The last is the whole. */
  parts: Iterable<Part> | AsyncIterable<Part>
  count: readonly Condition[]
  /** How `count` finds its rows: among few candidates, in the order of the list, or not at all, because it are too many. */
  counting: 'candidates' | 'in order' | 'estimate'
  /** No estimate is higher. */
  atMost(): Promise<number>
}

export interface Part {
  from: Condition
  where: readonly Condition[]
  /** It is the whole list, too, and quick to read from end to end. */
  isCounted?: boolean
}

/** Everything is judged in the order of the list. */
export const planInOrder = (order: ListOrder, conditions: readonly Condition[]): ListPlan => ({
  order,
  parts: [{ from: order.from, where: [...order.begin(), ...conditions] }],
  count: conditions,
  counting: 'in order',
  atMost: async () => Infinity,
})

/** Looks in the search tables for how many rows may match, and where these are. */
export async function planList(
  pool: Sql,
  order: ListOrder,
  conditions: readonly Condition[],
): Promise<ListPlan> {
  const given = conditions.flatMap(({ lookup }) => lookup ?? [])
  if (given.length === 0) return planInOrder(order, conditions)
  const candidates = await findCandidates(pool, order.table, given, SEVERAL[order.table])
  const list = { pool, order, conditions, candidates }
  const atMost = async () => candidates.rows + (await estimateLate(pool))
  if (candidates.rows > FEW)
    return { order, parts: partsOf(list), count: conditions, counting: 'estimate', atMost }
  const all = await among(list, () => [])
  const begin = order.begin()
  const part = begin.length > 0 ? await among(list, (as) => order.begin(as)) : all
  const parts = [{ from: order.from, where: part, isCounted: part === all }]
  return { order, parts, count: all, counting: 'candidates', atMost }
}

interface List {
  pool: Sql
  order: ListOrder
  conditions: readonly Condition[]
  candidates: Candidates
}

/** Of more than a few candidates. */
async function* partsOf(list: List): AsyncGenerator<Part> {
  const { order, conditions, candidates } = list
  const { table, from } = order
  const inOrder = { from, where: [...order.begin(), ...conditions] }
  const isInOrder = candidates.rows > SEVERAL[table]
  let rest = order.begin('found')
  if (isInOrder) {
    const begin = clauseOf(order.begin())
    const sql = `(select * from ${from.sql} ${begin.sql} ${order.by()} limit ${IN_ORDER}) as ${table}`
    yield { from: { sql, parameters: begin.parameters }, where: conditions }
    const last = await findKey(list, from, table, order.begin(), IN_ORDER)
    if (!last) return
    const rows = await estimateRows(list.pool, from.sql, { sql: '', parameters: [] })
    if (candidates.rows > rows * LARGEST_PART) return yield inOrder
    rest = [order.behind(last, 'found')]
  }
  const { sql, parameters } = candidates
  const last = await findKey(list, { sql: `(${sql}) as found`, parameters }, 'found', rest, FIRST)
  if (last) {
    const where = await among(list, (as) => [...order.begin(as), order.upTo(last, as)])
    yield { from, where }
    if (isInOrder) return yield inOrder
  }
  yield { from, where: await among(list, (as) => order.begin(as)) }
}

/** Finds the last one of so many rows. @param as what `from` calls them @param rest which of them there still are */
async function findKey(
  { pool, order }: List,
  from: Condition,
  as: string,
  rest: readonly Condition[],
  many: number,
): Promise<Key | undefined> {
  const where = clauseOf(rest)
  const { sql, parameters } = numbered({
    sql: `select ${order.columns(as)} from ${from.sql} ${where.sql} ${order.by(as)} offset ${many - 1} limit 1`,
    parameters: [...from.parameters, ...where.parameters],
  })
  const [row] = await runSql<object>(pool, sql, parameters)
  return row && (Object.values(row) as unknown as Key)
}

/** What matches among the candidates and all that is not indexed yet. @param within which part of the list */
async function among(
  { pool, order: { table }, conditions, candidates }: List,
  within: (as: string) => readonly Condition[],
): Promise<readonly Condition[]> {
  const found = clauseOf(within('found'))
  // Of raw events each is at its own place; of events, what is late tells of any.
  const late = clauseOf([await isLate(pool), ...(table === 'raw' ? within('late') : [])])
  const isOneOf = {
    sql: IS_ONE_OF[table](
      `(${candidates.sql}) as found ${found.sql}`,
      `events.raw_event as late ${late.sql}`,
    ),
    parameters: [...candidates.parameters, ...found.parameters, ...late.parameters],
  }
  return [isOneOf, ...conditions, ...(table === 'event' ? within('event').map(notByIndex) : [])]
}

/** The planner would rather read everything in the order of the list than look few rows up. */
const notByIndex = ({ sql, parameters }: Condition): Condition => ({
  sql: `(${sql}) is true`,
  parameters,
})

// As an array, so that the planner looks each up, however many it expects.
const IS_ONE_OF: Record<Table, (found: string, late: string) => string> = {
  event: (found, late) =>
    `event.id = any (array(select found.id from ${found} union all select late.event_id from ${late}))`,
  raw: (found, late) => `(raw.received_at, raw.xact, raw.id) in (
    select * from unnest(array(select found::events.raw_key from ${found}))
    union all select late.received_at, late.xact, late.id from ${late})`,
}

/** Raw events that are not indexed yet. Up to where as values: the planner must see how few they are. */
async function isLate(pool: Sql): Promise<Condition> {
  const [position] = await runSql<{ xact: string; id: string }>(
    pool,
    'select xact::text as xact, id::text as id from events.search_position',
  )
  const { xact, id } = position ?? { xact: '0', id: '0' }
  return { sql: '(late.xact, late.id) > (?::xid8, ?::bigint)', parameters: [xact, id] }
}

const estimateLate = async (pool: Sql): Promise<number> =>
  estimateRows(pool, 'events.raw_event as late', whereAll([await isLate(pool)]))
