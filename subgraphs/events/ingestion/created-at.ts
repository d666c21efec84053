const ISO_8601 =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::?(\d\d))?(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
const NUMBER = /^[+-]?\d+(\.\d+)?$/

/** Numbers below are seconds since 1970, others milliseconds (conformance: EV-28). */
const SECONDS_BELOW = 1e11
/** PostgreSQL reads no ISO 8601 year before 1 or after 9999. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')

/**
 * Reads ISO 8601, epoch seconds or epoch milliseconds, as a number or in a string. Without an offset it is UTC.
 * @returns undefined when it is none of these
 */
export function readCreatedAt(value: unknown): Date | undefined {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return NUMBER.test(text) ? fromNumber(Number(text)) : fromIso(text)
}

function fromNumber(value: number): Date | undefined {
  return inRange(new Date(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value))
}

function fromIso(text: string): Date | undefined {
  const match = ISO_8601.exec(text)
  if (!match) return undefined
  const [, day = '', minute = '00:00', second = '00', fraction = '0', offset = 'Z'] = match
  const midnight = new Date(`${day}T00:00:00Z`)
  // 30 February is read as a day of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const millis = fraction.padEnd(3, '0').slice(0, 3)
  return inRange(new Date(`${day}T${minute}:${second}.${millis}${canonicalOffset(offset)}`))
}

function canonicalOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z'
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
}

function inRange(date: Date): Date | undefined {
  const time = date.getTime()
  return time >= EARLIEST && time <= LATEST ? date : undefined
}
