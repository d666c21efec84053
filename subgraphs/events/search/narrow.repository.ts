import { type Condition, clauseOf, numbered, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { runSql, type Sql } from '../tables/sql.repository.ts'
import { type Candidates, estimateRows, findCandidates } from './candidates.repository.ts'
import type { Key, ListOrder } from './list-order.ts'

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
  count: readonly Condition[]
  /** How `count` finds its rows: among few candidates, in the order of the list, or not at all, because it are too many. */
  counting: 'candidates' | 'in order' | 'estimate'
  /** No estimate is higher. */
  atMost(): Promise<number>
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

interface List {
  pool: Sql
  order: ListOrder
  conditions: readonly Condition[]
  candidates: Candidates
  /** Holds for `late`, a raw event that is not indexed yet. */
  late: Condition
}

/** The candidates' keys are read first, as rare ones may be ten times as many as was estimated. */
async function planOfSeveral(list: List): Promise<ListPlan> {
  const { order, conditions } = list
  const { from, table } = order
  const rest = (as: string) => order.begin(as)
  const everything = () => []
  const isWhole = rest(table).length === 0
  const { total, last, keys } = await readKeys(list)
  const areFirst = total > FIRST
  const upToLast = (as: string) => [...rest(as), ...(areFirst ? [order.upTo(last, as)] : [])]
  function* parts(): Generator<Part> {
    const where = among(list, keys, upToLast)
    yield { from, where, ...(isWhole && { counts: areFirst ? 'some' : 'all' }) }
    if (areFirst) yield { from, where: among(list, found(list, rest), rest) }
  }
  return {
    order,
    parts: parts(),
    count: total > COUNTED ? conditions : among(list, found(list, everything), everything),
    counting: total > COUNTED ? 'estimate' : 'candidates',
    atMost: async () => (isWhole ? total + (await estimateLate(list)) : Infinity),
  }
}

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
  const atMost = async () => candidates.rows + (await estimateLate(list))
  return { order, parts: parts(), count: conditions, counting: 'estimate', atMost }
}

interface Keys {
  /** How many candidates there are. */
  total: number
  /** The first of them, as rows of a statement. */
  keys: Condition
  /** The last of these. */
  last: Key
}

/** The keys stay texts on their way here and back. */
async function readKeys({ pool, order, candidates }: List): Promise<Keys> {
  const begin = clauseOf(order.begin('found').map(notByIndex))
  const columns = KEYS[order.table].map(({ column }) => `array_agg(${column})::text`)
  const [major, minor] = order.columns('key').split(', ')
  const { sql, parameters } = numbered({
    sql: `with found as materialized (
        select found.*, count(*) over () as total from (${candidates.sql}) as found ${begin.sql}
        ${order.by('found')} limit ${FIRST})
      select coalesce(max(total), 0)::float8 as total, array[${columns.join(', ')}] as texts,
        (array_agg(${major}))[count(*)] as major, (array_agg(${minor}))[count(*)] as minor
      from found as key`,
    parameters: [...candidates.parameters, ...begin.parameters],
  })
  const [row] = await runSql<{ total: number; texts: string[]; major: unknown; minor: unknown }>(
    pool,
    sql,
    parameters,
  )
  // As arrays whose length the planner does not know: so it looks each row up, however many it expects.
  const arrays = KEYS[order.table].map(({ type }) => `(select ?::${type}[])`)
  const keys = { sql: `select * from unnest(${arrays.join(', ')})`, parameters: row?.texts ?? [] }
  return { total: row?.total ?? 0, keys, last: [row?.major, row?.minor] }
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
async function findKey(
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
function among(
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
const notByIndex = ({ sql, parameters }: Condition): Condition => ({
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
function found(
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
async function isLate(pool: Sql): Promise<Condition> {
  const [position] = await runSql<{ xact: string; id: string }>(
    pool,
    'select xact::text as xact, id::text as id from events.search_position',
  )
  const { xact, id } = position ?? { xact: '0', id: '0' }
  return { sql: '(late.xact, late.id) > (?::xid8, ?::bigint)', parameters: [xact, id] }
}

const estimateLate = ({ pool, late }: List): Promise<number> =>
  estimateRows(pool, 'events.raw_event as late', whereAll([late]))
