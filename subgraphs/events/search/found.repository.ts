import { type Condition, clauseOf, numbered, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { runSql, type Sql } from '../tables/sql.repository.ts'
import type { Candidates } from './candidates.repository.ts'
import { estimateRows } from './count.repository.ts'
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

/** Some candidates in the order of the list. The keys stay texts on their way here and back. */
interface Keys {
  /** The first of them, as rows of a statement. */
  first: Condition
  /** The last of these, if the requested number was found. */
  last: Key | undefined
  /** Those behind it that were read, too. */
  next: Condition
}

export interface AllKeys extends Keys {
  /** How many candidates there are. */
  total: number
}

/** Reads the first candidates in a part of the list, or all of them where they are few. */
export async function readKeys(
  list: List,
  within: readonly Condition[],
  { first, few }: { first: number; few: number },
): Promise<AllKeys> {
  const where = clauseOf(within.map(notByIndex))
  const { order, candidates, pool } = list
  const { sql, parameters } = numbered({
    sql: `with found as materialized (select found.* from (${candidates.sql}) as found ${where.sql}),
        counted as materialized (select count(*)::float8 as total from found),
        key as materialized (select * from found as key ${order.by('key')}
          limit (select case when total > ${few} then ${first} else ${few} end from counted))
      select ${keysOf(order, first)}, (select total from counted) as total from key`,
    parameters: [...candidates.parameters, ...where.parameters],
  })
  const [row] = await runSql<ReadKeys & { total: number }>(pool, sql, parameters)
  return { ...asRows(order, row), total: row?.total ?? 0 }
}

/** Reads the first candidates in a part of the list, however many there are. */
export async function readFirstKeys(
  { order, candidates, pool }: List,
  within: readonly Condition[],
  first: number,
): Promise<Keys> {
  const where = clauseOf(within.map(notByIndex))
  const { sql, parameters } = numbered({
    sql: `with key as materialized (
        select key.* from (${candidates.sql}) as key ${where.sql} ${order.by('key')} limit ${first})
      select ${keysOf(order, first)} from key`,
    parameters: [...candidates.parameters, ...where.parameters],
  })
  const [row] = await runSql<ReadKeys>(pool, sql, parameters)
  return asRows(order, row)
}

interface ReadKeys {
  first: string[]
  next: string[]
  last: (string | null)[]
}

function keysOf(order: ListOrder, first: number): string {
  const all = KEYS[order.table].map(({ column }) => `array_agg(key.${column})`)
  const texts = (part: string) => `array[${all.map((keys) => `(${keys})[${part}]::text`).join()}]`
  const last = order.columns('key').map((column) => `(array_agg(${column}))[${first}]::text`)
  return `${texts(`:${first}`)} as first, ${texts(`${first + 1}:`)} as next, array[${last}] as last`
}

function asRows({ table }: ListOrder, read: ReadKeys | undefined): Keys {
  // As arrays whose length the planner does not know: so it looks each row up, however many it expects.
  const arrays = KEYS[table].map(({ type }) => `(select ?::${type}[])`)
  const rowsOf = (parameters: string[] = []) => ({
    sql: `select * from unnest(${arrays.join(', ')})`,
    parameters,
  })
  const { last = [] } = read ?? {}
  return {
    first: rowsOf(read?.first),
    last: (last[0] ?? null) === null ? undefined : last,
    next: rowsOf(read?.next),
  }
}

/** The key of a row of each table. */
const KEYS: Record<Table, readonly { column: string; type: string }[]> = {
  event: [{ column: 'id', type: 'uuid' }],
  raw: [
    { column: 'received_at', type: 'timestamptz' },
    { column: 'id', type: 'bigint' },
  ],
}

/** Finds the last one of the first rows in a part of the list, if the part has that number of rows. */
export async function findKey(
  { pool, order }: List,
  within: readonly Condition[],
  first: number,
): Promise<Key | undefined> {
  const where = whereAll(within)
  const [row] = await runSql<{ key: Key }>(
    pool,
    `select array[${order.columns().map((column) => `${column}::text`)}] as key
     from ${order.from.sql} ${where.sql} ${order.by()} offset ${first - 1} limit 1`,
    where.parameters,
  )
  return row?.key
}

/** What matches among what was found and all that is not indexed yet. @param within which part of the list */
export function among(
  { order: { table }, conditions, late }: List,
  rows: Condition,
  within: (as: string) => readonly Condition[],
): readonly Condition[] {
  // A late raw event stands at its own position; a late row of an event may concern any event.
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
  raw: (rows, late) => `(raw.received_at, raw.id) in (
    ${rows} union all select late.received_at, late.id from ${late})`,
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
  const [position] = await runSql<{ id: string }>(
    pool,
    'select id::text as id from events.search_position',
  )
  return { sql: 'late.id > ?::bigint', parameters: [position?.id ?? '0'] }
}

export const estimateLate = (sql: Sql, { late }: List): Promise<number> =>
  estimateRows(sql, 'events.raw_event as late', whereAll([late]))
