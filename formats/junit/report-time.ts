import { parseTime } from '../parse-time.ts'

/** Tools that do not know a time write year 1, 1970, 1980 or 2000. */
const FIRST = Date.parse('2000-01-02T00:00:00Z')
/** A clock may be ahead, and a local time by up to 14 h. */
const AHEAD_MS = 86_400_000

/**
 * When something in a report began, as ISO 8601; null for what is no time, and for those that stand for an unknown one.
 * @param zone of times without an offset: a name of IANA, or an offset
 */
export function reportTime(value: unknown, zone = 'UTC'): string | null {
  const time = typeof value === 'string' && parseTime(value, (local) => utcOf(local, zone))
  return time && time.getTime() >= FIRST && time.getTime() <= Date.now() + AHEAD_MS
    ? time.toISOString()
    : null
}

/** True for a name of IANA, such as Europe/Berlin, and for an offset, such as +09:00. */
export function isZone(zone: string): boolean {
  try {
    return Number.isFinite(offsetAt(0, zone))
  } catch {
    return false
  }
}

/** The hour that a clock shows twice is the first one. */
const utcOf = (local: number, zone: string): number => {
  const offset = offsetAt(local - offsetAt(local, zone), zone)
  return local - offset
}

function offsetAt(time: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -ms : ms
}
