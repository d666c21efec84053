import { type Condition, clauseOf } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import type { Sql } from '../tables/sql.repository.ts'
import { estimateRows, findCandidates } from './candidates.repository.ts'
import {
  among,
  estimateLate,
  findKey,
  found,
  isLate,
  type List,
  readFirstKeys,
  readKeys,
} from './found.repository.ts'
import type { ListOrder } from './list-order.ts'

/** So many candidates are judged at once, for a page of any size. */
const FIRST = 1_500
/** With more candidates than this, what matches is estimated, not counted. */
const COUNTED = 5_000
/** With more candidates than this, a page is mostly found sooner in the order of the list. There are more raw events. */
const SEVERAL: Record<Table, number> = { event: 5_000, raw: 30_000 }
/** The first candidates are not looked for where they are a larger part of all rows than this. */
const LARGEST_PART = 1 / 3
/** So many rows are judged in the order of the list before candidates are tried all the same. */
const IN_ORDER = 10_000

/** How a list is read quickest. */
export interface ListPlan {
  order: ListOrder
  /** One behind the other, each for when those before it had less than a page. */
  parts: Iterable<Part> | AsyncIterable<Part>
  /** What is to be counted, besides what a part has counted. */
  count: readonly Condition[]
  /** How `count` finds its rows: among few candidates, in the order of the list, or not at all, because there are too many. */
  counting: 'candidates' | 'in order' | 'estimate'
  /** No estimate is higher. */
  atMost(sql: Sql): Promise<number>
}

export interface Part {
  from: Condition
  where: readonly Condition[]
  /** What matches is counted by the way: with those before it all that does, or some of it. */
  counts?: 'all' | 'some'
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
  // Before any candidate is read: what is indexed from now on is judged twice rather than not at all.
  const late = await isLate(pool)
  const list = { pool, order, conditions, candidates, late }
  return candidates.rows > SEVERAL[order.table] ? planOfMany(list) : planOfSeveral(list)
}

/** The candidates' keys are read first, as rare ones may be ten times as many as was estimated. */
async function planOfSeveral(list: List): Promise<ListPlan> {
  const { order, conditions } = list
  const { from } = order
  const isWhole = order.begin().length === 0
  const { total, first, last, next } = await readKeys(list, order.begin('found'), {
    first: FIRST,
    few: COUNTED,
  })
  const behind = (as: string) => (last ? [order.behind(last, as)] : [])
  const isEstimated = total > COUNTED
  function* parts(): Generator<Part> {
    const goesOn = last && total > FIRST
    const begin = (as: string) => [...order.begin(as), ...(goesOn ? [order.upTo(last, as)] : [])]
    yield {
      from,
      where: among(list, first, begin),
      ...(isWhole && { counts: goesOn ? 'some' : 'all' }),
    }
    if (!goesOn) return
    if (isEstimated) yield { from, where: among(list, found(list, behind), behind) }
    else yield { from, where: among(list, next, behind), ...(isWhole && { counts: 'all' }) }
  }
  const everything = () => []
  const uncounted = () =>
    isWhole ? among(list, next, behind) : among(list, found(list, everything), everything)
  return {
    order,
    parts: parts(),
    count: isEstimated ? conditions : uncounted(),
    counting: isEstimated ? 'estimate' : 'candidates',
    atMost: async (sql) => (isWhole ? total + (await estimateLate(sql, list)) : Infinity),
  }
}

/** A part is read in the order of the list, then what is behind it among the candidates, and at last all in order. */
function planOfMany(list: List): ListPlan {
  const { pool, order, conditions, candidates } = list
  const { from } = order
  async function* parts(): AsyncGenerator<Part> {
    const begin = clauseOf(order.begin())
    const sql = `(select * from ${from.sql} ${begin.sql} ${order.by()} limit ${IN_ORDER}) as ${order.table}`
    yield { from: { sql, parameters: begin.parameters }, where: conditions }
    const end = await findKey(list, order.begin(), IN_ORDER)
    if (!end) return
    const rows = await estimateRows(pool, from.sql, { sql: '', parameters: [] })
    if (candidates.rows > rows * LARGEST_PART)
      return yield { from, where: [order.behind(end), ...conditions] }
    const { first, last } = await readFirstKeys(list, [order.behind(end, 'key')], FIRST)
    const within = (as: string) => [order.behind(end, as), ...(last ? [order.upTo(last, as)] : [])]
    yield { from, where: among(list, first, within) }
    if (last) yield { from, where: [order.behind(last), ...conditions] }
  }
  const atMost = async (sql: Sql) => candidates.rows + (await estimateLate(sql, list))
  return { order, parts: parts(), count: conditions, counting: 'estimate', atMost }
}
