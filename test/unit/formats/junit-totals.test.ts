import { readJunit } from '../../../formats/junit/junit.ts'

const tests = (text: string) => readJunit(text).tests
const suite = (inner: string, more = '') => `<testsuite name="s" ${more}>${inner}</testsuite>`

describe('totals of tests', () => {
  const two = '<testcase name="a"/><testcase name="b"/>'
  const warnings = (text: string) => readJunit(text).warnings
  test.each([
    ['more than there are', suite(two, 'tests="5"'), ['s: The report counts 5 tests, and names 2']],
    ['what there is', suite(two, 'tests="2"'), []],
    ['fewer, as tools with an element for a teardown write', suite(two, 'tests="1"'), []],
    ['no number', suite(two, 'tests="-1"'), []],
    [
      'tries, as Maven Surefire does',
      suite('<testcase name="a"><flakyFailure message="no"/></testcase>', 'tests="2"'),
      [],
    ],
    [
      'the same at each level',
      `<testsuites tests="4">${suite(two, 'tests="4"')}</testsuites>`,
      ['s: The report counts 4 tests, and names 2'],
    ],
    [
      'more in the root alone, as newman does',
      `<testsuites tests="3">${suite(two, 'tests="2"')}</testsuites>`,
      ['The report: The report counts 3 tests, and names 2'],
    ],
    [
      'each subtest of pytest 7.2',
      '<testsuite name="pytest" errors="0" failures="0" skipped="0" tests="5" time="1" timestamp="2026-11-27T10:00:00" hostname="ci"><testcase name="a"/></testsuite>',
      [],
    ],
  ])('count %s', (_, text, expected) => {
    expect(warnings(text)).toEqual(expected)
  })

  test('suites without a test beside others are named in one line', () => {
    const empty = Array.from({ length: 12 }, (_, at) => `<testsuite name="e${at}"/>`).join('')
    const text = (inner: string) => `<testsuites>${inner}</testsuites>`
    expect(warnings(text(`<testsuite name="p" tests="0"/>${suite(two)}`))).toEqual([
      'Suites without a test: p',
    ])
    expect(warnings(text(empty + suite(two)))).toEqual([
      'Suites without a test: e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, 2 more',
    ])
    expect(warnings(text(`<testsuite name="o">${suite(two)}</testsuite>`))).toEqual([])
    expect(warnings(text(empty))).toEqual([])
    expect(warnings(text(`<testsuite name="Root Suite" tests="0"/>${suite(two)}`))).toEqual([])
  })
})

test('a number never makes the name of another test', () => {
  const cases = ['a', 'a', 'a (2)', 'a'].map((name) => `<testcase name="${name}"/>`).join('')
  expect(tests(suite(cases)).map(({ name }) => name)).toEqual([
    's a',
    's a (3)',
    's a (2)',
    's a (4)',
  ])
})

test('a skip of gotestsum says why', () => {
  const message =
    '=== RUN   TestLater&#xA;    a_test.go:15: not today&#xA;--- SKIP: TestLater (0.00s)&#xA;'
  const text = suite(`<testcase name="a"><skipped message="${message}"/></testcase>`)
  expect(tests(text)).toMatchObject([{ state: 'SKIPPED', message: 'a_test.go:15: not today' }])
})

test('a traceback of Python says what was raised last, as nose2 writes it', () => {
  const frame = '  File "test_shop.py", line 5, in test_fails\n    self.fails()\n'
  const text = (raised: string) => `Traceback (most recent call last):\n${frame}${raised}\n`
  const chained = `${text("KeyError: 'a'")}\nDuring handling of it:\n\n${text('ValueError: no unit')}`
  for (const [given, message] of [
    [text('AssertionError: 5 != 4 : price differs'), 'AssertionError: 5 != 4 : price differs'],
    [chained, 'ValueError: no unit'],
    [`Traceback (most recent call last):\n${frame}`, 'File "test_shop.py", line 5, in test_fails'],
  ]) {
    const failure = `<failure message="test failure">${given}</failure>`
    expect(tests(suite(`<testcase name="a">${failure}</testcase>`))).toMatchObject([{ message }])
  }
})

test('a property of node-tap says that a test was left out, and one of other tools does not', () => {
  const marked = (name: string) =>
    `<properties><property name="${name}" value="later"/></properties>`
  for (const [inner, state, message] of [
    [marked('skip'), 'SKIPPED', 'later'],
    [marked('todo'), 'SKIPPED', 'later'],
    [marked('owner'), 'COMPLETED', ''],
    [`${marked('skip')}<failure message="no"/>`, 'FAILED', 'no'],
  ])
    expect(
      tests(suite(`<testcase id="1" name="a" classname="c">${inner}</testcase>`)),
    ).toMatchObject([{ state, message }])
  for (const name of ['skip', 'todo'])
    expect(tests(suite(`<testcase name="a">${marked(name)}</testcase>`))).toMatchObject([
      { state: 'COMPLETED', message: '' },
    ])
})

test.each([
  ['Dart', '1 failure, see stacktrace for details', 'Failure:\nExpected: <5>', 'Expected: <5>'],
  ['Go that does not build', 'Build error', './shop.go:3:2: undefined: x', 'undefined: x'],
  ['Terraform', 'Test assertion failed', 'Error: price differs', 'Error: price differs'],
  ['Terraform', 'Encountered an error', 'Error: no provider', 'Error: no provider'],
])('the message of a test of %s is what its text says', (_, said, given, message) => {
  const failure = `<failure message="${said}">${given.replaceAll('<', '&lt;')}</failure>`
  expect(tests(suite(`<testcase name="a">${failure}</testcase>`))).toMatchObject([
    { message: expect.stringContaining(message) },
  ])
})

describe('faults that a tool counts twice are no more than there are', () => {
  const read = (text: string) => {
    const { tests, warnings } = readJunit(text)
    return { states: tests.map(({ state }) => state), warnings }
  }
  const criterion = (attributes: string) =>
    `<testsuite name="s" ${attributes}><testcase name="a" status="ERRORED"><error type="crash" message="m"/></testcase></testsuite>`

  test('Criterion 2.4 has errors among failures', () => {
    const own = 'tests="1" failures="1" errors="1" disabled="0" skipped="0" time="0"'
    expect(read(criterion(own))).toEqual({ states: ['ERROR'], warnings: [] })
    expect(read(criterion(own.replace('failures="1"', 'failures="2"'))).warnings).toHaveLength(1)
    expect(read(criterion('failures="1" errors="1" tests="1" time="0"')).warnings).toHaveLength(1)
  })

  test('stylelint-junit-formatter has each in both, warnings of good files included', () => {
    const file = (inner: string) =>
      `<testsuite name="a.css" failures="1" errors="1" tests="1">${inner}</testsuite>`
    const bad = '<testcase name="color"><failure type="error" message="m"/></testcase>'
    expect(read(file(bad))).toEqual({ states: ['FAILED'], warnings: [] })
    expect(read(file('<testcase name="stylelint.passed"/>'))).toEqual({
      states: ['COMPLETED'],
      warnings: [],
    })
    expect(read(file('<testcase name="passed"/>')).states).toEqual(['ERROR', 'COMPLETED'])
  })
})

test('Biome 2.6 has its errors among its failures', () => {
  const failed = suite('<testcase name="a"><failure message="no"/></testcase>', 'failures="1"')
  const text = `<testsuites name="Biome" tests="1" failures="1" errors="1" time="0.1">${failed}</testsuites>`
  expect(readJunit(text).warnings).toEqual([])
})

test('a warning of ESLint 10, for which it exits with 0, is good, and an error is none', () => {
  const of = (kind: string) =>
    suite(
      `<testcase name="org.eslint.eqeqeq"><failure message="Expected =="><![CDATA[line 2, col 7, ${kind} - Expected ==]]></failure></testcase>`,
      'package="org.eslint"',
    )
  expect(tests(of('Warning'))).toMatchObject([
    { state: 'COMPLETED', message: '', log: expect.stringContaining('Warning - Expected ==') },
  ])
  expect(tests(of('Error'))).toMatchObject([{ state: 'FAILED', message: 'Expected ==' }])
})

test('PHP_CodeSniffer 3.7 has the place of a fault in its name', () => {
  const text =
    '<testsuite name="/ci/a.php"><testcase name="PEAR.Missing at /ci/a.php (2:17)"><failure type="error" message="no comment"/></testcase><testcase name="adds at noon (2:17)"/></testsuite>'
  expect(tests(text)).toMatchObject([
    { name: '/ci/a.php PEAR.Missing', title: 'PEAR.Missing', log: '/ci/a.php:2:17\nno comment' },
    { title: 'adds at noon (2:17)' },
  ])
})

test('output of a suite of newman 6.2 without a test stands with the error that it counts alone', () => {
  const good =
    '<testsuite name="cart"><testcase name="a"><failure message="no"/></testcase></testsuite>'
  const bad = '<testsuite name="pre" errors="1"><system-err>pre broke</system-err></testsuite>'
  expect(tests(`<testsuites name="shop">${good}${bad}</testsuites>`)).toMatchObject([
    { title: 'a', log: 'no' },
    { title: 'pre', state: 'ERROR', log: 'Output of pre:\npre broke' },
  ])
})
