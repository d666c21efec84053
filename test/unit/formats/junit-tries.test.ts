import { readJunit } from '../../../formats/junit/junit.ts'

const tests = (text: string, options = {}) => readJunit(text, options).tests
const suite = (inner: string, more = 'name="s"') => `<testsuite ${more}>${inner}</testsuite>`
const GRADLE =
  'name="s" tests="2" skipped="0" failures="1" errors="0" timestamp="2026-11-27T10:00:00" hostname="h" time="1"'
const failed = (message: string) =>
  `<testcase name="a" classname="c"><failure message="${message}">at ${message}</failure></testcase>`
const PASSED = '<testcase name="a" classname="c"/>'

test.each([
  ['flakyFailure', 'FAILED'],
  ['flakyError', 'ERROR'],
])('a %s of Gradle and Surefire is a try that is %s', (element, state) => {
  const tried = `<${element} message="no"><stackTrace><![CDATA[at X]]></stackTrace>
    <system-out><![CDATA[words [[ATTACHMENT|try.png]]]]></system-out></${element}>`
  const text = suite(`<properties/><testcase name="a" classname="c">${tried}</testcase>`, GRADLE)
  expect(tests(text)).toMatchObject([
    {
      ...{ state: 'COMPLETED', files: ['try.png'], log: expect.stringMatching(/at X[\s\S]*words/) },
      tries: [{ state, message: 'no' }],
    },
  ])
})

test.each([
  ['rerunFailure', 'failure', 'FAILED'],
  ['rerunError', 'error', 'ERROR'],
])('a %s beside a %s is a try of a bad test', (element, fault, state) => {
  const inner = `<${fault} message="first"/><${element} message="second"><stackTrace>at Y</stackTrace></${element}>`
  const text = suite(`<testcase name="a" classname="c">${inner}</testcase>`, GRADLE)
  expect(tests(text)).toMatchObject([
    { state, message: 'first', tries: [{ state, message: 'second' }] },
  ])
})

test('a test that Gradle ran again has tries, and rows of one name stay apart', () => {
  const read = (inner: string) =>
    tests(suite(`<properties/>${inner}`, GRADLE)).map(({ name, state, tries }) => [
      ...[name, state],
      ...tries.map(({ message }) => message),
    ])
  expect(read(failed('one') + PASSED)).toEqual([['c a', 'COMPLETED', 'one']])
  expect(read(failed('one') + failed('two'))).toEqual([['c a', 'FAILED', 'one']])
  expect(read(PASSED + failed('two'))).toEqual([
    ['c a', 'COMPLETED'],
    ['c a (2)', 'FAILED'],
  ])
})

test('tests of one name in the suite of a package of Go are tries, and rows of others whose failures say no more are not', () => {
  const ran = failed('Failed') + PASSED
  expect(tests(suite(ran, 'name="c"'))).toMatchObject([
    { state: 'COMPLETED', tries: [{ state: 'FAILED' }] },
  ])
  expect(tests(suite(ran))).toMatchObject([
    { name: 'c a', state: 'FAILED' },
    { name: 'c a (2)', state: 'COMPLETED', tries: [] },
  ])
})

test('TestCafe 3.7 with testcafe-reporter-xunit 2.2: what it writes behind names is none, and an unstable test has a try', () => {
  const at = 'screenshots: /home/ci/shots/2026-11-29_12-47-39/test-2'
  const text = suite(
    `<testcase classname="Shop" name="adds (unstable) (${at})"/>
     <testcase classname="Shop" name="fails (unstable)"><failure>no</failure></testcase>
     <testcase classname="Shop" name="costs (2)"/>`,
    'name="TestCafe Tests: Chrome 156.0.0.0 / Debian 12"',
  )
  expect(tests(text)).toMatchObject([
    { name: 'Shop adds', state: 'COMPLETED', log: at, tries: [{ state: 'FAILED' }] },
    { name: 'Shop fails', state: 'FAILED', tries: [] },
    { name: 'Shop costs (2)', tries: [] },
  ])
  expect(tests(text.replace('TestCafe Tests', 'Others'))).toMatchObject([
    { name: `Shop adds (unstable) (${at})`, tries: [] },
    {},
    {},
  ])
})

test('a try that was skipped behind a failure decides nothing', () => {
  const skipped = '<testcase name="a" classname="c"><skipped/></testcase>'
  expect(tests(suite(failed('one') + skipped), { reruns: true })).toMatchObject([
    { state: 'FAILED', message: 'one' },
  ])
})

test('files of all tries are those of the test', () => {
  const output = '<system-out>[[ATTACHMENT|one.png]]</system-out>'
  const first = failed('one').replace('</testcase>', `${output}</testcase>`)
  expect(tests(suite(first + PASSED), { reruns: true })).toMatchObject([{ files: ['one.png'] }])
})

test('the last run of a test decides for CodeceptJS, which writes failed ones before it as passed', () => {
  const read = (inner: string) =>
    tests(`<testsuites name="CodeceptJS">${suite(inner)}</testsuites>`).map(({ state, tries }) => [
      state,
      ...tries.map((tried) => tried.state),
    ])
  expect(read(PASSED + PASSED)).toEqual([['COMPLETED', 'FAILED']])
  expect(read(PASSED + failed('one'))).toEqual([['FAILED', 'FAILED']])
})

describe('WebdriverIO 9', () => {
  const properties =
    '<properties><property name="specId" value="0"/><property name="capabilities" value="chrome.156_0_1.linux"/></properties>'
  const run = (inner: string) =>
    `<testcase classname="chrome.156_0_1.linux.shop" name="a">${inner}</testcase>`
  const REPEATED = run('<skipped/><system-err>Error: no\n    at X</system-err>')
  const LEFT_OUT = run('<skipped/>')
  const read = (inner: string) =>
    tests(suite(properties + inner)).map(({ name, state, tries }) => [
      ...[name, state],
      ...tries.map(({ message }) => message),
    ])

  test.each([
    ['a run that is repeated is a try', REPEATED + run(''), [['COMPLETED', 'Error: no']]],
    [
      'a test may fail each time',
      REPEATED + REPEATED + run('<failure message="last"/>'),
      [['FAILED', 'Error: no', 'Error: no']],
    ],
    [
      'rows of one name have tries of their own',
      REPEATED + run('') + REPEATED + run(''),
      [
        ['COMPLETED', 'Error: no'],
        ['COMPLETED', 'Error: no'],
      ],
    ],
    ['rows of one name are no tries', run('<failure/>') + run(''), [['FAILED'], ['COMPLETED']]],
    ['a run that was not repeated at last failed', REPEATED, [['FAILED']]],
    ['a test that leaves itself out stands twice', LEFT_OUT + LEFT_OUT, [['SKIPPED']]],
    ['a skip is no run of the next row', LEFT_OUT + run(''), [['SKIPPED'], ['COMPLETED']]],
  ])('%s', (_, text, expected) => {
    const names = ['chrome.linux.shop a', 'chrome.linux.shop a (2)']
    expect(read(text)).toEqual(expected.map((each, at) => [names[at], ...each]))
  })

  test('what others leave out stays so, whatever they print', () => {
    expect(tests(suite(REPEATED))).toMatchObject([
      { name: 'chrome.156_0_1.linux.shop a', state: 'SKIPPED' },
    ])
  })
})

test.each([
  ['nose2', 'name="nose2-junit" errors="1" failures="1" tests="2"'],
  ['subunit2junitxml', 'errors="0" failures="2" name="" tests="2" time="0"'],
])('a failed teardown that %s writes by itself is part of its test', (_, attributes) => {
  const torn = failed('x').replaceAll('failure', 'error').replace('"x"', '"still open"')
  expect(tests(suite(failed('one') + torn, attributes))).toMatchObject([
    { name: 'c a', state: 'ERROR', message: 'still open\none' },
  ])
  expect(tests(suite(failed('one') + torn))).toHaveLength(2)
})

test('bats 1.8 writes a try with the outcome of the test before it, and numbers those behind it', () => {
  const of = (name: string, inner = '') =>
    `<testcase classname="./shop.bats" name="${name}" time="1">${inner}</testcase>`
  const failure = '<failure type="failure"></failure>'
  for (const [before, state] of [
    ['', 'COMPLETED'],
    [failure, 'COMPLETED'],
    ['', 'FAILED'],
  ]) {
    const last = of('begin 6 flaky', state === 'FAILED' ? failure : '')
    const inner = `${of('flaky', before)}${last}${of('begin 7 adds')}`
    expect(tests(suite(inner, 'name="./shop.bats"'))).toMatchObject([
      { name: './shop.bats flaky', state, tries: [{ state: 'FAILED' }] },
      { name: './shop.bats adds', state: 'COMPLETED', tries: [] },
    ])
  }
})
