import type { Condition } from '../../../platform/event-query/condition.ts'
import type { HistogramRepository } from './histogram.repository.ts'
import type { HistogramArgs, HistogramBucket } from './histogram.type.ts'
import { intervalsOf, readSpan } from './histogram-span.ts'

/** Occurrences by the time of their receipt, with empty intervals filled in. */
export class HistogramService {
  constructor(private readonly histograms: HistogramRepository) {}

  /** @throws AppError BAD_USER_INPUT for a span that ends before it begins or has too many intervals */
  async count(args: HistogramArgs, conditions: readonly Condition[]): Promise<HistogramBucket[]> {
    const span = readSpan(args)
    const counted = await this.histograms.count(span, conditions)
    const byStart = new Map(counted.map((bucket) => [bucket.start.getTime(), bucket]))
    return intervalsOf(span).map(
      (start) => byStart.get(start.getTime()) ?? { start, occurrences: 0 },
    )
  }
}
