import { execFileSync } from 'node:child_process'

/** Labels of a chart's buckets in a time zone. */
const placesIn = (zone: string, buckets: readonly (readonly [start: string, scale: string])[]) => {
  const script = `import { placeInTime } from './web/src/ui/format.ts'
    console.log(JSON.stringify(${JSON.stringify(buckets)}.map((each) => placeInTime(...each))))`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
  return JSON.parse(execFileSync(process.execPath, args, { env: { TZ: zone } }).toString())
}

test('buckets of days have the date of UTC, shorter ones the clock of the reader', () => {
  const buckets = [
    ['2026-03-10T00:00:00Z', 'DAY'],
    ['2026-03-05T00:00:00Z', 'WEEK'],
    ['2026-03-10T00:00:00Z', 'HOUR'],
    ['2026-03-10T00:15:00Z', 'FIFTEEN_MINUTES'],
    ['2026-03-10T00:01:00Z', 'MINUTE'],
  ] as const
  expect(placesIn('America/Phoenix', buckets)).toEqual(
    ['10 Mar', '5 Mar', '9 Mar 17:00', '17:15', '17:01'], // UTC-7
  )
  expect(placesIn('Asia/Kolkata', buckets)).toEqual(
    ['10 Mar', '5 Mar', '10 Mar 05:30', '05:45', '05:31'], // UTC+5:30
  )
})
