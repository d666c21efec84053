import { ExactNumber } from './json/exact-number.ts'

/**
 * In its extended and its basic form, with the day of a month, of a year (`2017-267`) or of a week (`2017-W38-7`). A
 * fraction is one of the last unit.
 */
const ISO_8601 =
  /^(\d{4})-?(\d\d-?\d\d|\d{3}|W\d\d-?[1-7])(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d+))?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
const MONTH = /^\d{4}-\d\d$/
/** As seconds it would lie before April 1973. Other dates of digits alone are numbers. */
const BASIC_DATE = /^\d{8}$/
/** Java writes large doubles with an exponent. */
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i
/** Windows PowerShell and WCF write times as ms since 1970; an offset behind them is for display. */
const NET_JSON = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Numbers below are seconds since 1970, those below the next milliseconds, and so on (conformance: EV-28). */
const SECONDS_BELOW = 1e11
const MILLISECONDS_BELOW = 1e14
const MICROSECONDS_BELOW = 1e17
const NANOSECONDS_BELOW = 1e20
/** As digits alone: a double is up to 128 ns beside such a number, which may be another millisecond. */
const NANOSECONDS = /^\d{18,20}$/
/** PostgreSQL reads no ISO 8601 year before 1 or after 9999. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')
/** Times that are not set are of year 1 in Go and .NET, where zones make them one of the day before. */
const SET_FROM = Date.parse('0002-01-01T00:00:00Z')

/** The same time of Go in nanoseconds, which overflow. */
const UNSET_NANOSECONDS = -6_795_364_578_871

/** True if a time was set: senders in Go and .NET have year 1 for one that was not. */
export const isSet = (time: Date): boolean =>
  time.getTime() >= SET_FROM && time.getTime() !== UNSET_NANOSECONDS

/**
 * Reads ISO 8601, forms of it with a zone (`UTC`, as Go prints times, RFC 9557), RFC 5322, the JSON of .NET, or epoch
 * seconds, milliseconds, microseconds or nanoseconds, as a number or in a string. A month alone is its first day.
 * @param utcOf a local time, in ms as if it were UTC; without an offset a time is UTC
 * @returns undefined when it is none of these; the latest time there is for what lies behind it
 */
export function parseTime(value: unknown, utcOf = (local: number) => local): Date | undefined {
  if (typeof value === 'number') return fromNumber(value)
  if (value instanceof ExactNumber)
    return fromDigits(value.toString()) ?? fromNumber(value.valueOf())
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  const [, netMs] = NET_JSON.exec(text) ?? []
  if (netMs) return inRange(Number(netMs))
  if (!NUMBER.test(text)) return fromIso(isoOf(text), utcOf)
  const ofDigits = BASIC_DATE.test(text) ? fromIso(text, utcOf) : fromDigits(text)
  return ofDigits ?? fromNumber(Number(text))
}

const fromDigits = (text: string): Date | undefined =>
  NANOSECONDS.test(text) ? inRange(Number(text.slice(0, -6))) : undefined

function fromNumber(value: number): Date | undefined {
  const size = Math.abs(value)
  if (size < SECONDS_BELOW) return inRange(value * 1_000)
  if (size < MILLISECONDS_BELOW) return inRange(value)
  if (size < MICROSECONDS_BELOW) return inRange(value / 1_000)
  return size < NANOSECONDS_BELOW ? inRange(value / 1_000_000) : undefined
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** RFC 5322, 3.3 and 4.3, as in headers of mail and HTTP. PHP and Go still print years of two digits. */
const RFC_5322 =
  /^(?:[a-z]{3},\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4}|\d\d)\s+(\d\d:\d\d(?::\d\d)?)\s*(UT|UTC|GMT|Z|[ECMP][SD]T|[+-]\d{4}|)(?:\s*\([^()]*\))?$/i
/** Hours behind UTC of the zones of RFC 5322 in winter. */
const WEST: Record<string, number> = { E: 5, C: 6, M: 7, P: 8 }
/** Other forms with the name of a month. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  // As C, Java and `date` print times.
  [
    /^[a-z]{3} ([a-z]{3}) +(\d{1,2}) (\d\d:\d\d:\d\d)( UTC| GMT| [+-]\d{4}|) (\d{4})$/i,
    '$2 $1 $5 $3$4',
  ],
  // As JavaScript does.
  [/^[a-z]{3} ([a-z]{3}) (\d\d) (\d{4}) (\d\d:\d\d:\d\d) GMT([+-]\d{4})/i, '$2 $1 $3 $4 $5'],
  // As logs of web servers and PHP's cookies have them.
  [/^(?:[a-z]+, )?(\d\d)[-/]([a-z]{3})[-/](\d{4})[: ](\d\d:)/i, '$1 $2 $3 $4'],
  // As RFC 850.
  [/^[a-z]+day, (\d\d)-([a-z]{3})-(\d\d) /i, '$1 $2 $3 '],
]
/** As Go and nginx, and as Zabbix prints dates. */
const SEPARATED = /^(\d{4})([/.])(\d\d)\2(\d\d)/
/** RFC 9557: the zone and the calendar behind an offset. */
const SUFFIX = /(Z|[+-]\d\d:?\d\d)(\[!?[\w/+:=.-]+\])+$/i
/** Go prints the name of the zone behind its offset, and the reading of its monotonic clock. */
const ZONE_NAME = /([+-]\d{4}) [A-Z]{2,5}( m=[+-][\d.]+)?$/

/** The same time in a form of ISO 8601; a text in none of the forms as it is. */
function isoOf(text: string): string {
  if (MONTH.test(text)) return `${text}-01`
  const mail = RFC_5322.exec(NAMED.reduce((form, [from, to]) => form.replace(from, to), text))
  if (!mail)
    return text
      .replace(SEPARATED, '$1-$3-$4')
      .replace(SUFFIX, '$1')
      .replace(ZONE_NAME, '$1')
      .replace(/\s?(UTC|GMT)$/i, 'Z')
  const [, day = '', name = '', given = '', clock, zone = ''] = mail
  const year = given.length === 4 ? given : `${Number(given) < 50 ? 20 : 19}${given}`
  const month = String(MONTHS.indexOf(name.toLowerCase()) + 1).padStart(2, '0')
  return `${year}-${month}-${day.padStart(2, '0')}T${clock}${offsetOf(zone)}`
}

function offsetOf(zone: string): string {
  const [, place = '', season] = /^(.)([SD])T$/i.exec(zone) ?? []
  const hours = WEST[place.toUpperCase()]
  if (hours === undefined) return zone.replace(/^[a-z]+$/i, 'Z')
  return `-0${season?.toUpperCase() === 'D' ? hours - 1 : hours}00`
}

function fromIso(text: string, utcOf: (local: number) => number): Date | undefined {
  const match = ISO_8601.exec(text)
  if (!match) return undefined
  const [, year = '', date = '', hour = '00', minute, second, fraction = '', offset] = match
  const day = dayOf(year, date)
  if (day === undefined) return undefined
  const isLeapSecond = second === '60'
  const clock = `${hour}:${minute ?? '00'}:${isLeapSecond ? '59' : (second ?? '00')}`
  const started = Date.parse(`${day}T${clock}${canonicalOffset(offset ?? 'Z')}`)
  // As in POSIX time, a leap second counts as the one behind it: the first of a day.
  const counted = isLeapSecond ? started + SECOND_MS : started
  if (isLeapSecond && counted % DAY_MS !== 0) return undefined
  const unit = second ? SECOND_MS : minute ? MINUTE_MS : HOUR_MS
  // In integers, as a double may come out one millisecond short.
  const billionths = Number(fraction.slice(0, 9).padEnd(9, '0'))
  const ms = counted + Math.floor((billionths * unit) / 1e9)
  return inRange(offset ? ms : utcOf(ms))
}

/** @returns `YYYY-MM-DD`; undefined for a date that there is not */
function dayOf(year: string, date: string): string | undefined {
  if (/^\d\d-?\d\d$/.test(date)) {
    const day = `${year}-${date.slice(0, 2)}-${date.slice(-2)}`
    const midnight = new Date(`${day}T00:00:00Z`)
    // 30 February is read as a day of March.
    const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
    return isDay ? day : undefined
  }
  const newYear = Date.parse(`${year}-01-01T00:00:00Z`)
  const [, week, weekday] = /^W(\d\d)-?(\d)$/i.exec(date) ?? []
  const firstThursday = (11 - new Date(newYear).getUTCDay()) % 7
  // A week belongs to the year of its Thursday.
  const place = week ? firstThursday + (Number(week) - 1) * 7 : Number(date) - 1
  const found = new Date(newYear + place * DAY_MS)
  if (!found.toISOString().startsWith(year)) return undefined
  const fromThursday = week ? Number(weekday) - 4 : 0
  return new Date(found.getTime() + fromThursday * DAY_MS).toISOString().slice(0, 10)
}

function canonicalOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z'
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
}

function inRange(ms: number): Date | undefined {
  if (!(ms >= EARLIEST - DAY_MS)) return undefined
  return new Date(Math.min(Math.max(ms, EARLIEST), LATEST))
}
