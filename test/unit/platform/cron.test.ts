import { FORMATS } from '../../../platform/settings/formats.ts'

test.each([
  ['17 * * * *', true],
  ['*/5,7 0-6/2,12 1,15 */3 1-5', true],
  ['5/10 * * * 5-7', true],
  ['*/70 * * * 0-7', true],
  ['0 0 29 2 *', true],
  ['0 0 31 2 1', true],
  ['0 0 31 2,3 *', true],
  ['61 * * * *', false],
  ['0 24 * * *', false],
  ['0 0 0 * *', false],
  ['0 0 32 * *', false],
  ['0 0 * 13 *', false],
  ['0 0 * * 8', false],
  ['0-61 * * * *', false],
  ['50-10 * * * *', false],
  ['*/0 * * * *', false],
  ['*-5 * * * *', false],
  ['1/2/3 * * * *', false],
  ['5, * * * *', false],
  ['5,5 * * * *', false],
  ['1-5,3 * * * *', false],
  ['0 0 * * 0,7', false],
  ['0 0 31 2 *', false],
  ['0 0 31 4,6 *', false],
  ['* * * *', false],
  ['* * * * * *', false],
  ['17  * * * *', false],
  ['@daily', false],
])('%s is a schedule: %s', (text, expected) => {
  expect(FORMATS.cron?.test(text)).toBe(expected)
})
