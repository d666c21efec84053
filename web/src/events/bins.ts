import type { HistogramInterval } from '../graph/generated.ts'

/** Length of a bar: an interval of the server, or a day of the viewer. */
export type Scale = HistogramInterval

export interface Bin {
  start: string
  /** Severity → occurrences. */
  counts: Readonly<Record<string, number>>
}

/** The interval that is read for a scale: days are put together here, as they begin at midnight of the viewer. */
export const intervalOf = (scale: Scale): HistogramInterval => {
  if (scale !== 'DAY') return scale
  return new Date().getTimezoneOffset() % 60 === 0 ? 'HOUR' : 'FIFTEEN_MINUTES'
}

/** The scale for a range. @param hours its length; null for all of time, of which the last 30 days are shown */
export function scaleOf(hours: number | null): Scale {
  if (hours === null) return 'DAY'
  if (hours <= 2) return 'MINUTE'
  if (hours <= 48) return 'FIFTEEN_MINUTES'
  return hours <= 200 ? 'HOUR' : 'DAY'
}

/** Longest range of which bars are shown: the server has a limit of intervals. */
export const MAX_DAYS = 31

/** Days of the viewer from shorter buckets; other scales as they are. */
export function binned(buckets: readonly Bin[], scale: Scale): Bin[] {
  if (scale !== 'DAY') return [...buckets]
  const days = Map.groupBy(buckets, ({ start }) => new Date(start).toDateString())
  return [...days.values()].map((day) => ({
    start: day[0]?.start ?? '',
    counts: day.reduce<Record<string, number>>((sums, { counts }) => {
      for (const [word, occurrences] of Object.entries(counts))
        sums[word] = (sums[word] ?? 0) + occurrences
      return sums
    }, {}),
  }))
}
