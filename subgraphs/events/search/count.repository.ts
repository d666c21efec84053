import type { MikroORM } from '@mikro-orm/postgresql'
import { type Condition, whereAll } from '../query/language/condition.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'

/** Up to here lists are counted; longer ones are estimated, because counting reads everything. */
export const MAX_COUNT = 10_000

/** @param from a table @param order in which it is quick to read @returns exact up to `MAX_COUNT`, beyond an estimate */
export async function countRows(
  orm: MikroORM,
  from: string,
  conditions: readonly Condition[],
  order: string,
): Promise<number> {
  const pool = await poolOf(orm)
  const { sql, parameters } = whereAll(conditions)
  const [row] = await runSql<{ count: number }>(
    pool,
    `select count(*)::float8 as count from (
       select from ${from} ${sql} order by ${order} limit ${MAX_COUNT + 1}) as counted`,
    parameters,
  )
  const count = row?.count ?? 0
  if (count <= MAX_COUNT) return count
  const [plan] = await runSql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    pool,
    `explain (format json) select from ${from} ${sql}`,
    parameters,
  )
  return Math.max(count, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0)
}
