/** A range of time, as addresses have it: up to now, or between two instants in ISO 8601. */
export interface Range {
  last?: Last
  from?: string
  to?: string
}

const HOUR_MS = 3_600_000
/** Ranges up to now, in hours. */
const HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const
export type Last = keyof typeof HOURS
export const LAST: readonly { name: Last; title: string }[] = [
  { name: '1h', title: 'Last 1 h' },
  { name: '24h', title: 'Last 24 h' },
  { name: '7d', title: 'Last 7 d' },
  { name: '30d', title: 'Last 30 d' },
]

/** Names in addresses of former versions. */
const FORMER: Readonly<Record<string, Last>> = { hour: '1h', day: '24h', week: '7d', month: '30d' }

const isLast = (value: unknown): value is Last =>
  typeof value === 'string' && Object.hasOwn(HOURS, value)

const instant = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : undefined

/** Addresses come from anywhere: what is unknown in them is left out. */
export function rangeSearch({ last, since, from, to }: Record<string, unknown>): Range {
  const former = typeof since === 'string' ? FORMER[since] : undefined
  if (isLast(last)) return { last }
  if (former) return { last: former }
  const [start, end] = [instant(from), instant(to)]
  return { ...(start && { from: start }), ...(end && { to: end }) }
}

/** Without a range, null on both sides. @param now in milliseconds */
export function spanOf({ last, from, to }: Range, now: number): Span {
  if (last) return { from: new Date(now - HOURS[last] * HOUR_MS).toISOString(), to: null }
  return { from: from ?? null, to: to ?? null }
}

interface Span {
  from: string | null
  /** Null for now. */
  to: string | null
}

/** Length in hours; null without a beginning. */
export const hoursOf = ({ from, to }: Span, now: number): number | null =>
  from === null ? null : ((to === null ? now : Date.parse(to)) - Date.parse(from)) / HOUR_MS

/** The range as clauses of a query of events, of which relative times move on. */
export function clausesOfRange({ last, from, to }: Range): string[] {
  if (last) return [`lastSeenAt:>=now-${last}`]
  return [...(from ? [`lastSeenAt:>="${from}"`] : []), ...(to ? [`firstSeenAt:<"${to}"`] : [])]
}

export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
