export interface Weekly {
  days: string[]
  /** `22:00` */
  from: string
  to: string
  timeZone: string
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** True within the hours of a week; they may lead over midnight, into the day behind one of `days`. */
export function isWithinWeek({ days, from, to, timeZone }: Weekly, now: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(now)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const day = DAYS.indexOf(part('weekday').toUpperCase())
  const time = `${part('hour')}:${part('minute')}`
  const begins = (at: number) => days.includes(DAYS[(at + 7) % 7] ?? '')
  if (from < to) return begins(day) && time >= from && time < to
  return (begins(day) && time >= from) || (begins(day - 1) && time < to)
}
