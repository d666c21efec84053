import { type Condition, clauseOf, numbered, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { runSql, type Sql } from '../tables/sql.repository.ts'
import { type Candidates, estimateRows } from './candidates.repository.ts'
import type { Key, ListOrder } from './list-order.ts'

/** A list whose rows are looked up in the search tables. */
export interface List {
  pool: Sql
  order: ListOrder
  conditions: readonly Condition[]
  candidates: Candidates
  /** Holds for `late`, a raw event that is not indexed yet. */
  late: Condition
}

interface Keys {
  /** How many candidates there are. */
  total: number
  /** The first of them, as rows of a statement. */
  first: Condition
  /** The last of these. */
  last: Key
  /** Some more behind them. */
  next: Condition
}

/** The keys stay texts on their way here and back. @param first so many @param many so many with those behind them */
export async function readKeys(
  { pool, order, candidates }: List,
  first: number,
  many: number,
): Promise<Keys> {
  const begin = clauseOf(order.begin('found').map(notByIndex))
  const columns = KEYS[order.table]
  const texts = (which: string) =>
    `array[${columns.map(({ column }) => `(array_agg(${column}) filter (where ${which}))::text`).join(', ')}]`
  const lastOf = (column = '') =>
    `(array_agg(${column}) filter (where place = least(${first}, total)))[1]`
  const [major, minor] = order.columns('key').split(', ')
  const { sql, parameters } = numbered({
    sql: `with found as materialized (
        select found.*, row_number() over (${order.by('found')}) as place, count(*) over () as total
        from (${candidates.sql}) as found ${begin.sql} ${order.by('found')} limit ${many})
      select coalesce(max(total), 0)::float8 as total,
        ${texts(`place <= ${first}`)} as first, ${texts(`place > ${first}`)} as next,
        ${lastOf(major)} as major, ${lastOf(minor)} as minor
      from found as key`,
    parameters: [...candidates.parameters, ...begin.parameters],
  })
  const [row] = await runSql<ReadKeys>(pool, sql, parameters)
  // As arrays whose length the planner does not know: so it looks each row up, however many it expects.
  const arrays = KEYS[order.table].map(({ type }) => `(select ?::${type}[])`)
  const keysOf = (texts: unknown[] = []) => ({
    sql: `select * from unnest(${arrays.join(', ')})`,
    parameters: texts,
  })
  return {
    total: row?.total ?? 0,
    first: keysOf(row?.first),
    last: [row?.major, row?.minor],
    next: keysOf(row?.next),
  }
}

interface ReadKeys {
  total: number
  first: unknown[]
  next: unknown[]
  major: unknown
  minor: unknown
}

/** What tells a row of each table. */
const KEYS: Record<Table, readonly { column: string; type: string }[]> = {
  event: [{ column: 'id', type: 'uuid' }],
  raw: [
    { column: 'received_at', type: 'timestamptz' },
    { column: 'xact', type: 'xid8' },
    { column: 'id', type: 'bigint' },
  ],
}

/** Finds the last one of so many rows. @param as what `from` calls them @param rest which of them there still are */
export async function findKey(
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

/** What matches among what was found and all that is not indexed yet. @param within which part of the list */
export function among(
  { order: { table }, conditions, late }: List,
  rows: Condition,
  within: (as: string) => readonly Condition[],
): readonly Condition[] {
  // Of raw events each is at its own place; of events, what is late tells of any.
  const alsoLate = clauseOf([late, ...(table === 'raw' ? within('late') : [])])
  const isOneOf = {
    sql: IS_ONE_OF[table](rows.sql, `events.raw_event as late ${alsoLate.sql}`),
    parameters: [...rows.parameters, ...alsoLate.parameters],
  }
  return [isOneOf, ...conditions, ...(table === 'event' ? within('event').map(notByIndex) : [])]
}

/** The planner would rather read everything by the index on a list's order than look few rows up. */
export const notByIndex = ({ sql, parameters }: Condition): Condition => ({
  sql: `(${sql}) is true`,
  parameters,
})

const IS_ONE_OF: Record<Table, (rows: string, late: string) => string> = {
  event: (rows, late) =>
    `event.id = any (array(${rows} union all select late.event_id from ${late}))`,
  raw: (rows, late) => `(raw.received_at, raw.xact, raw.id) in (
    ${rows} union all select late.received_at, late.xact, late.id from ${late})`,
}

/** The candidates in a part of the list. */
export function found(
  { order: { table }, candidates }: List,
  within: (as: string) => readonly Condition[],
): Condition {
  const part = clauseOf(within('found').map(notByIndex))
  const rows = `(${candidates.sql}) as found ${part.sql}`
  const sql = {
    event: `select found.id from ${rows}`,
    raw: `select * from unnest(array(select found::events.raw_key from ${rows}))`,
  }
  return { sql: sql[table], parameters: [...candidates.parameters, ...part.parameters] }
}

/** Up to where everything is indexed, as values: the planner must see how little there is behind it. */
export async function isLate(pool: Sql): Promise<Condition> {
  const [position] = await runSql<{ xact: string; id: string }>(
    pool,
    'select xact::text as xact, id::text as id from events.search_position',
  )
  const { xact, id } = position ?? { xact: '0', id: '0' }
  return { sql: '(late.xact, late.id) > (?::xid8, ?::bigint)', parameters: [xact, id] }
}

export const estimateLate = (sql: Sql, { late }: List): Promise<number> =>
  estimateRows(sql, 'events.raw_event as late', whereAll([late]))
