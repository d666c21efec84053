import { AppError } from '../../../schema/errors.ts'
import { clauseOf, numbered } from '../query/language/condition.ts'
import type { Within } from '../query/within-time.ts'
import { runSql, type Sql } from '../tables/sql.repository.ts'
import type { ListPlan, Part } from './narrow.repository.ts'

/** Totals whose counting takes longer are estimated, too. */
const COUNT_MS = 2_000

/** A page as `connect` takes it: one row more where the list goes on, and how long the whole list is. */
export interface ListPage {
  rows: object[]
  /** Exact up to `MAX_COUNT`, beyond an estimate, as it is where more may match than can be judged at once or in time. */
  count(): Promise<number>
}

export async function readList(
  within: Within,
  planned: (sql: Sql) => ListPlan | Promise<ListPlan>,
  limit: number,
): Promise<ListPage> {
  const { plan, rows, counted, isAll } = await within(async (sql) =>
    readParts(sql, await planned(sql), limit),
  )
  return {
    rows,
    count: async () =>
      isAll ? counted : Math.max(rows.length, await count(within, plan, counted)),
  }
}

/** A page is not lost because its total would take too long. */
async function count(within: Within, plan: ListPlan, counted: number): Promise<number> {
  try {
    return await within((sql) => plan.count(sql, counted), COUNT_MS)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'OPERATION_LIMIT_EXCEEDED') throw error
    return within((sql) => plan.estimate(sql))
  }
}

async function readParts(sql: Sql, plan: ListPlan, limit: number) {
  const rows: { matches?: number }[] = []
  let counted = 0
  let isAll = false
  for await (const part of plan.parts) {
    const found = await readPart(sql, plan, part, limit + 1 - rows.length)
    rows.push(...found)
    counted += found[0]?.matches ?? 0
    isAll = part.counts === 'all'
    if (rows.length > limit) break
  }
  return { plan, rows, counted, isAll }
}

function readPart(
  pool: Sql,
  { order }: ListPlan,
  { from, where, counts }: Part,
  limit: number,
): Promise<{ matches?: number }[]> {
  const clause = clauseOf(where)
  const matches = counts ? ', count(*) over ()::float8 as matches' : ''
  const { sql, parameters } = numbered({
    sql: `select ${order.table}.* ${matches} from ${from.sql} ${clause.sql} ${order.by()} limit ${limit}`,
    parameters: [...from.parameters, ...clause.parameters],
  })
  return runSql(pool, sql, parameters)
}
