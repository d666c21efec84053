import { type Condition, join, type Lookup, whereAll } from '../query/language/condition.ts'
import type { Table } from '../query/language/fields.ts'
import type { Sql } from '../tables/sql.repository.ts'
import { countSelected, estimateRows } from './count.repository.ts'

/** A word that more rows than this have is not rare. */
const MANY = 10_000

/** Parts of a query that are judged by how rare they are; other words are taken as rare, other numbers as frequent. */
const MAX_JUDGED = 32

/** A statement that selects the keys of rows that may match, and their positions in the list. */
export interface Candidates extends Condition {
  /** Their estimated number; `Infinity` without an estimate. */
  rows: number
}

/** The search tables of each table, and the columns selected from them. */
const PLACES: Record<Table, { searched: string; numbers: string; key: string }> = {
  event: {
    searched: 'events.event_search',
    numbers: 'events.event_number',
    key: 'first_seen_at, event_id as id',
  },
  raw: {
    searched: 'events.raw_search',
    numbers: 'events.raw_number',
    key: 'received_at, id',
  },
}

/** @param several up to this number candidates are counted, above it estimated */
export async function findCandidates(
  pool: Sql,
  table: Table,
  lookups: readonly Lookup[],
  several: number,
): Promise<Candidates> {
  const { searched, numbers, key } = PLACES[table]
  let left = MAX_JUDGED
  const estimate = (condition: Condition) =>
    estimateRows(pool, `${searched} as search`, whereAll([condition]))
  const judged = new Map<string, boolean>()
  // One after the other, as one connection does.
  async function isRare(word: Condition): Promise<boolean> {
    const known = judged.get(keyOf(word)) ?? (left-- <= 0 || (await estimate(word)) <= MANY)
    judged.set(keyOf(word), known)
    return known
  }
  async function find(lookup: Lookup): Promise<Candidates> {
    if (!isOfNumbers(lookup)) {
      const where = await settled(lookup, isRare)
      const sql = `select ${key} from ${searched} as search where ${where.sql}`
      return { rows: await estimate(where), sql, parameters: where.parameters }
    }
    if (!('parts' in lookup)) {
      const sql = `select ${key} from ${numbers} as number where ${lookup.sql}`
      const found = { sql, parameters: lookup.parameters }
      if (left-- <= 0) return { rows: Infinity, ...found }
      // In order, so that the planner uses the index, however many it expects.
      const inOrder = { ...found, sql: `${sql} order by value limit ${several + 1}` }
      const counted = await countSelected(pool, inOrder)
      if (counted <= several) return { rows: counted, ...found }
      const estimated = await estimateRows(pool, `${numbers} as number`, whereAll([lookup]))
      return { rows: Math.max(counted, estimated), ...found }
    }
    const { operator, parts } = lookup
    const others = parts.filter((part) => !isOfNumbers(part))
    const found = others.length > 0 ? [await find({ operator, parts: others })] : []
    for (const part of parts.filter(isOfNumbers)) found.push(await find(part))
    return operator === 'and' ? fewest(found) : together(found)
  }
  return find({ operator: 'and', parts: lookups })
}

const isOfNumbers = (lookup: Lookup): boolean =>
  'parts' in lookup ? lookup.parts.some(isOfNumbers) : lookup.isOfNumbers === true

/** All of them must hold, so one is enough. */
const fewest = (found: readonly Candidates[]): Candidates =>
  found.reduce((least, each) => (each.rows < least.rows ? each : least))

const together = (found: readonly Candidates[]): Candidates => ({
  rows: found.reduce((sum, { rows }) => sum + rows, 0),
  sql: found.map(({ sql }) => sql).join(' union all '),
  parameters: found.flatMap(({ parameters }) => parameters),
})

/**
 * Of a text with some rare words only these are looked up: the index on three letters in a row takes long over those that
 * most rows have.
 */
async function settled(
  lookup: Lookup,
  isRare: (word: Condition) => Promise<boolean>,
): Promise<Condition> {
  if ('parts' in lookup) {
    const parts: Condition[] = []
    for (const part of lookup.parts) parts.push(await settled(part, isRare))
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
