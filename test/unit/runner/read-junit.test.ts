import { readJunit as readReport } from '../../../runner/reports/read-junit.ts'

const readJunit = (text: string) =>
  readReport(text).cases.map(({ name, state, message, durationMs }) => ({
    ...{ name, state, message, durationMs },
  }))

test.each([
  ['1.2345', 1_235],
  ['1,234.5', 1_234_500],
  ['604800', 604_800_000],
  ['604800.001', null],
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
    { name: 's a', state: 'COMPLETED', durationMs: 1_000, message: '' },
  ])
})

const GOOD = '<testcase name="a"/>'
const BAD = '<testcase name="b"><failure/></testcase>'

test.each([
  [
    'that crashed',
    '<testsuites><testsuite name="s" tests="0" errors="1"/></testsuites>',
    'The report counts 0 failures and 1 error, and names 0',
  ],
  [
    'within one that sums up',
    `<testsuite name="all" failures="2"><testsuite name="s" failures="1">${GOOD}</testsuite>${BAD}</testsuite>`,
    'The report counts 1 failure and 0 errors, and names 0',
  ],
  [
    'that is the whole report, whose suites count nothing',
    `<testsuites name="s" errors="1"><testsuite>${GOOD}</testsuite></testsuites>`,
    'The report counts 0 failures and 1 error, and names 0',
  ],
])('a suite %s is an error', (_, text, message) => {
  const unnamed = readJunit(text).filter(({ state }) => state === 'ERROR')
  expect(unnamed).toEqual([{ name: 's', state: 'ERROR', durationMs: null, message }])
})

const TESTS = 'The report counts 5 tests, and names 2'

test.each([
  [
    'whose failures are left out',
    `<testsuite name="s" tests="5" failures="2" errors="1">${GOOD}${BAD}</testsuite>`,
    ['The report counts 2 failures and 1 error, and names 1', TESTS],
  ],
  [
    'that sums up two within it, which count nothing',
    `<testsuite name="s" failures="2"><testsuite>${GOOD}</testsuite><testsuite>${BAD}</testsuite></testsuite>`,
    ['The report counts 2 failures and 0 errors, and names 1'],
  ],
  [
    'whose totals name no failure',
    `<testsuite name="s" failures="0" errors="0">${BAD}</testsuite>`,
    ['The report counts 0 failures and 0 errors, and names 1'],
  ],
  [
    'in a report whose totals have errors that its suites have not',
    `<testsuites name="s" failures="1" errors="2"><testsuite failures="1">${BAD}</testsuite></testsuites>`,
    ['The report counts 1 failure and 2 errors, and names 1'],
  ],
])('a suite %s, which names others, is a warning', (_, text, warnings) => {
  expect(readReport(text).warnings).toEqual(warnings.map((each) => `s: ${each}`))
  expect(readJunit(text).map(({ state }) => state)).not.toContain('ERROR')
})

test.each([
  [
    'a failure and an error in one test, as pytest counts them',
    '<testsuite failures="1" errors="1"><testcase name="b"><failure/><error/></testcase></testsuite>',
  ],
  [
    'each failure of a test, as jasmine-reporters does',
    '<testsuite failures="2"><testcase name="b"><failure/><failure/></testcase></testsuite>',
  ],
  [
    'a test with two failures once',
    '<testsuite failures="1"><testcase name="b"><failure/><failure/></testcase></testsuite>',
  ],
  [
    'each try, as Maven Surefire does',
    `<testsuite failures="3" flakes="1">${GOOD}<testcase name="c"><flakyFailure/></testcase>
      <testcase name="b"><failure/><rerunFailure/></testcase></testsuite>`,
  ],
  [
    'what nested suites count, as PHPUnit does',
    `<testsuites><testsuite name="" failures="1" errors="0"><testsuite failures="1" errors="0">
      ${GOOD}<testsuite failures="1" errors="0">${BAD}</testsuite></testsuite></testsuite></testsuites>`,
  ],
  [
    'no failure in its suites, as gotestsum does beside lines of standard error',
    `<testsuites failures="1" errors="3"><testsuite tests="2" failures="1">${GOOD}${BAD}</testsuite></testsuites>`,
  ],
  ['itself as an error', '<testsuite errors="1"><error message="afterAll"/></testsuite>'],
  ['less than it names', `<testsuite failures="0">${BAD}</testsuite>`],
  ['what is no number', `<testsuite failures="many" errors="-1">${GOOD}</testsuite>`],
])('a report that counts %s names all', (_, text) => {
  expect(readJunit(text).map(({ message }) => message)).not.toContainEqual(
    expect.stringContaining('The report counts'),
  )
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

test('two documents in one text are read one after the other', () => {
  const text = (name: string) =>
    `<testsuites><testsuite><testcase name="${name}"/></testsuite></testsuites>`
  expect(readJunit(`${text('a')}\n<?xml version="1.0"?>${text('b')}`)).toMatchObject([
    { name: 'a' },
    { name: 'b' },
  ])
  expect(() => readJunit(`${text('a')}<testsuites>`)).toThrow()
})

test('a root of another format without a testcase is refused by its name', () => {
  const text = '<testsuites xmlns="http://check.sourceforge.net/ns"><suite/></testsuites>'
  expect(() => readJunit(text)).toThrow('another format: http://check.sourceforge.net/ns')
})

test.each([
  ['todo of Node', '<skipped type="todo" message="later"/><failure message="bad"/>', 'SKIPPED'],
  ['Catch2', '<skipped message="TEST_CASE tagged with !shouldfail"/><failure/>', 'SKIPPED'],
  ['no tool', '<skipped message="later"/><failure message="bad"/>', 'FAILED'],
])('a failure beside a skip, as by %s, is judged', (_, inner, state) => {
  const text = `<testsuite><testcase name="a">${inner}</testcase></testsuite>`
  expect(readJunit(text)).toMatchObject([{ state }])
})

test.each([
  ['SKIP_RETURN_CODE=77', 'SKIPPED'],
  ['Unable to find executable', 'FAILED'],
])('a test that CTest did not run for %s is %s', (message, state) => {
  const text = `<testsuite><testcase name="a" status="notrun"><skipped message="${message}"/></testcase></testsuite>`
  expect(readJunit(text)).toMatchObject([{ state }])
})
