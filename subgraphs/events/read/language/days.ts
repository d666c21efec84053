import { readCreatedAt } from '../../ingestion/created-at.ts'
import type { Bound } from './query.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 86_400_000

/** A date alone is the whole day: what is up to it includes it, what is later than it begins with the next one. */
export const wholeDays = (from: Bound, to: Bound): [Bound, Bound] => [
  from.isIncluded ? from : behindDay(from),
  to.isIncluded ? behindDay(to) : to,
]

function behindDay(bound: Bound): Bound {
  const day = bound.text !== null && DAY.test(bound.text) && readCreatedAt(bound.text)
  if (!day) return bound
  return { text: new Date(day.getTime() + DAY_MS).toISOString(), isIncluded: !bound.isIncluded }
}
