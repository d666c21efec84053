import type { EventDetailQuery, EventHistogramQuery } from '../graph/generated.ts'
import { Bars } from '../ui/columns.tsx'
import { count, endInTime, placeInTime, plural } from '../ui/format.ts'
import { type Bin, binned, type Scale } from './bins.ts'

interface HistogramProps {
  buckets: EventHistogramQuery['eventStatistics']['buckets']
  scale: Scale
  /** End of the range; null where it goes on. */
  to: string | null
  /** Beginning and end of what was selected; the end is absent where it is now. */
  onSelect(from: string, to: string | undefined): void
}

/** Occurrences of all events that match, by severity. */
export function Histogram({ buckets, scale, to, onSelect }: HistogramProps) {
  const bins = binned(
    buckets.map(({ start, bySeverity }) => ({
      start,
      counts: Object.fromEntries(bySeverity.map(({ word, occurrences }) => [word, occurrences])),
    })),
    scale,
  )
  return (
    <Bars
      label="Occurrences"
      from={bins[0] ? placeInTime(bins[0].start, scale) : ''}
      to={endInTime(to, scale)}
      bars={bins.map((bin) => ({
        key: bin.start,
        parts: PARTS.map(({ word, tone }) => ({ value: bin.counts[word] ?? 0, tone })),
        title: `${placeInTime(bin.start, scale)}: ${plural(sumOf(bin), 'occurrence')}${details(bin)}`,
      }))}
      onSelect={(first, last) => {
        const from = bins[first]?.start
        if (from) onSelect(from, bins[last + 1]?.start)
      }}
    />
  )
}

/** From the top down. */
const PARTS = [
  { word: 'CRITICAL', tone: 'critical' },
  { word: 'ERROR', tone: 'bad' },
  { word: 'WARN', tone: 'warn' },
  { word: 'INFO', tone: 'plain' },
  { word: 'OTHER', tone: 'quiet' },
] as const

const sumOf = ({ counts }: Bin): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)

const details = ({ counts }: Bin): string =>
  PARTS.flatMap(({ word }) =>
    counts[word] ? [`, ${count(counts[word])} ${word.toLowerCase()}`] : [],
  ).join('')

/** Occurrences of one event. */
export const OwnHistogram = ({
  buckets,
}: {
  buckets: NonNullable<EventDetailQuery['event']>['histogram']
}) => (
  <Bars
    label="Occurrences"
    from={buckets[0] ? placeInTime(buckets[0].start, 'HOUR') : ''}
    to="now"
    bars={buckets.map(({ start, occurrences }) => ({
      key: start,
      parts: [{ value: occurrences }],
      title: `${placeInTime(start, 'HOUR')}: ${plural(occurrences, 'occurrence')}`,
    }))}
  />
)
