import type { MikroORM } from '@mikro-orm/postgresql'
import { whereAll } from '../query/language/condition.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import { estimateRows } from './candidates.repository.ts'
import type { ListPlan } from './narrow.repository.ts'

/** Up to here lists are counted; longer ones are estimated, because counting reads everything. */
export const MAX_COUNT = 1_000

/** @param from a table @param order as a clause, in which it is quick to read @returns exact up to `MAX_COUNT`, beyond an estimate */
export async function countRows(
  orm: MikroORM,
  from: string,
  { count: conditions, counting, atMost }: Omit<ListPlan, 'parts'>,
  order: string,
): Promise<number> {
  const pool = await poolOf(orm)
  const where = whereAll(conditions)
  const estimate = async () => Math.min(atMost, await estimateRows(pool, from, where))
  if (counting === 'estimate') return estimate()
  const ordered = counting === 'in order' ? order : ''
  const [row] = await runSql<{ count: number }>(
    pool,
    `select count(*)::float8 as count from (
       select from ${from} ${where.sql} ${ordered} limit ${MAX_COUNT + 1}) as counted`,
    where.parameters,
  )
  const count = row?.count ?? 0
  return count <= MAX_COUNT ? count : Math.max(count, await estimate())
}
