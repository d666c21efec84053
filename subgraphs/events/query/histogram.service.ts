import { AppError } from '../../../schema/errors.ts'
import type { HistogramRepository } from './histogram.repository.ts'
import { type HistogramBucket, INTERVAL_MINUTES, type Interval } from './histogram.type.ts'
import type { Condition } from './language/condition.ts'

export interface HistogramArgs {
  interval: Interval
  from?: Date | null
  to?: Date | null
}

const MAX_BUCKETS = 10_000
const DEFAULT_BUCKETS = 60
const MINUTE_MS = 60_000

/** Occurrences by the time of their receipt, with empty intervals filled in. */
export class HistogramService {
  readonly #histograms: HistogramRepository

  constructor(histograms: HistogramRepository) {
    this.#histograms = histograms
  }

  /** @throws AppError BAD_USER_INPUT for a span that ends before it begins or has too many intervals */
  async count(
    { interval, from, to }: HistogramArgs,
    conditions: readonly Condition[],
  ): Promise<HistogramBucket[]> {
    const minutes = INTERVAL_MINUTES[interval]
    const lengthMs = minutes * MINUTE_MS
    const endMs = Math.ceil((to?.getTime() ?? Date.now()) / lengthMs) * lengthMs
    const startMs =
      Math.floor((from?.getTime() ?? endMs - DEFAULT_BUCKETS * lengthMs) / lengthMs) * lengthMs
    const length = (endMs - startMs) / lengthMs
    if (length < 0) throw new AppError('BAD_USER_INPUT', 'The histogram ends before it begins')
    if (length > MAX_BUCKETS)
      throw new AppError('BAD_USER_INPUT', `A histogram has at most ${MAX_BUCKETS} intervals`)
    const span = { from: new Date(startMs), to: new Date(endMs), minutes }
    const counted = await this.#histograms.count(span, conditions)
    const byStart = new Map(counted.map((bucket) => [bucket.start.getTime(), bucket]))
    return Array.from({ length }, (_, position) => {
      const start = startMs + position * lengthMs
      return byStart.get(start) ?? { start: new Date(start), occurrences: 0 }
    })
  }
}
