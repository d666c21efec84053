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
  notByIndex,
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
  /** Longer and longer beginnings of the page, each for when the former had less than a page. The last is the whole. */
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
  /** What matches is counted by the way: all that does, or some of it. */
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
  const { from, table } = order
  const rest = (as: string) => order.begin(as)
  const isWhole = rest(table).length === 0
  const { total, first, last, next } = await readKeys(list, FIRST, COUNTED)
  const areFirst = total > FIRST
  const upToLast = (as: string) => [...rest(as), ...(areFirst ? [order.upTo(last, as)] : [])]
  const all = total > COUNTED ? found(list, rest) : unionOf(first, next)
  function* parts(): Generator<Part> {
    const where = among(list, first, upToLast)
    yield { from, where, ...(isWhole && { counts: areFirst ? 'some' : 'all' }) }
    if (areFirst) yield { from, where: among(list, all, rest) }
  }
  const uncounted = isWhole
    ? among(list, next, (as) => [order.behind(last, as)])
    : among(
        list,
        found(list, () => []),
        () => [],
      )
  return {
    order,
    parts: parts(),
    count: total > COUNTED ? conditions : uncounted,
    counting: total > COUNTED ? 'estimate' : 'candidates',
    atMost: async (sql) => (isWhole ? total + (await estimateLate(sql, list)) : Infinity),
  }
}

const unionOf = (first: Condition, next: Condition): Condition => ({
  sql: `${first.sql} union all ${next.sql}`,
  parameters: [...first.parameters, ...next.parameters],
})

/** A part is read in the order of the list, then what is behind it among the candidates, and at last all in order. */
function planOfMany(list: List): ListPlan {
  const { pool, order, conditions, candidates } = list
  const { from, table } = order
  async function* parts(): AsyncGenerator<Part> {
    const begin = clauseOf(order.begin())
    const sql = `(select * from ${from.sql} ${begin.sql} ${order.by()} limit ${IN_ORDER}) as ${table}`
    yield { from: { sql, parameters: begin.parameters }, where: conditions }
    const last = await findKey(list, from, table, order.begin(), IN_ORDER)
    if (!last) return
    const rows = await estimateRows(pool, from.sql, { sql: '', parameters: [] })
    if (candidates.rows <= rows * LARGEST_PART) {
      const { sql, parameters } = candidates
      const behind = [notByIndex(order.behind(last, 'found'))]
      const end = await findKey(
        list,
        { sql: `(${sql}) as found`, parameters },
        'found',
        behind,
        FIRST,
      )
      const within = (as: string) => [...order.begin(as), ...(end ? [order.upTo(end, as)] : [])]
      yield { from, where: among(list, found(list, within), within) }
      if (!end) return
    }
    yield { from, where: [...order.begin(), ...conditions] }
  }
  const atMost = async (sql: Sql) => candidates.rows + (await estimateLate(sql, list))
  return { order, parts: parts(), count: conditions, counting: 'estimate', atMost }
}
