import { ExactNumber } from '../../../schema/exact-number.ts'

/** In its extended and its basic form. A date of digits alone is a number. A fraction is one of the last unit. */
const ISO_8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d+))?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
const NUMBER = /^[+-]?\d+(\.\d+)?$/

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Numbers below are seconds since 1970, those below the next milliseconds, others microseconds (conformance: EV-28). */
const SECONDS_BELOW = 1e11
const MILLISECONDS_BELOW = 1e14
/** PostgreSQL reads no ISO 8601 year before 1 or after 9999. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/**
 * Reads ISO 8601, or epoch seconds, milliseconds or microseconds, as a number or in a string. Without an offset it is UTC.
 * @returns undefined when it is none of these; the latest time there is for what lies behind it
 */
export function readCreatedAt(value: unknown): Date | undefined {
  if (typeof value === 'number') return fromNumber(value)
  if (value instanceof ExactNumber) return fromNumber(value.valueOf())
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return NUMBER.test(text) ? fromNumber(Number(text)) : fromIso(text)
}

function fromNumber(value: number): Date | undefined {
  const size = Math.abs(value)
  if (size < SECONDS_BELOW) return inRange(value * 1_000)
  return inRange(size < MILLISECONDS_BELOW ? value : value / 1_000)
}

function fromIso(text: string): Date | undefined {
  const match = ISO_8601.exec(text)
  if (!match) return undefined
  const [, year, month, date, hour = '00', minute, second, fraction = '', offset = 'Z'] = match
  const day = `${year}-${month}-${date}`
  const midnight = new Date(`${day}T00:00:00Z`)
  // 30 February is read as a day of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const isLeapSecond = second === '60'
  const clock = `${hour}:${minute ?? '00'}:${isLeapSecond ? '59' : (second ?? '00')}`
  const started = Date.parse(`${day}T${clock}${canonicalOffset(offset)}`)
  // As in POSIX time, a leap second counts as the one behind it: the first of a day.
  const counted = isLeapSecond ? started + SECOND_MS : started
  if (isLeapSecond && counted % DAY_MS !== 0) return undefined
  const unit = second ? SECOND_MS : minute ? MINUTE_MS : HOUR_MS
  // In integers, as a double may come out one millisecond short.
  const billionths = Number(fraction.slice(0, 9).padEnd(9, '0'))
  return inRange(counted + Math.floor((billionths * unit) / 1e9))
}

function canonicalOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z'
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
}

function inRange(ms: number): Date | undefined {
  return ms >= EARLIEST ? new Date(Math.min(ms, LATEST)) : undefined
}
