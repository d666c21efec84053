import { runSql, type Sql } from '../../../../platform/database/sql.ts'
import {
  type Condition,
  clauseOf,
  numbered,
  whereAll,
} from '../../../../platform/event-query/condition.ts'
import { about, exactly, type Total } from '../../../../platform/paging/page.ts'
import type { ListOrder } from './list-order.ts'

/** Up to here totals are exact; longer lists are estimated, because counting reads everything. */
export const MAX_COUNT = 10_000

/** Counts in the order of the list, until there are too many. */
export async function countInOrder(
  sql: Sql,
  order: ListOrder,
  conditions: readonly Condition[],
): Promise<Total> {
  const count = await countRows(
    sql,
    { from: order.from, where: conditions },
    `${order.by()} limit ${MAX_COUNT + 1}`,
  )
  if (count <= MAX_COUNT) return exactly(count)
  return about(Math.max(count, await estimateList(sql, order, conditions)))
}

export function countRows(
  sql: Sql,
  { from, where }: { from: Condition; where: readonly Condition[] },
  rest = '',
): Promise<number> {
  const clause = clauseOf(where)
  return countSelected(sql, {
    sql: `select from ${from.sql} ${clause.sql} ${rest}`,
    parameters: [...from.parameters, ...clause.parameters],
  })
}

/** @param statement whose rows are counted */
export async function countSelected(sql: Sql, statement: Condition): Promise<number> {
  const { sql: selected, parameters } = numbered(statement)
  const [row] = await runSql<{ count: number }>(
    sql,
    `select count(*)::float8 as count from (${selected}) as counted`,
    parameters,
  )
  return row?.count ?? 0
}

export const estimateList = (
  sql: Sql,
  { from }: ListOrder,
  conditions: readonly Condition[],
): Promise<number> => estimateRows(sql, from.sql, whereAll(conditions))

/** Number of rows that the planner expects. */
export async function estimateRows(sql: Sql, from: string, where: Condition): Promise<number> {
  const [row] = await runSql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    sql,
    `explain (format json) select from ${from} ${where.sql}`,
    where.parameters,
  )
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}
