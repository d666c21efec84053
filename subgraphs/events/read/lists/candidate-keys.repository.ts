import { runSql, type Sql } from '../../../../platform/database/sql.ts'
import {
  type Condition,
  clauseOf,
  numbered,
  whereAll,
} from '../../../../platform/event-query/condition.ts'
import type { Table } from '../../../../platform/event-query/fields.ts'
import { type Candidates, notByIndex } from './candidates.repository.ts'
import { estimateRows } from './count.repository.ts'
import type { Key, ListOrder } from './list-order.ts'

/** A list whose rows are looked up in the search tables. */
export interface List {
  pool: Sql
  order: ListOrder
  conditions: readonly Condition[]
  candidates: Candidates
  /** The raw event up to which everything is indexed. */
  indexed: string
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
  /** Number of candidates. */
  total: number
}

/**
 * Reads the first candidates in a part of the list, or all of them where they are few. Of more than `most` it reads
 * any, to say how many there are at least.
 */
export async function readKeys(
  { order, candidates, pool }: List,
  within: (as: string) => readonly Condition[],
  { first, few, most }: { first: number; few: number; most: number },
): Promise<AllKeys> {
  const selected = candidates.select(within, { by: (as) => order.by(as), rows: few + 1 })
  const { sql, parameters } = numbered({
    sql: `with found as materialized (select * from (${selected.sql}) as found limit ${most + 1}),
        counted as materialized (select count(*)::float8 as total from found),
        key as materialized (select * from found as key ${order.by('key')}
          limit (select case when total > ${few} then ${first} else ${few} end from counted))
      select ${keysOf(order, first)}, (select total from counted) as total from key`,
    parameters: selected.parameters,
  })
  const [row] = await runSql<ReadKeys & { total: number }>(pool, sql, parameters)
  const { total = 0 } = row ?? {}
  // Only the first occurrences of a content with many are here.
  return { ...asRows(order, row), total: total > few ? Math.max(total, candidates.rows) : total }
}

/** Reads the first candidates in a part of the list, however many there are. */
export async function readFirstKeys(
  { order, candidates, pool }: List,
  within: (as: string) => readonly Condition[],
  first: number,
): Promise<Keys> {
  const selected = candidates.select(within, { by: (as) => order.by(as), rows: first })
  const { sql, parameters } = numbered({
    sql: `with key as materialized (
        select key.* from (${selected.sql}) as key ${order.by('key')} limit ${first})
      select ${keysOf(order, first)} from key`,
    parameters: selected.parameters,
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

/** Condition for matches among candidates and rows that are not indexed yet. @param within which part of the list */
export function among(
  { order, conditions, indexed }: List,
  rows: Condition,
  within: (as: string) => readonly Condition[],
): { from: Condition; where: readonly Condition[] } {
  if (order.table === 'event') {
    const isOneOf = {
      sql: `event.id = any (array(${rows.sql} union all
        select late.event_id from events.raw_event as late where late.id > ?::bigint))`,
      parameters: [...rows.parameters, indexed],
    }
    const where = [isOneOf, ...conditions, ...within('event').map(notByIndex)]
    return { from: order.from, where }
  }
  const part = clauseOf([{ sql: 'raw.id > ?::bigint', parameters: [indexed] }, ...within('raw')])
  // Candidates are looked up row by row, whatever the planner would rather do for the order of the list.
  const sql = `(
    select * from (select raw.* from events.raw_event as raw
      where (raw.received_at, raw.id) in (${rows.sql}) and raw.id <= ?::bigint offset 0) as known
    union all select raw.* from events.raw_event as raw ${part.sql}) as raw`
  const parameters = [...rows.parameters, indexed, ...part.parameters]
  return { from: { sql, parameters }, where: conditions }
}

/** The candidates in a part of the list. */
export function found(
  { order: { table }, candidates }: List,
  within: (as: string) => readonly Condition[],
): Condition {
  const { sql: rows, parameters } = candidates.select(within)
  const sql = {
    event: `select found.id from (${rows}) as found`,
    raw: `select * from unnest(array(select row(found.received_at, found.id)::events.raw_key from (${rows}) as found))`,
  }
  return { sql: sql[table], parameters }
}

/** As a value: the planner must see how little there is behind it. */
export async function readIndexed(pool: Sql): Promise<string> {
  const [position] = await runSql<{ id: string }>(
    pool,
    'select id::text as id from events.search_position',
  )
  return position?.id ?? '0'
}

export const estimateLate = (sql: Sql, { indexed }: List): Promise<number> =>
  estimateRows(
    sql,
    'events.raw_event as late',
    whereAll([{ sql: 'late.id > ?::bigint', parameters: [indexed] }]),
  )
