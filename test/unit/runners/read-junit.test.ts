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

test.each([
  [
    'in no suite, as Node writes it',
    '<testsuites><testcase name="a"><failure/></testcase></testsuites>',
    'FAILED',
  ],
  [
    'in a suite within a suite',
    '<testsuites><testsuite><testsuite><testcase name="a"/></testsuite></testsuite></testsuites>',
    'COMPLETED',
  ],
  [
    'disabled, as GoogleTest writes it',
    '<testsuite><testcase name="a" status="notrun" result="suppressed"/></testsuite>',
    'SKIPPED',
  ],
  [
    'disabled, as CTest writes it',
    '<testsuite><testcase name="a" status="disabled"/></testsuite>',
    'SKIPPED',
  ],
  [
    'skipped that failed in its teardown, as pytest writes it',
    '<testsuite><testcase name="a"><skipped/><error message="away"/></testcase></testsuite>',
    'ERROR',
  ],
  [
    'skipped that failed, as GoogleTest writes it',
    '<testsuite><testcase name="a"><skipped/><failure/></testcase></testsuite>',
    'FAILED',
  ],
  [
    'run, as GoogleTest writes it',
    '<testsuite><testcase name="a" status="run" result="completed"/></testsuite>',
    'COMPLETED',
  ],
])('a test %s', (_, text, state) => {
  expect(readJunit(text)).toMatchObject([{ name: 'a', state }])
})

test('a suite that failed outside of its tests is a test that failed', () => {
  const text = `<testsuite name="s" time="9"><testcase name="a" time="1"/><error message="afterAll"/></testsuite>`
  expect(readJunit(text)).toEqual([
    { name: 's', state: 'ERROR', durationMs: null, message: 'afterAll' },
    { name: 'a', state: 'COMPLETED', durationMs: 1_000, message: '' },
  ])
})

test.each([
  ['behind a test', '<testsuites><testsuite><testcase name="a"/>'],
  ['behind a suite', '<testsuites><testsuite><testcase name="a"/></testsuite>'],
  ['within a tag', '<testsuites><testsuite><testcase name="a"/><testcase na'],
  ['within a comment', '<testsuites><testsuite><testcase name="a"/><!-- so'],
  ['within an element', '<testsuite><testcase name="a"><failure></testcase></testsuite>'],
])('a report that was cut off %s is none', (_, text) => {
  expect(() => readJunit(text)).toThrow()
})
