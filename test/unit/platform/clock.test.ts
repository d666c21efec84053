import { setTimeout as delay } from 'node:timers/promises'
import { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import { currentTime, followDatabaseClock } from '../../../platform/process/clock.ts'

const FIVE_MINUTES_MS = 300_000

async function following(differenceMs: number, tookMs = 0) {
  const lines: object[] = []
  const note = (facts: object) => void lines.push(facts)
  const metrics = new ProcessMetrics()
  const stop = await followDatabaseClock({
    databaseTime: async () => {
      const time = new Date(Date.now() + differenceMs)
      await delay(tookMs)
      return time
    },
    log: { warn: note, info: note },
    metrics,
  })
  return { lines, metrics, stop }
}

const difference = () => currentTime().getTime() - Date.now()

test.each([FIVE_MINUTES_MS, -FIVE_MINUTES_MS])(
  'a clock that differs from that of the database by %i ms is logged, shown and not used',
  async (differenceMs) => {
    const { lines, metrics, stop } = await following(differenceMs)
    try {
      expect(Math.abs(difference() - differenceMs)).toBeLessThan(1_000)
      expect(lines).toHaveLength(1)
      const shown = await metrics.registry.metrics()
      const [, seconds] = /^assay_clock_difference_seconds (\S+)$/m.exec(shown) ?? []
      expect(Math.abs(Number(seconds) - differenceMs / 1_000)).toBeLessThan(1)
    } finally {
      stop()
    }
    expect(Math.abs(difference())).toBeLessThan(1_000)
  },
)

test('a difference of less than a second changes nothing', async () => {
  const { lines, stop } = await following(400)
  expect(Math.abs(difference())).toBeLessThan(100)
  expect(lines).toEqual([])
  stop()
})

test('a database that takes long to answer is no difference', async () => {
  const { lines, stop } = await following(0, 2_500)
  expect(Math.abs(difference())).toBeLessThan(100)
  expect(lines).toEqual([])
  stop()
})
