const EXACT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
})
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const PRECISE = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const COUNT = new Intl.NumberFormat('en')

/** A time in the reader's zone, to the second and with the zone. */
export const exactTime = (iso: string): string => EXACT.format(new Date(iso))

export const clockTime = (time: Date): string => CLOCK.format(time)

/** The clock of the reader's zone, to the millisecond. */
export const preciseClock = (iso: string): string => PRECISE.format(new Date(iso))

export const day = (time: Date): string => DAY.format(time)

/** A place in time, as exact as the scale, in the zone of the viewer. */
export const placeInTime = (start: string, scale: string): string => {
  const at = new Date(start)
  if (scale === 'DAY') return DAY.format(at)
  return scale === 'HOUR' ? `${DAY.format(at)} ${CLOCK.format(at)}` : CLOCK.format(at)
}

/** End of a chart. @param to null where it goes on */
export const endInTime = (to: string | null, scale: string): string =>
  to === null ? 'now' : placeInTime(to, scale)

export const count = (number: number): string => COUNT.format(number)

/** Totals up to here are counted. */
export const COUNTED = 10_000

/** An estimate has two digits that mean something; one that says no more than was counted is a lower bound. */
export const total = (of: number, isEstimated = false): string => {
  if (!isEstimated) return count(of)
  return of === COUNTED + 1
    ? `more than ${count(COUNTED)}`
    : `about ${count(Number(of.toPrecision(2)))}`
}

/** Age in the largest unit that is precise enough. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1_000))
  if (seconds < 10) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`
  const days = Math.floor(seconds / 86_400)
  if (days < 7) return `${plural(days, 'day')} ago`
  return (days < 180 ? DAY : DATE).format(new Date(iso))
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A JSON value as people read it. */
export const shown = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

/** @param share of 1; null where there is none */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 100)} %`

export const plural = (number: number, noun: string): string =>
  `${count(number)} ${noun}${number === 1 ? '' : 's'}`
