import { clausesOfRange, type Range, rangeSearch } from '../ui/range.ts'
import { type Sorted, sortSearch } from '../ui/sort.ts'
import { clausesOf } from './query.ts'

/** The query, the range and the order of the page, as the address has them. */
export interface EventSearch extends Range, Sorted {
  q?: string
}

export const eventSearch = ({ q, ...range }: Record<string, unknown>): EventSearch => ({
  ...(typeof q === 'string' && q.trim() !== '' && { q }),
  ...rangeSearch(range),
  ...sortSearch(range),
})

/** The query of the list, the histogram, the total and the selection of all: what the address asks for, in its range. */
export function queryOf({ q, ...range }: EventSearch): string | null {
  const given = q === undefined ? [] : (clausesOf(q) ?? [`(${q})`])
  const clauses = clausesOfRange(range)
  if (clauses.length === 0) return q ?? null
  return [...given, ...clauses].join(' AND ')
}

/** Queries of one click. */
export const QUICK: readonly { title: string; query: string }[] = [
  { title: 'Open', query: 'status:OPEN' },
  { title: 'Acknowledged', query: 'status:ACKNOWLEDGED' },
  { title: 'Critical', query: 'severity:CRITICAL' },
  { title: 'Errors', query: 'severity:ERROR' },
  { title: 'Warnings', query: 'severity:WARN' },
]

/** True if a query has a part that must hold. */
export const hasClause = (query: string, part: string): boolean =>
  clausesOf(query)?.includes(part) ?? false

/** Adds a part that must hold to a query, or takes it out. */
export function toggled(query: string, part: string): string {
  const clauses = clausesOf(query) ?? [`(${query})`]
  return (
    clauses.includes(part) ? clauses.filter((each) => each !== part) : [...clauses, part]
  ).join(' AND ')
}
