import type { Condition } from '../../../platform/event-query/condition.ts'
import { SEVERITIES, STATUSES } from '../../../platform/event-query/words.ts'
import type { HistogramArgs } from './histogram.type.ts'
import { intervalsOf, readSpan } from './histogram-span.ts'
import { type Counted, OTHER, type StatisticsRepository } from './statistics.repository.ts'
import type { EventStatistics, WordCount } from './statistics.type.ts'

/** Each has up to ten counts. */
const MAX_BUCKETS = 3_000

/** Numbers for dashboards: what occurred in a span, by interval, severity and status. */
export class StatisticsService {
  constructor(private readonly statistics: StatisticsRepository) {}

  /** @throws AppError BAD_USER_INPUT for a span that ends before it begins or has too many intervals */
  async count(args: HistogramArgs, conditions: readonly Condition[]): Promise<EventStatistics> {
    const span = readSpan(args, MAX_BUCKETS)
    const counted = await this.statistics.count(span, conditions)
    const byStart = Map.groupBy(counted, ({ startMs }) => startMs)
    return {
      ...sums(byStart.get(null)),
      buckets: intervalsOf(span).map((start) => {
        const { events: _, ...bucket } = sums(byStart.get(start.getTime()))
        return { start, ...bucket }
      }),
    }
  }
}

function sums(counted: readonly Counted[] = []): Omit<EventStatistics, 'buckets'> {
  const all = counted.find(({ severity, status }) => severity === null && status === null)
  return {
    occurrences: all?.occurrences ?? 0,
    events: all?.events ?? 0,
    bySeverity: countsInOrder(counted, SEVERITIES, ({ severity }) => severity),
    byStatus: countsInOrder(counted, STATUSES, ({ status }) => status),
  }
}

/** In the order of the known words; only those that occurred. */
const countsInOrder = (
  counted: readonly Counted[],
  known: readonly string[],
  wordOf: (each: Counted) => string | null,
): WordCount[] =>
  [...known, OTHER].flatMap((word) => {
    const found = counted.find((each) => wordOf(each) === word)
    return found ? [{ word, occurrences: found.occurrences, events: found.events }] : []
  })
