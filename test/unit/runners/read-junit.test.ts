import { readJunit } from '../../../subgraphs/test-execution/runners/reports/read-junit.ts'

test.each([
  ['1.2345', 1_235],
  ['1,234.5', 1_234_500],
  ['2147483.647', 2_147_483_647],
  ['2147483.648', null],
  ['Infinity', null],
  ['1764150000000', null],
  ['-1', null],
  ['soon', null],
])('a test whose time is %s took %s ms', (time, durationMs) => {
  const text = `<testsuite><testcase name="a" time="${time}"/></testsuite>`
  expect(readJunit(text)).toMatchObject([{ name: 'a', durationMs }])
})
