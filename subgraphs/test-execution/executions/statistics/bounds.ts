import { badInput } from '../../../../formats/errors.ts'

interface Span {
  from: Date | null
  to: Date
  /** Length of an interval. */
  minutes: number
  /** Name of the zone in which days and weeks begin at midnight; UTC if absent. */
  timeZone: string | null
}

const MAX_BUCKETS = 1_000
const DEFAULT_BUCKETS = 30
const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** A Monday, so that weeks begin with one. */
const EPOCH_MS = Date.UTC(1970, 0, 5)

/**
 * Beginnings of the intervals of a span, and its end.
 * @throws AppError BAD_USER_INPUT for a zone that is unknown, a span that ends before it begins, or too many intervals
 */
export function boundsOf({ from, to, minutes, timeZone }: Span): Date[] {
  const lengthMs = minutes * MINUTE_MS
  // Shorter intervals have the same bounds in all zones.
  const zone = zoneOf(minutes < DAY_MINUTES ? null : timeZone)
  const placeOf = (date: Date) => (zone.wallOf(date.getTime()) - EPOCH_MS) / lengthMs
  const end = Math.ceil(placeOf(to))
  const start = from ? Math.floor(placeOf(from)) : end - DEFAULT_BUCKETS
  const length = end - start
  if (length < 0) throw badInput('The statistics end before they begin')
  if (length > MAX_BUCKETS)
    throw badInput(
      `Statistics have at most ${MAX_BUCKETS} intervals (MAX_BUCKETS), not ${length}: take longer ones`,
    )
  return Array.from(
    { length: length + 1 },
    (_, at) => new Date(zone.instantOf(EPOCH_MS + (start + at) * lengthMs)),
  )
}

interface Zone {
  /** Clock of the zone, in milliseconds as if it were UTC. */
  wallOf(ms: number): number
  /** Reverse of `wallOf`; of a time that its clocks leave out, one next to it. */
  instantOf(wallMs: number): number
}

const UTC: Zone = { wallOf: (ms) => ms, instantOf: (wallMs) => wallMs }

function zoneOf(timeZone: string | null): Zone {
  if (timeZone === null) return UTC
  const format = formatOf(timeZone)
  const wallOf = (ms: number) => {
    const part = Object.fromEntries(
      format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    return Date.UTC(year, month - 1, day, hour, minute, second) + (ms % 1_000)
  }
  const offsetAt = (ms: number) => wallOf(ms) - ms
  return {
    wallOf,
    instantOf: (wallMs) => wallMs - offsetAt(wallMs - offsetAt(wallMs)),
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch (cause) {
    const given = JSON.stringify(timeZone.slice(0, 64))
    throw badInput(`timeZone: expected a name such as Europe/Berlin, not ${given}`, { cause })
  }
}
