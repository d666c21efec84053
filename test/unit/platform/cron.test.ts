import { atTimes } from '../../../platform/jobs/at-times.ts'
import { CronTimes } from '../../../platform/jobs/cron.ts'

const ZONES = [
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24', '2026-10-30'],
  ['America/Santiago', '2026-09-06', '2026-04-05'],
  ['Asia/Kolkata', '', ''],
] as const

function* runs(text: string, timeZone: string, from = '2026-01-01T00:00:00Z', days = 365) {
  const times = new CronTimes(text, timeZone)
  const end = Date.parse(from) + days * 86_400_000
  for (let time = times.after(new Date(from)); time && +time < end; time = times.after(time))
    yield time
}

/** Date and time on the wall, such as 2026-03-29 03:00. */
const wallOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (time: Date) => format.format(time)
}

test.each(ZONES)('a year in %s: each day has one run at 02:15, and hours follow hours', (zone) => {
  const walls = [...runs('15 2 * * *', zone)].map(wallOf(zone))
  expect(new Set(walls.map((wall) => wall.slice(0, 10))).size).toBe(walls.length)
  expect(walls.length).toBe(365)
  expect(walls.filter((wall) => !wall.endsWith('02:15')).length).toBeLessThanOrEqual(1)
  const hours = [...runs('0 * * * *', zone)].map(Number)
  const gaps = hours.slice(1).map((hour, at) => (hour - (hours[at] ?? 0)) / 3_600_000)
  expect(gaps.every((gap) => gap >= 0.5 && gap <= 1.5)).toBe(true)
})

test.each(ZONES)('a year in %s: each day has one run at midnight', (zone) => {
  const days = [...runs('@daily', zone)].map((time) => wallOf(zone)(time).slice(0, 10))
  expect(days.length).toBe(365)
  expect(new Set(days).size).toBe(365)
})

test.each<[string, string, string, string[]]>([
  ['Europe/Berlin', '2026-03-29', '30 2 * * *', ['03:00']],
  ['Europe/Berlin', '2026-03-29', '*/15 2 * * *', []],
  ['Europe/Berlin', '2026-10-25', '30 2 * * *', ['02:30']],
  ['Europe/Berlin', '2026-10-25', '*/30 2 * * *', ['02:00', '02:30', '02:00', '02:30']],
  ['Australia/Lord_Howe', '2026-10-04', '15 2 * * *', ['02:30']],
  ['Africa/Cairo', '2026-04-24', '0 0 * * *', ['01:00']],
  ['Africa/Cairo', '2026-10-30', '0 0 * * *', ['00:00']],
])('in %s on %s, %s runs at %j', (zone, day, text, expected) => {
  const wall = wallOf(zone)
  const found = [...runs(text, zone, `${day}T00:00:00Z`, 3)].map(wall)
  const before = [...runs(text, zone, new Date(Date.parse(day) - 86_400_000).toISOString(), 4)]
  const all = [...new Set([...found, ...before.map(wall)])]
  const times = before.map(wall).filter((each) => each.startsWith(day))
  expect(all.length).toBeGreaterThan(0)
  expect(times.map((each) => each.slice(11))).toEqual(expected)
})

test('days of month and of week are alternatives, as in crontab(5)', () => {
  const days = [...runs('0 0 13 * 5', 'UTC', '2026-03-01T00:00:00Z', 31)]
  expect(days.map((time) => time.getUTCDate())).toEqual([6, 13, 20, 27])
})

test.each([
  '',
  '5 *',
  '0 0 0 * * *',
  '60/5 * * * *',
  '5/15 * * * *',
  '10-5 * * * *',
  '1,,2 * * * *',
  '0 24 * * *',
  '0 0 L * *',
  '@yearly',
  '0 0 30 2 *',
  '0 0 31 2,4 *',
])('%j is refused', (text) => {
  expect(() => new CronTimes(text)).toThrow()
})

test.each(['0 0 0 * *', '0 0 * 13 *', '0 0 FRI * *', '0 22-2 * * *', '*/0 * * * *'])(
  '%j is refused with the ranges of all fields',
  (text) => {
    const expected = `${JSON.stringify(text)} is no cron expression: expected minutes 0-59, hours 0-23, days 1-31`
    expect(() => new CronTimes(text)).toThrow(expected)
  },
)

test.each(['', '+02:00', 'Nowhere/Land', 'UTC+2'])('the time zone %j is refused', (zone) => {
  expect(() => new CronTimes('@hourly', zone)).toThrow('is no time zone')
})

test('a leap day runs every four years, and eight years apart around 2100', () => {
  const times = new CronTimes('0 0 29 2 *')
  expect(times.after(new Date('2096-03-01'))?.toISOString()).toBe('2104-02-29T00:00:00.000Z')
})

test('what runs at times looks at the clock, also one that was set, and runs each time once', async () => {
  let now = Date.parse('2026-01-01T00:59:59.990Z')
  let ran = 0
  await new Promise<void>((resolve) => {
    const end = atTimes(
      new CronTimes('@hourly'),
      () => {
        if (++ran === 1) now = Date.parse('2026-01-01T04:59:59.995Z')
        else resolve(end())
      },
      () => {
        now += 1
        return new Date(now)
      },
    )
  })
  expect(ran).toBe(2)
})
