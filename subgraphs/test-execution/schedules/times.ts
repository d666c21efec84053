import { hash } from 'node:crypto'
import { durationMs } from '../../../formats/duration.ts'
import { CronTimes } from '../../../platform/jobs/cron.ts'

/** Attributes of a schedule that say when it runs. */
export interface Timing {
  cron: string
  timeZone: string
  spread: string
}

/**
 * Times of a schedule: those of its expression, all of them later by the same part of `spread`, which follows from the id.
 * It shows the next runs, and runs them.
 * @throws Error that says what is wrong with the expression or the zone
 */
export function runTimes(id: string, { cron, timeZone, spread }: Timing) {
  const times = new CronTimes(cron, timeZone)
  const seconds = Math.floor(durationMs(spread) / 1_000)
  const number = Number.parseInt(hash('sha256', id).slice(0, 8), 16)
  const laterMs = seconds > 0 ? (number % seconds) * 1_000 : 0
  return {
    /** The first run behind a time; null where there is none within eight years. */
    after(time: Date): Date | null {
      const next = times.after(new Date(+time - laterMs))
      return next && new Date(+next + laterMs)
    },
  }
}
