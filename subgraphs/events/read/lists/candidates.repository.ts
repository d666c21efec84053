import type { Sql } from '../../../../platform/database/sql.ts'
import {
  type Condition,
  clauseOf,
  join,
  type Lookup,
  type Searched,
  whereAll,
} from '../../../../platform/event-query/condition.ts'
import type { Table } from '../../../../platform/event-query/fields.ts'
import { countSelected, estimateRows } from './count.repository.ts'

/** A word that more rows than this have is not rare. */
const MANY = 10_000

/** Parts of a query that are judged by how rare they are; other words are taken as rare, other numbers as frequent. */
const MAX_JUDGED = 32

/** Rows that may match. */
export interface Candidates {
  /** Their estimated number; `Infinity` without an estimate. */
  rows: number
  /**
   * Selects their places in the list.
   * @param within which part of it @param first how many of the part are enough, in the order of `by`
   */
  select(within: (as: string) => readonly Condition[], first?: First): Condition
}

interface First {
  by: (as: string) => string
  rows: number
}

/** The tables of candidates, each under the name by which conditions know it. */
const FROM: Record<Table, Record<Searched, string>> = {
  event: {
    whole: 'events.event as whole',
    search: 'events.event_search as search',
    number: 'events.event_number as number',
    found: 'events.event_seen as found',
  },
  raw: {
    whole: 'events.event as whole',
    search: 'events.raw_content as search',
    number: 'events.raw_number as number',
    found: 'events.raw_posting as found',
  },
}

/** @param several up to this number candidates are counted, above it estimated */
export async function findCandidates(
  pool: Sql,
  table: Table,
  lookups: readonly Lookup[],
  several: number,
): Promise<Candidates> {
  let left = MAX_JUDGED
  const estimate = (searched: Searched, condition: Condition) =>
    estimateRows(pool, FROM[table][searched], whereAll([condition]))
  const judged = new Map<string, boolean>()
  // One after the other, as one connection does.
  async function isRare(word: Condition): Promise<boolean> {
    const known =
      judged.get(keyOf(word)) ?? (left-- <= 0 || (await estimate('search', word)) <= MANY)
    judged.set(keyOf(word), known)
    return known
  }
  async function countNumbers(lookup: Condition): Promise<number> {
    if (left-- <= 0) return Infinity
    // In order, so that the planner uses the index, however many it expects.
    const counted = await countSelected(pool, {
      sql: `select from ${FROM[table].number} where ${lookup.sql} order by value limit ${several + 1}`,
      parameters: lookup.parameters,
    })
    return counted <= several ? counted : Math.max(counted, await estimate('number', lookup))
  }
  const occurrences = await occurrencesOf(pool, table)
  async function find(lookup: Lookup): Promise<Candidates> {
    const searched = searchedBy(lookup)
    if (searched === 'search') {
      const where = await rarePart(lookup, isRare)
      const rows = (await estimate('search', where)) * occurrences.search
      return { rows, select: selectOf(table, searched, where) }
    }
    if (!('parts' in lookup)) {
      const found =
        searched === 'number' ? await countNumbers(lookup) : await estimate(lookup.searched, lookup)
      const rows = found * occurrences[lookup.searched]
      return { rows, select: selectOf(table, lookup.searched, lookup) }
    }
    const { operator, parts } = lookup
    const ofText = parts.filter((part) => searchedBy(part) === 'search')
    const narrowing = operator === 'and' ? parts.flatMap(inContents) : []
    const found =
      ofText.length > 0 ? [await find({ operator, parts: [...ofText, ...narrowing] })] : []
    for (const part of parts) if (!ofText.includes(part)) found.push(await find(part))
    return operator === 'and' ? fewest(found) : together(found)
  }
  return find({ operator: 'and', parts: lookups })
}

/** Average number of rows of the list for each row that is looked up. */
async function occurrencesOf(pool: Sql, table: Table): Promise<Record<Searched, number>> {
  if (table === 'event') return { search: 1, number: 1, found: 1, whole: 1 }
  const all = (searched: Searched) => estimateRows(pool, FROM.raw[searched], whereAll([]))
  const postings = await all('found')
  const ofContent = Math.max(1, Math.round(postings / (await all('search'))))
  const ofEvent = Math.max(1, Math.round(postings / (await all('whole'))))
  return { search: ofContent, number: ofContent, found: 1, whole: ofEvent }
}

/** Table in which all parts of a lookup are looked up in one statement. */
function searchedBy(lookup: Lookup): Searched | undefined {
  if (!('parts' in lookup)) return lookup.searched
  return lookup.parts.every((part) => searchedBy(part) === 'search') ? 'search' : undefined
}

/** A number that contents must have, judged on those that are looked up by something else. */
const inContents = (lookup: Lookup): Lookup[] =>
  !('parts' in lookup) && lookup.ofContent ? [{ searched: 'search', ...lookup.ofContent }] : []

const selectOf =
  (table: Table, searched: Searched, where: Condition): Candidates['select'] =>
  (within, first) => {
    if (table === 'raw' && searched === 'whole') return ofEvents(where, within)
    if (table === 'raw' && (searched === 'search' || searched === 'number'))
      return postingsOf(searched, where, within, first)
    const part = clauseOf(within('found').map(notByIndex))
    const key = table === 'raw' ? 'received_at, id' : 'first_seen_at, event_id as id'
    return {
      sql: `select found.* from (select ${key} from ${FROM[table][searched]} where ${where.sql}) as found ${part.sql}`,
      parameters: [...where.parameters, ...part.parameters],
    }
  }

/** The postings of the contents that are found: of each only the first ones, as it may have any number. */
function postingsOf(
  searched: 'search' | 'number',
  where: Condition,
  within: (as: string) => readonly Condition[],
  first?: First,
): Condition {
  const content = searched === 'search' ? 'search.id' : 'number.content_id'
  const part = clauseOf([
    { sql: `(found.content_id, found.day) = (${content}, ${searched}.day)`, parameters: [] },
    ...within('found'),
  ])
  const end = first ? `${first.by('found')} limit ${first.rows}` : ''
  return {
    sql: `select found.* from ${FROM.raw[searched]} cross join lateral (
      select found.received_at, found.id from ${FROM.raw.found} ${part.sql} ${end}) as found where ${where.sql}`,
    parameters: [...part.parameters, ...where.parameters],
  }
}

/** All occurrences of the events that are found. */
function ofEvents(where: Condition, within: (as: string) => readonly Condition[]): Condition {
  const part = clauseOf([{ sql: 'found.event_id = whole.id', parameters: [] }, ...within('found')])
  return {
    sql: `select found.* from ${FROM.raw.whole} cross join lateral (
      select found.received_at, found.id from events.raw_event as found ${part.sql} offset 0) as found where ${where.sql}`,
    parameters: [...part.parameters, ...where.parameters],
  }
}

/** The planner would rather read everything by the index on a list's order than look few rows up. */
export const notByIndex = ({ sql, parameters }: Condition): Condition => ({
  sql: `(${sql}) is true`,
  parameters,
})

/** All of them must hold, so one is enough. */
const fewest = (found: readonly Candidates[]): Candidates =>
  found.reduce((least, each) => (each.rows < least.rows ? each : least))

const together = (found: readonly Candidates[]): Candidates => ({
  rows: found.reduce((sum, { rows }) => sum + rows, 0),
  select: (...part) => {
    const selected = found.map(({ select }) => select(...part))
    return {
      sql: selected.map(({ sql }) => `(${sql})`).join(' union all '),
      parameters: selected.flatMap(({ parameters }) => parameters),
    }
  },
})

/**
 * Only the rare words of a text are looked up, where it has some: the index on three letters in a row takes long over those that
 * most rows have.
 */
async function rarePart(
  lookup: Lookup,
  isRare: (word: Condition) => Promise<boolean>,
): Promise<Condition> {
  if ('parts' in lookup) {
    const parts: Condition[] = []
    for (const part of lookup.parts) parts.push(await rarePart(part, isRare))
    // A word without a field is looked for in several, which are looked up as one.
    return join(lookup.operator, [...new Map(parts.map((part) => [keyOf(part), part])).values()])
  }
  const { words = [] } = lookup
  if (words.length < 2) return lookup
  const rare: Condition[] = []
  for (const word of words) if (await isRare(word)) rare.push(word)
  return rare.length > 0 && rare.length < words.length ? join('and', rare) : lookup
}

const keyOf = ({ sql, parameters }: Condition): string => JSON.stringify([sql, parameters])
