import type { ExecutionInterval } from '../graph/generated.ts'
import { hoursOf, type Range, rangeSearch, spanOf } from '../ui/range.ts'

/** The range of the overview, as the address has it. */
export const overviewSearch = (given: Record<string, unknown>): Range => {
  const range = rangeSearch(given)
  return range.last === DEFAULT.last ? {} : range
}

const DEFAULT = { last: '24h' } as const
const MINUTE_MS = 60_000

/** Beginning, end and interval of the statistics. @param now in milliseconds */
export function statisticsOf(search: Range, now: number) {
  const range = search.last || search.from ? search : DEFAULT
  const whole = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const { from, to } = spanOf(range, whole)
  return { range, from, to, interval: scaleOf(hoursOf({ from, to }, whole) ?? 0) }
}

/** A statistic has at most 1 000 intervals. */
function scaleOf(hours: number): ExecutionInterval {
  if (hours <= 3) return 'MINUTE'
  if (hours <= 200) return 'HOUR'
  return hours <= 24 * 900 ? 'DAY' : 'WEEK'
}
