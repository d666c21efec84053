import type { MikroORM } from '@mikro-orm/postgresql'
import type { Page } from '../../shared/paging/page.ts'
import type { Condition } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import { poolOf, runSql } from '../tables/sql.repository.ts'
import { findCandidates, MANY } from './candidates.repository.ts'

/** So many candidates are judged at once. */
const FEW = 5_000
/** Of so many raw events the newest candidates are judged first; with more, a page is found sooner in the order of the list. */
const SEVERAL = 30_000
/** How many newest ones; so much is judged at once for a page of any size. */
const NEWEST = 2_000
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
  const candidates = await findCandidates(pool, table, given, SEVERAL)
  if (candidates.rows > SEVERAL) return { ...inOrder, counting: 'estimate' }
  // As values, not within the statement: the planner must see how little there is behind it.
  const [position] = await runSql<{ xact: string; id: string }>(pool, POSITION)
  const all = [oneOf(table, candidates, position), ...conditions]
  const counted: Omit<ListPlan, 'page'> =
    candidates.rows > MANY
      ? { count: conditions, counting: 'estimate' }
      : { count: all, counting: 'candidates' }
  if (candidates.rows <= FEW) return { page: all, ...counted }
  if (table === 'event') return { page: conditions, ...counted }
  const newest = oneOf(table, newestFirst(candidates, page), position)
  return { page: [newest, ...conditions], orElse: all, ...counted }
}

/** Leaves the rows that may match: the candidates, and all that are not indexed yet. */
function oneOf(
  table: Table,
  candidates: Condition,
  { xact, id } = { xact: '0', id: '0' },
): Condition {
  const { isOneOf, tail } = PLACES[table]
  return {
    sql: isOneOf(`(${candidates.sql})
      union all select ${tail} from events.raw_event as late
      where (late.xact, late.id) > (?::xid8, ?::bigint)`),
    parameters: [...candidates.parameters, xact, id],
  }
}

/** The first of the raw events that may match, in the order of the page. */
function newestFirst({ sql, parameters }: Condition, { from, isBackward }: Page): Condition {
  const [sign, direction] = isBackward ? ['>', 'asc'] : ['<', 'desc']
  const behind = from ? `where (found.xact, found.id) ${sign} (?::xid8, ?::bigint)` : ''
  return {
    sql: `select * from (${sql}) as found ${behind}
      order by found.xact ${direction}, found.id ${direction} limit ${NEWEST}`,
    parameters: [...parameters, ...(from ?? [])],
  }
}

const POSITION = 'select xact::text as xact, id::text as id from events.search_position'

/** How rows of a table are found by their keys, and those of raw events that are not indexed yet. */
interface Place {
  isOneOf(keys: string): string
  tail: string
}

const PLACES: Record<Table, Place> = {
  event: {
    // As an array, so that the planner looks each up, however few events there are besides.
    isOneOf: (keys) => `event.id = any (array(${keys}))`,
    tail: 'late.event_id',
  },
  raw: {
    isOneOf: (keys) => `(raw.received_at, raw.xact, raw.id) in (${keys})`,
    tail: 'late.received_at, late.xact, late.id',
  },
}
