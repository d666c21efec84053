import type { HistogramInterval } from '../graph/generated.ts'
import { clausesOf } from './query.ts'

/** The query and the time scale of the list, as the address has them. */
export interface EventSearch {
  q?: string
  interval?: HistogramInterval
}

export const INTERVALS: readonly { name: HistogramInterval; title: string }[] = [
  { name: 'MINUTE', title: 'Last hour' },
  { name: 'FIVE_MINUTES', title: 'Last 5 hours' },
  { name: 'FIFTEEN_MINUTES', title: 'Last 15 hours' },
  { name: 'HOUR', title: 'Last 60 hours' },
  { name: 'DAY', title: 'Last 60 days' },
]

export function eventSearch({ q, interval }: Record<string, unknown>): EventSearch {
  const known = INTERVALS.find(({ name }) => name === interval)
  return {
    ...(typeof q === 'string' && q.trim() !== '' && { q }),
    ...(known && { interval: known.name }),
  }
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
