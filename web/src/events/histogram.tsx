import { EventHistogramDocument, type HistogramInterval } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { Bars } from '../ui/columns.tsx'
import { clockTime, day, plural } from '../ui/format.ts'

/** A place in time, as exact as the scale. */
export const labelOf = (start: string, interval: HistogramInterval): string =>
  interval === 'DAY'
    ? day(new Date(start))
    : interval === 'HOUR'
      ? `${day(new Date(start))} ${clockTime(new Date(start))}`
      : clockTime(new Date(start))

/** Occurrences of all events that match. */
export function Histogram({
  query,
  interval,
}: {
  query: string | null
  interval: HistogramInterval
}) {
  const { data, error } = useRead(EventHistogramDocument, { query, interval })
  const buckets = data?.eventHistogram ?? []
  if (error) return null // the list says what is wrong
  return (
    <Bars
      label="Occurrences"
      from={buckets[0] ? labelOf(buckets[0].start, interval) : ''}
      to="now"
      bars={buckets.map(({ start, occurrences }) => ({
        key: start,
        value: occurrences,
        title: `${labelOf(start, interval)}: ${plural(occurrences, 'occurrence')}`,
      }))}
    />
  )
}
