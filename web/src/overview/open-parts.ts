import type { OpenEventsQuery } from '../graph/generated.ts'
import { COUNTED, total } from '../ui/format.ts'

type Length = Pick<OpenEventsQuery['open'], 'totalCount' | 'isTotalCountEstimated'>
type Parts = Record<keyof Omit<OpenEventsQuery, '__typename'>, Length>

/** Length of a list, as it is shown. */
export const totalOf = (list: Length): string => total(list.totalCount, list.isTotalCountEstimated)

/** Remainder of the other parts, where estimates of each would not add up. */
export function restOf({ open, critical, error, warn, other }: Parts): Length {
  if (!other.isTotalCountEstimated || open.totalCount === COUNTED + 1) return other
  const known = critical.totalCount + error.totalCount + warn.totalCount
  return { totalCount: Math.max(COUNTED + 1, open.totalCount - known), isTotalCountEstimated: true }
}
