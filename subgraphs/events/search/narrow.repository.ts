import type { MikroORM } from '@mikro-orm/postgresql'
import type { Page } from '../../shared/paging/page.ts'
import { type Condition, join, type Lookup, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { poolOf, runSql, type Sql } from '../tables/sql.repository.ts'

/** So many candidates are judged at once. */
const FEW = 5_000
/** Of so many raw events the newest candidates are judged first; with more, a page is found sooner in the order of the list. */
const SEVERAL = 30_000
/** How many newest ones; so much is judged at once for a page of any size. */
const NEWEST = 2_000
/** More candidates than this are estimated, not counted. */
const MANY = 10_000

/** Words of a query that are judged by how rare they are; the others are taken as rare. */
const MAX_JUDGED = 32

/** How a list is read quickest, with conditions that leave the same rows. */
export interface ListPlan {
  page: readonly Condition[]
  /** What to read instead where `page` leaves less than a page. */
  orElse?: readonly Condition[]
  count: readonly Condition[]
  /** How `count` finds its rows: among few candidates, in the order of the list, or not at all, because it are too many. */
  counting: 'candidates' | 'in order' | 'estimate'
}

/**
 * Looks in the search tables for how many rows may match, and where these are.
 * @param conditions on `table`
 */
export async function planList(
  orm: MikroORM,
  table: Table,
  conditions: readonly Condition[],
  page: Page,
): Promise<ListPlan> {
  const inOrder: ListPlan = { page: conditions, count: conditions, counting: 'in order' }
  const given = conditions.flatMap(({ lookup }) => lookup ?? [])
  if (given.length === 0) return inOrder
  const pool = await poolOf(orm)
  const estimate = (lookups: readonly Condition[]) =>
    estimateRows(pool, `${PLACES[table].searched} as search`, whereAll(lookups))
  let left = MAX_JUDGED
  const isRare = async (word: Condition) => left-- <= 0 || (await estimate([word])) <= MANY
  const lookups = await Promise.all(given.map((lookup) => settled(lookup, isRare)))
  const candidates = await estimate(lookups)
  if (candidates > SEVERAL) return { ...inOrder, counting: 'estimate' }
  // As values, not within the statement: the planner must see how little there is behind it.
  const [position] = await runSql<{ xact: string; id: string }>(pool, POSITION)
  const all = [candidatesOf(table, lookups, position), ...conditions]
  const counted: Omit<ListPlan, 'page'> =
    candidates > MANY
      ? { count: conditions, counting: 'estimate' }
      : { count: all, counting: 'candidates' }
  if (candidates <= FEW) return { page: all, ...counted }
  if (table === 'event') return { page: conditions, ...counted }
  const newest = candidatesOf(table, lookups, position, newestFirst(page))
  return { page: [newest, ...conditions], orElse: all, ...counted }
}

/**
 * Of a text with some rare words only these are looked up: the index on three letters in a row takes long over those that
 * most rows have.
 */
async function settled(
  lookup: Lookup,
  isRare: (word: Condition) => Promise<boolean>,
): Promise<Condition> {
  if ('parts' in lookup) {
    const parts = await Promise.all(lookup.parts.map((part) => settled(part, isRare)))
    // A word without a field is looked for in several, which are looked up as one.
    return join(lookup.operator, [...new Map(parts.map((part) => [keyOf(part), part])).values()])
  }
  const { words = [] } = lookup
  if (words.length < 2) return lookup
  const judged = await Promise.all(words.map(isRare))
  const rare = words.filter((_, at) => judged[at])
  return rare.length > 0 && rare.length < words.length ? join('and', rare) : lookup
}

const keyOf = ({ sql, parameters }: Condition): string => JSON.stringify([sql, parameters])

/** What the planner expects. */
export async function estimateRows(sql: Sql, from: string, where: Condition): Promise<number> {
  const [row] = await runSql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    sql,
    `explain (format json) select from ${from} ${where.sql}`,
    where.parameters,
  )
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** Leaves the rows that may match: those found in the search tables, and all that are not indexed yet. */
function candidatesOf(
  table: Table,
  lookups: readonly Condition[],
  { xact, id } = { xact: '0', id: '0' },
  { where, order }: Part = { where: [], order: '' },
): Condition {
  const { searched, isOneOf, tail, searchKey } = PLACES[table]
  const all = [...lookups, ...where]
  return {
    sql: isOneOf(`(select ${searchKey} from ${searched} as search where ${all.map(({ sql }) => sql).join(' and ')} ${order})
      union all select ${tail} from events.raw_event as late
      where (late.xact, late.id) > (?::xid8, ?::bigint)`),
    parameters: [...all.flatMap(({ parameters }) => parameters), xact, id],
  }
}

/** Which of the candidates are judged. */
interface Part {
  where: readonly Condition[]
  order: string
}

/** The first raw events of a page, in its order. */
function newestFirst({ from, isBackward }: Page): Part {
  const [sign, direction] = isBackward ? ['>', 'asc'] : ['<', 'desc']
  const sql = `(search.xact, search.id) ${sign} (?::xid8, ?::bigint)`
  return {
    where: from ? [{ sql, parameters: from }] : [],
    order: `order by search.xact ${direction}, search.id ${direction} limit ${NEWEST}`,
  }
}

const POSITION = 'select xact::text as xact, id::text as id from events.search_position'

/** Where rows of a table are looked up, and how they are found from there. */
interface Place {
  searched: string
  isOneOf(rows: string): string
  searchKey: string
  tail: string
}

const PLACES = {
  event: {
    searched: 'events.event_search',
    // As an array, so that the planner looks each up, however few events there are besides.
    isOneOf: (rows) => `event.id = any (array(${rows}))`,
    searchKey: 'search.event_id',
    tail: 'late.event_id',
  },
  raw: {
    searched: 'events.raw_search',
    isOneOf: (rows) => `(raw.received_at, raw.xact, raw.id) in (${rows})`,
    searchKey: 'search.received_at, search.xact, search.id',
    tail: 'late.received_at, late.xact, late.id',
  },
} satisfies Record<Table, Place>
