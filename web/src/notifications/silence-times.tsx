import type { Silence } from './drafts.ts'
import { DAYS } from './words.ts'

const titleOf = (name: string) => DAYS.find((day) => day.name === name)?.title ?? name

const timeOf = (text: string): string => {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toLocaleString()
}

/** When a silence holds. */
export function SilenceTimes({ from, until, weekly }: Pick<Silence, 'from' | 'until' | 'weekly'>) {
  const parts = [
    from && `from ${timeOf(from)}`,
    until && (until === 'RESOLVED' ? 'until all is resolved' : `until ${timeOf(until)}`),
    weekly &&
      `${weekly.days.map(titleOf).join(', ')} ${weekly.from} to ${weekly.to} (${weekly.timeZone})`,
  ]
  return <span>{parts.filter(Boolean).join(', ')}</span>
}
