import { parseTime } from '../../formats/parse-time.ts'
import type { Bound } from './query.ts'
import { readRelative } from './relative-time.ts'

/** A date of a month, of a year or of a week. */
const DAY = /^\d{4}-(\d\d-\d\d|\d{3})$|^\d{4}-?W\d\d-?[1-7]$/i
const DAY_MS = 86_400_000

/**
 * A date alone is the whole day, and `now/h` the whole hour: what is up to it includes it, what is later than it begins
 * behind it.
 */
export const wholeDays = (from: Bound, to: Bound): [Bound, Bound] => [
  from.isIncluded ? from : behind(from),
  to.isIncluded ? behind(to) : to,
]

function behind(bound: Bound): Bound {
  const end = bound.text === null ? null : endOf(bound.text)
  return end ? { text: end.toISOString(), isIncluded: !bound.isIncluded } : bound
}

function endOf(text: string): Date | null {
  const day = DAY.test(text) && parseTime(text)
  return day ? new Date(day.getTime() + DAY_MS) : (readRelative(text)?.to ?? null)
}
