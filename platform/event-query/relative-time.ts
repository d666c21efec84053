const RELATIVE = /^now((?:(?:[+-]\d{0,6}|\/)[smhHdwMy])*)$/
const STEP = /([+-]\d*|\/)(\w)/g

const SECOND_MS = 1_000
const FIXED_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3_600 * SECOND_MS,
  H: 3_600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
  w: 7 * 86_400 * SECOND_MS,
}
/** A Monday. */
const WEEKS_FROM = Date.parse('1970-01-05T00:00:00Z')

/** Times that PostgreSQL reads. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T00:00:00Z')
const MAX_MONTHS = 12 * 9_999

/** True if a time moves on with the clock. */
export const isRelative = (text: string): boolean => RELATIVE.test(text)

/**
 * Reads `now`, with steps such as `-15m` or `+1d` behind it and units to round down to, as in `now-1d/d` and `now/d+8h`.
 * All in UTC; weeks begin on Mondays.
 * @returns `to`: where the unit that it is rounded to ends; null where it is not rounded
 */
export function readRelative(
  text: string,
  now = Date.now(),
): { from: Date; to: Date | null } | null {
  const match = RELATIVE.exec(text)
  if (!match) return null
  let from = new Date(now)
  let to: Date | null = null
  for (const [, step = '', unit = ''] of (match[1] ?? '').matchAll(STEP)) {
    const isRounded = step === '/'
    const steps = Number(/\d/.test(step) ? step : `${step}1`)
    from = isRounded ? startOf(from, unit) : within(moved(from, steps, unit))
    to = isRounded ? within(moved(from, 1, unit)) : null
  }
  return { from, to }
}

function moved(at: Date, amount: number, unit: string): Date {
  const fixed = FIXED_MS[unit]
  if (fixed !== undefined) return new Date(at.getTime() + amount * fixed)
  const months = Math.max(-MAX_MONTHS, Math.min(MAX_MONTHS, unit === 'y' ? 12 * amount : amount))
  const found = new Date(at)
  found.setUTCDate(1)
  found.setUTCMonth(found.getUTCMonth() + months)
  // A month later than 31 January is the last day of February.
  const next = new Date(Date.UTC(found.getUTCFullYear(), found.getUTCMonth() + 1, 0))
  found.setUTCDate(Math.min(at.getUTCDate(), next.getUTCDate()))
  return found
}

function startOf(at: Date, unit: string): Date {
  if (unit === 'y') return new Date(Date.UTC(at.getUTCFullYear(), 0))
  if (unit === 'M') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
  const ms = FIXED_MS[unit] ?? SECOND_MS
  const origin = unit === 'w' ? WEEKS_FROM : 0
  return new Date(Math.floor((at.getTime() - origin) / ms) * ms + origin)
}

/** Steps may lead beyond all times: as far as there are some. */
function within(at: Date): Date {
  const ms = at.getTime()
  return new Date(Math.min(LATEST, Math.max(EARLIEST, ms)))
}
