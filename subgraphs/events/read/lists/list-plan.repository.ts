import type { Sql } from '../../../../platform/database/sql.ts'
import { type Condition, clauseOf } from '../../../../platform/event-query/condition.ts'
import type { Table } from '../../../../platform/event-query/fields.ts'
import { about, exactly, type Total } from '../../../../platform/paging/page.ts'
import {
  type AllKeys,
  among,
  estimateLate,
  findKey,
  found,
  type List,
  readFirstKeys,
  readIndexed,
  readKeys,
} from './candidate-keys.repository.ts'
import { findCandidates } from './candidates.repository.ts'
import { countInOrder, countRows, estimateList, MAX_COUNT } from './count.repository.ts'
import type { ListOrder } from './list-order.ts'

/*
 * Plans of lists. Candidates are the rows that the search tables find for the query; a plan that reads them adds the
 * rows that are not indexed yet. Every row is judged by the whole query.
 *
 * | Candidates, estimated | Plan     | Reads, until the page is full                                              |
 * |-----------------------|----------|----------------------------------------------------------------------------|
 * | the query has no index| in order | all rows in the order of the list                                          |
 * | at most COUNTED       | by keys  | all keys of candidates; the first FIRST rows, then the others; mixed where |
 * |                       |          | there turn out to be more than MOST_KEYS                                   |
 * | up to SEVERAL         | mixed    | IN_ORDER rows in order; FIRST candidates behind; all candidates behind     |
 * | up to LARGEST_PART    | mixed    | IN_ORDER rows in order; FIRST candidates behind; all in order              |
 * | more                  | mixed    | IN_ORDER rows in order; all behind them in order                           |
 */

/** Candidates judged at once, for a page of any size. */
const FIRST = 1_100
/** Candidates whose keys are read at once. */
const COUNTED = 3_000
/** With more candidates than this, those that were expected to be at most COUNTED are not all read. */
const MOST_KEYS = 9_000
const LIMITS = { first: FIRST, few: COUNTED, most: MOST_KEYS }
/** With more candidates than this, reading all rows in the order of the list takes less time. There are more raw events. */
const SEVERAL: Record<Table, number> = { event: 5_000, raw: 30_000 }
/** The first candidates are not looked for where they are a larger part of all rows than this. */
const LARGEST_PART = 1 / 3
/** Rows judged in the order of the list before the plan falls back to candidates. */
const IN_ORDER = 10_000
/** Up to this number candidates are counted by their keys, above it all rows in the order of the list. */
const COUNTED_BY_KEY = 30_000

/** Quickest plan for reading a list. */
export interface ListPlan {
  order: ListOrder
  /** One behind the other, each for when those before it had less than a page. */
  parts: Iterable<Part> | AsyncIterable<Part>
  /** Counts the whole list. @param some what the parts have counted */
  count(sql: Sql, some: number): Promise<Total>
  /** The same as the planner expects it. */
  estimate(sql: Sql): Promise<number>
}

export interface Part {
  from: Condition
  where: readonly Condition[]
  /** Set if reading also counts matches: together with earlier parts all of them, or some. */
  counts?: 'all' | 'some'
}

/** Everything is judged in the order of the list. */
export const planInOrder = (order: ListOrder, conditions: readonly Condition[]): ListPlan => ({
  order,
  parts: [{ from: order.from, where: [...order.begin(), ...conditions] }],
  count: (sql) => countInOrder(sql, order, conditions),
  estimate: (sql) => estimateList(sql, order, conditions),
})

/** Sorts all that match, in an order that no index has: candidates where they are few, else all rows. */
export async function planSorted(
  pool: Sql,
  order: ListOrder,
  conditions: readonly Condition[],
): Promise<ListPlan> {
  const rows = await rowsToSort(pool, order, conditions)
  const estimate = (sql: Sql) => estimateList(sql, order, conditions)
  return {
    order,
    parts: [{ from: rows.from, where: [...rows.where, ...order.begin()] }],
    estimate,
    async count(sql) {
      const counted = await countRows(sql, rows, `limit ${MAX_COUNT + 1}`)
      return counted <= MAX_COUNT ? exactly(counted) : about(Math.max(counted, await estimate(sql)))
    },
  }
}

async function rowsToSort(pool: Sql, order: ListOrder, conditions: readonly Condition[]) {
  const all = { from: order.from, where: conditions }
  const given = conditions.flatMap(({ lookup }) => lookup ?? [])
  if (given.length === 0) return all
  const most = SEVERAL[order.table]
  const candidates = await findCandidates(pool, order.table, given, most)
  if (candidates.rows > most) return all
  const list = { pool, order, conditions, candidates, indexed: await readIndexed(pool) }
  return among(list, found(list, everywhere), everywhere)
}

/** Looks in the search tables for how many rows may match, and where these are. */
export async function planList(
  pool: Sql,
  order: ListOrder,
  conditions: readonly Condition[],
): Promise<ListPlan> {
  const given = conditions.flatMap(({ lookup }) => lookup ?? [])
  if (given.length === 0) return planInOrder(order, conditions)
  const candidates = await findCandidates(pool, order.table, given, SEVERAL[order.table])
  // A total is counted later: rows indexed meanwhile are judged twice then, rather than not at all.
  const indexed = await readIndexed(pool)
  const list = { pool, order, conditions, candidates, indexed }
  return candidates.rows <= COUNTED ? planByKeys(list) : planMixed(list)
}

/** The keys of candidates are read first: estimates of rare values can be a hundred times too low. */
async function planByKeys(list: List): Promise<ListPlan> {
  const { order } = list
  const isWhole = order.begin().length === 0
  const keys = await readKeys(list, (as) => order.begin(as), LIMITS)
  if (keys.total > MOST_KEYS)
    return planMixed({ ...list, candidates: { ...list.candidates, rows: keys.total } }, Infinity)
  function* parts(): Generator<Part> {
    const behind = behindFirst(list, keys)
    const first = amongFirst(list, keys)
    if (!hasMore(keys)) return yield { ...first, ...(isWhole && { counts: 'all' }) }
    yield { ...first, ...(isWhole && { counts: 'some' }) }
    if (keys.total > COUNTED) yield among(list, found(list, behind), behind)
    else yield { ...among(list, keys.next, behind), ...(isWhole && { counts: 'all' }) }
  }
  return {
    order,
    parts: parts(),
    count: async (sql, counted) => {
      if (isWhole) return countBehind(sql, list, keys, counted)
      const whole = { ...list, pool: sql, order: order.whole() }
      const all = await readKeys(whole, () => [], LIMITS)
      return countBehind(sql, whole, all, await countRows(sql, amongFirst(whole, all)))
    },
    estimate: async (sql) => {
      const most = isWhole ? keys.total + (await estimateLate(sql, list)) : Infinity
      return Math.min(most, await estimateList(sql, order, list.conditions))
    },
  }
}

const everywhere = () => []

const hasMore = ({ total }: AllKeys): boolean => total > FIRST

const behindFirst =
  ({ order }: List, { last }: AllKeys) =>
  (as: string): Condition[] =>
    last ? [order.behind(last, as)] : []

const amongFirst = (list: List, keys: AllKeys) =>
  among(list, keys.first, (as) => [
    ...list.order.begin(as),
    ...(hasMore(keys) && keys.last ? [list.order.upTo(keys.last, as)] : []),
  ])

/** @param some of the first candidates match */
async function countBehind(sql: Sql, list: List, keys: AllKeys, some: number): Promise<Total> {
  if (!hasMore(keys)) return exactly(some)
  const behind = behindFirst(list, keys)
  const rows = keys.total > COUNTED ? found(list, behind) : keys.next
  return exactly(some + (await countRows(sql, among(list, rows, behind))))
}

/**
 * Reads a part in the order of the list, then candidates behind it, and at last everything that may match.
 * @param most how many candidates there are at most, about
 */
function planMixed(list: List, most = list.candidates.rows): ListPlan {
  const { pool, order, conditions, candidates } = list
  const { from } = order
  async function* parts(): AsyncGenerator<Part> {
    const begin = clauseOf(order.begin())
    const sql = `(select * from ${from.sql} ${begin.sql} ${order.by()} limit ${IN_ORDER}) as ${order.table}`
    yield { from: { sql, parameters: begin.parameters }, where: conditions }
    const end = await findKey(list, order.begin(), IN_ORDER)
    if (!end) return
    const rows = await estimateList(pool, order, [])
    if (candidates.rows > rows * LARGEST_PART)
      return yield { from, where: [order.behind(end), ...conditions] }
    const { first, last } = await readFirstKeys(list, (as) => [order.behind(end, as)], FIRST)
    const within = (as: string) => [order.behind(end, as), ...(last ? [order.upTo(last, as)] : [])]
    yield among(list, first, within)
    if (!last) return
    const behind = (as: string) => [order.behind(last, as)]
    if (candidates.rows > SEVERAL[order.table])
      yield { from, where: [...behind(order.table), ...conditions] }
    else yield among(list, found(list, behind), behind)
  }
  const estimate = async (sql: Sql) =>
    Math.min(most + (await estimateLate(sql, list)), await estimateList(sql, order, conditions))
  const count = async (sql: Sql): Promise<Total> => {
    const whole = { ...list, pool: sql, order: order.whole() }
    if (candidates.rows > COUNTED_BY_KEY) return countInOrder(sql, whole.order, conditions)
    const rows = among(whole, found(whole, everywhere), everywhere)
    const counted = await countRows(sql, rows, `limit ${MAX_COUNT + 1}`)
    return counted <= MAX_COUNT ? exactly(counted) : about(Math.max(counted, await estimate(sql)))
  }
  return { order, parts: parts(), count, estimate }
}
