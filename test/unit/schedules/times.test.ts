import { runTimes } from '../../../subgraphs/test-execution/schedules/times.ts'

const DAILY = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' }
const NOON = new Date('2026-06-01T12:00:00Z')

test('a spread delays every run of a schedule by the same part of it, and schedules by different ones', () => {
  const plain = runTimes('a', { ...DAILY, spread: '0s' }).after(NOON)
  expect(plain).toEqual(new Date('2026-06-02T00:30:00Z'))
  const delays = Array.from({ length: 100 }, (_, at) => {
    const times = runTimes(`s${at}`, { ...DAILY, spread: '10m' })
    const [first, second] = [times.after(NOON), times.after(new Date(+NOON + 86_400_000))]
    expect(Number(second) - Number(first)).toBe(86_400_000)
    return Number(first) - Number(plain)
  })
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...delays)).toBeLessThan(600_000)
  expect(new Set(delays).size).toBeGreaterThan(50)
})

test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago'])(
  'with a spread, too, each run of a year in %s is later than the one before',
  (timeZone) => {
    const times = runTimes('a', { cron: '15 */3 * * *', timeZone, spread: '999m' })
    let last = new Date('2026-01-01T00:00:00Z')
    let runs = 0
    for (let next = times.after(last); next && next.getUTCFullYear() === 2026; ) {
      if (+next <= +last) throw new Error(`${next.toISOString()} after ${last.toISOString()}`)
      last = next
      next = times.after(last)
      runs++
    }
    expect(runs).toBeGreaterThan(2_900)
  },
)
