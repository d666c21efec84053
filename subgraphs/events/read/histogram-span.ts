import { AppError } from '../../../formats/errors.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import { type HistogramArgs, INTERVAL_MINUTES } from './histogram.type.ts'

export interface HistogramSpan {
  from: Date
  to: Date
  minutes: number
}

const MAX_BUCKETS = 10_000
const DEFAULT_BUCKETS = 60
const MINUTE_MS = 60_000

/** Whole intervals. @throws AppError BAD_USER_INPUT for a span that ends before it begins or has too many of them */
export function readSpan(
  { interval, from, to }: HistogramArgs,
  maxBuckets = MAX_BUCKETS,
): HistogramSpan {
  const minutes = INTERVAL_MINUTES[interval]
  const lengthMs = minutes * MINUTE_MS
  const endMs = Math.ceil((to?.getTime() ?? currentTime().getTime()) / lengthMs) * lengthMs
  const startMs =
    Math.floor((from?.getTime() ?? endMs - DEFAULT_BUCKETS * lengthMs) / lengthMs) * lengthMs
  const length = (endMs - startMs) / lengthMs
  if (length < 0) throw new AppError('BAD_USER_INPUT', 'The histogram ends before it begins')
  if (length > maxBuckets)
    throw new AppError('BAD_USER_INPUT', `A histogram has at most ${maxBuckets} intervals`)
  return { from: new Date(startMs), to: new Date(endMs), minutes }
}

/** When each interval begins. */
export const intervalsOf = ({ from, to, minutes }: HistogramSpan): Date[] =>
  Array.from(
    { length: (to.getTime() - from.getTime()) / (minutes * MINUTE_MS) },
    (_, position) => new Date(from.getTime() + position * minutes * MINUTE_MS),
  )
