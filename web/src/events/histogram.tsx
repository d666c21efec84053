import type { EventHistogramQuery, HistogramInterval } from '../graph/generated.ts'
import { Bars } from '../ui/columns.tsx'
import { placeInTime, plural } from '../ui/format.ts'

/** Occurrences of all events that match. */
export const Histogram = ({
  buckets,
  interval,
}: {
  buckets: EventHistogramQuery['eventHistogram']
  interval: HistogramInterval
}) => (
  <Bars
    label="Occurrences"
    from={buckets[0] ? placeInTime(buckets[0].start, interval) : ''}
    to="now"
    bars={buckets.map(({ start, occurrences }) => ({
      key: start,
      parts: [{ value: occurrences }],
      title: `${placeInTime(start, interval)}: ${plural(occurrences, 'occurrence')}`,
    }))}
  />
)
