import { execFileSync } from 'node:child_process'
import { total } from '../../../web/src/ui/format.ts'

/** Labels of a chart's buckets in a time zone. */
const placesIn = (zone: string, buckets: readonly (readonly [start: string, scale: string])[]) => {
  const script = `import { placeInTime } from './web/src/ui/format.ts'
    console.log(JSON.stringify(${JSON.stringify(buckets)}.map((each) => placeInTime(...each))))`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
  return JSON.parse(execFileSync(process.execPath, args, { env: { TZ: zone } }).toString())
}

test('buckets of days have the date of the reader, shorter ones the clock', () => {
  const buckets = [
    ['2026-03-10T00:00:00Z', 'DAY'],
    ['2026-03-10T00:00:00Z', 'HOUR'],
    ['2026-03-10T00:15:00Z', 'FIFTEEN_MINUTES'],
    ['2026-03-10T00:01:00Z', 'MINUTE'],
  ] as const
  expect(placesIn('America/Phoenix', buckets)).toEqual(
    ['9 Mar', '9 Mar 17:00', '17:15', '17:01'], // UTC-7
  )
  expect(placesIn('Asia/Kolkata', buckets)).toEqual(
    ['10 Mar', '10 Mar 05:30', '05:45', '05:31'], // UTC+5:30
  )
})

test.each([
  [2_997, false, '2,997'],
  [1_424, true, 'about 1,400'],
  [12_874, true, 'about 13,000'],
  [10_001, true, 'more than 10,000'],
  [10_001, false, '10,001'],
])('a total of %s, estimated: %s, is shown as %s', (of, isEstimated, shown) => {
  expect(total(of, isEstimated)).toBe(shown)
})
