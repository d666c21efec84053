import type { ProcessMetrics } from '../metrics/process-metrics.ts'
import type { Logger } from './logger.ts'

/** Clocks that differ by less are equal, and a difference that changes by less is the same. */
const EQUAL_MS = 1_000
const MEASURE_EVERY_MS = 15_000

/** From the clock of this machine to that of the database. */
let differenceMs = 0

/**
 * The time by the clock of the database, which all processes share: what one process writes, another compares. It is the
 * clock of the machine where there is no database, and where both differ by less than a second.
 */
export const currentTime = (): Date => new Date(Date.now() + differenceMs)

export interface ClockOptions {
  databaseTime(): Promise<Date>
  log: Pick<Logger, 'warn' | 'info'>
  metrics: ProcessMetrics
}

/** Keeps `currentTime` with the clock of the database. @returns ends that */
export async function followDatabaseClock({
  databaseTime,
  log,
  metrics,
}: ClockOptions): Promise<() => void> {
  metrics.watch(
    {
      name: 'assay_clock_difference_seconds',
      help: 'By how much the clock of the database is ahead of that of this process; 0 where it is less than a second.',
    },
    async () => [{ labels: {}, value: differenceMs / 1_000 }],
  )
  const measure = async () => {
    const began = performance.now()
    const theirs = await databaseTime()
    // The database answered at some moment of this time: on a busy machine it may be long.
    const tookMs = performance.now() - began
    const foundMs = Math.round(theirs.getTime() - (Date.now() - tookMs / 2))
    if (Math.abs(foundMs - differenceMs) <= EQUAL_MS + tookMs / 2) return
    differenceMs = Math.abs(foundMs) <= EQUAL_MS ? 0 : foundMs
    const facts = { differenceSeconds: differenceMs / 1_000 }
    if (differenceMs === 0) log.info(facts, 'Clock equals that of the database again')
    else
      log.warn(
        facts,
        'Clock differs from that of the database, whose time is used: set the time of this machine',
      )
  }
  await measure()
  const timer = setInterval(() => void measure().catch(() => {}), MEASURE_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    differenceMs = 0
  }
}
