import { readJunit } from '../../../formats/junit/junit.ts'

const tests = (text: string) => readJunit(text).tests
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const failed = (diagnostic: string) =>
  `<testsuite name="s"><testcase name="#1 a"><failure>\n${escaped(diagnostic)}</failure></testcase></testsuite>`

/** A diagnostic of AVA 7.0 as tap-xunit 2.4 writes it. */
const ava = (fields: string) =>
  `          ---\n            name: AssertionError\n${fields}\n            at: file:///ci/shop.test.mjs:9:30\n          ...\n`
const details = (values: Record<string, string>) => `            details: ${JSON.stringify(values)}`
/** One of tap 21.8. */
const nodeTap = (fields: string) =>
  `at:\n  fileName: shop.test.mjs\n  lineNumber: 4\nstack: |\n  Test.<anonymous> (shop.test.mjs:4:57)\nsource: >\n  t.test('a', async (t) => {\n  --^\n${fields}`

test.each([
  ['a message', ava('            message: price of two'), 'price of two'],
  [
    'what was thrown',
    ava(
      `${details({ 'Error thrown in test:': "TypeError {\n  code: 'E1',\n  message: 'no unit',\n}" })}\n            message: Error thrown in test`,
    ),
    'TypeError: no unit',
  ],
  [
    'a difference',
    ava(
      `            assertion: t.is()\n${details({ 'Difference (- actual, + expected):': '- 1\n+ 2' })}\n            message: `,
    ),
    'Difference (- actual, + expected):\n- 1\n+ 2',
  ],
  [
    'a value',
    ava(`${details({ 'Value is not `true`:': 'false' })}\n            message: `),
    'Value is not `true`: false',
  ],
  ['details that are no JSON', ava('            details: {"a": '), '{"a":'],
  [
    'a difference of node-tap',
    nodeTap('diff: |\n  --- expected\n  +++ actual\n  @@ -1,1 +1,1 @@\n  -2\n  +1\n'),
    'diff: |\n  --- expected\n  +++ actual\n  @@ -1,1 +1,1 @@\n  -2\n  +1',
  ],
  ['nothing but places of node-tap', nodeTap(''), 'The report names no reason'],
  [
    'the stack of tape',
    '---\n  operator: error\n  at: Test.a (file:///ci/a.mjs:9:5)\n  stack: |-\n    Error: no unit\n        at a.mjs:9:5\n...\n',
    'operator: error',
  ],
])('the message of a diagnostic of TAP is %s, and no place', (_, diagnostic, message) => {
  expect(tests(failed(diagnostic))).toMatchObject([
    { state: 'FAILED', message, log: expect.stringContaining(diagnostic.trim()) },
  ])
})

test('the message of tap-junit 5 for a failure of AVA without one is its details', () => {
  const message =
    'name: AssertionError\nassertion: t.true()\ndetails: \n  Value is not `true`:: false\nmessage: \nat: ExecutionContext.true (file:///ci/assert.js:719:15)'
  const text = `<testsuite name="s"><testcase name="a"><failure message="${message.replaceAll('\n', '&#10;')}" type="fail"/></testcase></testsuite>`
  expect(tests(text)).toMatchObject([{ message: 'Value is not `true`:: false' }])
})

test('a long diagnostic takes no longer than its text', () => {
  const blanks = `details: {"a":"Error {${'\\n'.repeat(200_000)}"}`
  const started = performance.now()
  expect(tests(failed(`---\n${blanks}\nat: ${':1'.repeat(100_000)}x\n`))).toHaveLength(1)
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('comments, which tap-xunit takes for suites, are no part of names of AVA, which begin with their file', () => {
  const suites = (said: string) =>
    `<testsuites><testsuite name="${said}"><testcase name="#2 shop › adds"/><testcase name="#3 a › b › c"/></testsuite></testsuites>`
  const names = ['shop › adds', 'a › b › c']
  for (const said of ['said 1', 'cart › before hook'])
    expect(tests(suites(said)).map(({ name }) => name)).toEqual(names)
})

test('node-tap counts suites as tests once more', () => {
  const of = (name: string, tests: number, inner: string) =>
    `<testsuite name="${name}" tests="${tests}" failures="${tests}" assertions="1" skipped="0" time="1">${inner}</testsuite>`
  const failed = '<testcase id="1" name="b" classname="a"><failure>no</failure></testcase>'
  const text = `<testsuites id="1" name="TAP Tests" tests="3" failures="3" assertions="1" skipped="0" time="1">${of('a', 2, failed)}</testsuites>`
  expect(readJunit(text).warnings).toEqual([])
})

test('the word true of node-tap for a todo without a reason is none', () => {
  const text =
    '<testsuite name="s"><testcase id="1" name="a" classname="s"><properties><property name="todo" value="true"/></properties></testcase></testsuite>'
  expect(tests(text)).toMatchObject([{ state: 'SKIPPED', message: '' }])
})
