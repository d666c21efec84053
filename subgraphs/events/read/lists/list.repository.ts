import { isTooSlow } from '../../../../platform/database/lists.repository.ts'
import { runSql, type Sql } from '../../../../platform/database/sql.ts'
import { clauseOf, numbered } from '../../../../platform/event-query/condition.ts'
import { about, exactly, type Page, type Total } from '../../../../platform/paging/page.ts'
import type { ReadBudget } from '../../../../platform/paging/read-budget.ts'
import { type SizedRow, upToBytes } from '../../tables/sized-rows.ts'
import type { Within } from '../query-timeout.ts'
import type { ListPlan, Part } from './list-plan.repository.ts'

/** Totals of which a statement takes longer are estimated, too. */
const COUNT_MS = 2_000

/** A page as `connect` takes it: one row more where only its limit ends it, and how long the whole list is. */
export interface ListPage {
  rows: object[]
  goesOn: boolean
  /** Exact up to `MAX_COUNT`, beyond an estimate, as it is where more may match than can be judged at once or in time. */
  count(): Promise<Total>
}

export async function readList(
  within: Within,
  planned: (sql: Sql) => ListPlan | Promise<ListPlan>,
  { limit, isCounted }: Pick<Page, 'limit' | 'isCounted'>,
  budget: ReadBudget,
): Promise<ListPage> {
  budget.spend(0)
  const read = await within(async (sql, timeoutMs) => {
    const parts = await readParts(sql, await planned(sql), limit, budget.pageBytes)
    return { ...parts, total: isCounted ? await count(sql, timeoutMs, parts) : undefined }
  })
  const { rows, bytes, goesOn, total } = read
  budget.spend(bytes)
  return {
    rows,
    goesOn,
    count: async () => total ?? within((sql, timeoutMs) => count(sql, timeoutMs, read)),
  }
}

/** A page is not lost because its total would take too long. */
async function count(
  sql: Sql,
  timeoutMs: number,
  { plan, rows, counted, isAll }: ReadParts,
): Promise<Total> {
  if (isAll) return exactly(counted)
  const ms = Math.min(timeoutMs, COUNT_MS)
  await runSql(sql, `savepoint counting; set local statement_timeout = ${ms}`)
  const total = await plan.count(sql, counted).catch(async (error: unknown) => {
    if (!isTooSlow(error)) throw error
    await runSql(sql, 'rollback to savepoint counting')
    return about(await plan.estimate(sql))
  })
  return { ...total, value: Math.max(rows.length, total.value) }
}

type ReadParts = Awaited<ReturnType<typeof readParts>>

async function readParts(sql: Sql, plan: ListPlan, limit: number, pageBytes: number) {
  const rows: ReadRow[] = []
  let bytes = 0
  let goesOn = false
  let counted = 0
  let isAll = false
  for await (const part of plan.parts) {
    // Behind a part that filled the page, one more row shows that the list goes on.
    const left = Math.max(1, pageBytes - bytes)
    const found = await readPart(sql, plan, part, { rows: limit + 1 - rows.length, bytes: left })
    for (const row of found) {
      rows.push(row)
      bytes += row.bytes
    }
    counted += found[0]?.matches ?? 0
    isAll = part.counts === 'all'
    goesOn = rows.length > limit || found.length < (found[0]?.read ?? 0)
    if (goesOn) break
  }
  return { plan, rows, bytes, goesOn, counted, isAll }
}

type ReadRow = SizedRow & { matches?: number }

function readPart(
  pool: Sql,
  { order }: ListPlan,
  { from, where, counts }: Part,
  most: { rows: number; bytes: number },
): Promise<ReadRow[]> {
  const clause = clauseOf(where)
  const matches = counts ? ', count(*) over ()::float8 as matches' : ''
  const { sql, parameters } = numbered({
    sql: upToBytes(
      order.table,
      `select ${order.table}.* ${matches} from ${from.sql} ${clause.sql} ${order.by()} limit ${most.rows}`,
      order.by(),
      most.bytes,
    ),
    parameters: [...from.parameters, ...clause.parameters],
  })
  return runSql(pool, sql, parameters)
}
