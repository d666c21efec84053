import { readCucumber } from '../../../formats/results/cucumber.ts'
import { readJunit as readReport } from '../../../formats/results/junit.ts'
import { readPlaywright } from '../../../formats/results/playwright.ts'
import { readXa } from '../../../formats/results/xa.ts'

const readJunit = (text: string) => readReport(text).scenarios

const RETRIED = `<testsuite>
  <testcase name="a"><flakyFailure message="too early"><stackTrace>at</stackTrace></flakyFailure></testcase>
  <testcase name="b"><error message="away"/><rerunError type="x">gone</rerunError></testcase></testsuite>`

test('JUnit: each testcase with its time, failure and files', () => {
  const xml = `<testsuites><testsuite name="s" timestamp="2026-01-02T03:04:05">
    <testcase classname="a.B" name="works" time="1.5"/>
    <testcase name="fails" time="0.25"><failure message="no &amp; no">at line 3</failure>
      <system-out>hello [[ATTACHMENT|out/shot.png]]</system-out></testcase>
    <testcase name="later"><skipped message="soon"/></testcase></testsuite></testsuites>`
  expect(readJunit(RETRIED)).toMatchObject([
    { state: 'COMPLETED', tries: [{ state: 'FAILED', message: 'too early' }] },
    { state: 'ERROR', tries: [{ state: 'ERROR', message: 'gone' }] },
  ])
  expect(readJunit(xml)).toMatchObject([
    {
      name: 'a.B works',
      state: 'COMPLETED',
      durationMs: 1_500,
      started: '2026-01-02T03:04:05.000Z',
    },
    {
      ...{ name: 's fails', state: 'FAILED', message: 'no & no' },
      log: expect.stringContaining('at line 3'),
      steps: [{ files: [{ name: 'out/shot.png', path: 'out/shot.png' }] }],
    },
    { name: 's later', state: 'SKIPPED', message: 'soon' },
  ])
})

test('JUnit: a test in no suite and one that did not run, each with its own time', () => {
  const xml = `<testsuites><testcase classname="test" name="top"><failure message="bad"/></testcase>
    <testsuite timestamp="2026-01-02T03:04:05">
      <testcase name="off" status="notrun" timestamp="2026-01-02T03:04:06"/></testsuite></testsuites>`
  expect(readJunit(xml)).toMatchObject([
    { name: 'test top', state: 'FAILED', message: 'bad', started: '2026-01-02T03:04:06.000Z' },
    { name: 'off', state: 'SKIPPED', started: '2026-01-02T03:04:06.000Z' },
  ])
})

describe('JUnit: tests begin', () => {
  const cases = (...times: number[]) =>
    times.map((time) => `<testcase name="a" time="${time}"/>`).join('')
  const FIRST = 'timestamp="2026-01-02T03:00:00"'
  const SECOND = 'timestamp="2026-01-02T04:00:00"'

  test.each([
    [
      'one after the other',
      `<testsuite ${FIRST}>${cases(60, 30, 1)}</testsuite>`,
      ['03:00:00', '03:01:00', '03:01:30'],
    ],
    [
      'with their suite, where each has a time',
      `<testsuites><testsuite ${FIRST}>${cases(60, 1)}</testsuite>
        <testsuite ${SECOND}>${cases(60, 1)}</testsuite></testsuites>`,
      ['03:00:00', '03:01:00', '04:00:00', '04:01:00'],
    ],
    [
      'also in nested suites',
      `<testsuite ${FIRST}><testsuite>${cases(60)}</testsuite><testsuite>${cases(1)}</testsuite></testsuite>`,
      ['03:00:00', '03:01:00'],
    ],
    [
      'at the same time in a suite that took less than all',
      `<testsuite ${FIRST} time="80">${cases(60, 60, 10)}</testsuite>`,
      ['03:00:00', '03:00:20', '03:01:10'],
    ],
    [
      'with the first suite that has a time, where their own has none',
      `<testsuites><testsuite>${cases(60, 1)}</testsuite><testsuite timestamp="soon">${cases(2)}</testsuite>
        <testsuite ${FIRST}>${cases(5)}</testsuite></testsuites>`,
      ['03:00:00', '03:01:00', '03:00:00', '03:00:00'],
    ],
    ['now, where no suite has a time', `<testsuite>${cases(60, 1)}</testsuite>`, [null, null]],
    [
      'without what is no time of a test',
      `<testsuite ${FIRST} time="0">${cases(1764150000000, -1, 1)}</testsuite>`,
      ['03:00:00', '03:00:00', '03:00:00'],
    ],
  ])('%s', (_, xml, expected) => {
    const started = expected.map((at) => at && `2026-01-02T${at}.000Z`)
    expect(readJunit(xml).map((each) => each.started)).toEqual(started)
  })
})

test.each([
  ['1764150000000', 0],
  ['Infinity', 0],
  ['604800.1', 0],
  ['604800', 604_800_000],
])('JUnit: a time of %s s, of which an import takes a week, is %s ms', (time, durationMs) => {
  const xml = `<testsuite><testcase name="a" time="${time}"/></testsuite>`
  expect(readJunit(xml)).toMatchObject([{ durationMs }])
})

test.each([
  ['0001-01-01T00:00:00', null],
  ['0001-01-01T00:00:00+01:00', null],
  ['9999-12-31T23:59:59.9999999', null],
  ['2026-03-29T02:30:00+0200', '2026-03-29T00:30:00.000Z'],
  ['soon', null],
])('JUnit: a test that began at %s did so at %s', (timestamp, started) => {
  const xml = `<testsuite timestamp="${timestamp}"><testcase name="a"/></testsuite>`
  expect(readJunit(xml)).toMatchObject([{ started }])
})

test('XA: a time that there is not is none', () => {
  const xml = '<XaUnitResult name="a" startTime="20261301-00-00-00"/>'
  expect(readXa(xml)).toMatchObject([{ started: null }])
})

test.each([
  ['12.5', 13],
  ['-1', 0],
  ['1764150000000', 0],
])('XA: a duration of %s is %s ms', (duration, durationMs) => {
  const xml = `<XaUnitResult name="a"><step id="b" duration="${duration}"/></XaUnitResult>`
  expect(readXa(xml)).toMatchObject([{ durationMs: 0, steps: [{ durationMs }] }])
})

test('XA: a verdict in any case', () => {
  const xml = `<XaUnitResult name="a" resultType="success"><step id="b" resultType="Failure"/></XaUnitResult>`
  expect(readXa(xml)).toMatchObject([{ state: 'COMPLETED', steps: [{ state: 'FAILED' }] }])
})

test('XA: each unit with its steps', () => {
  const xml = `<XaSuiteResult resultType="FAILURE"><XaUnitResult resultType="FAILURE" name="Loan"
    startTime="20260102-03-04-05" duration="70"><message>wrong</message>
    <step id="a" name="first" resultType="SUCCESS" duration="20"/>
    <row id="row[0]" resultType="FAILURE"><step id="b" resultType="ERROR">gone</step></row>
    </XaUnitResult></XaSuiteResult>`
  expect(readXa(xml)).toMatchObject([
    {
      ...{ name: 'Loan', state: 'FAILED', message: 'wrong', durationMs: 70 },
      started: '2026-01-02T03:04:05.000Z',
      steps: [
        { name: 'first', state: 'COMPLETED', durationMs: 20 },
        { name: 'row[0]', state: 'FAILED' },
        { name: 'b', state: 'ERROR', message: 'gone' },
      ],
    },
  ])
})

test('Cucumber: scenarios of features with embedded files', () => {
  const step = (status: string, more: object = {}) => ({
    ...{ keyword: 'Given ', name: status, result: { status, duration: 2_000_000, ...more } },
  })
  const failed = {
    ...step('failed', { error_message: 'no such page' }),
    embeddings: [{ mime_type: 'image/png', data: 'c2hvdA==' }],
  }
  const elements = [
    { type: 'background', steps: [] },
    { type: 'scenario', name: 'buys', steps: [step('passed'), failed, step('skipped')] },
    { type: 'scenario', name: 'waits', steps: [step('pending')] },
    { type: 'scenario', name: 'unknown', steps: [step('undefined')] },
    { type: 'scenario', steps: [step('passed'), step('pending', { error_message: 'TODO' })] },
    { type: 'scenario', steps: [step('ambiguous'), step('skipped')] },
  ]
  expect(readCucumber(JSON.stringify([{ name: 'Shop', elements }]))).toMatchObject([
    {
      ...{ name: 'Shop › buys', state: 'FAILED', message: 'no such page', durationMs: 6 },
      steps: [
        { name: 'Given passed', state: 'COMPLETED' },
        { files: [{ name: 'embedding-1.png', contentType: 'image/png', base64: 'c2hvdA==' }] },
        { state: 'SKIPPED' },
      ],
    },
    { state: 'FAILED', message: 'The step is pending' },
    { state: 'ERROR', message: 'The step is undefined' },
    { state: 'FAILED', message: 'TODO' },
    { state: 'ERROR', message: 'The step is ambiguous' },
  ])
})

describe('Cucumber: a background', () => {
  const step = (status: string) => ({ name: status, result: { status, error_message: status } })
  const background = (...steps: object[]) => ({ type: 'background', steps })
  const scenario = (...steps: object[]) => ({ type: 'scenario', steps })
  const states = (...elements: object[]) =>
    readCucumber(JSON.stringify([{ elements }])).map(({ state }) => state)

  test('that fails makes its scenario fail, with its steps', () => {
    const elements = [
      background(step('passed'), step('failed')),
      scenario(step('skipped')),
      background(step('passed')),
      scenario(step('passed')),
    ]
    expect(readCucumber(JSON.stringify([{ elements }]))).toMatchObject([
      {
        ...{ state: 'FAILED', message: 'failed' },
        steps: [{ state: 'COMPLETED' }, { state: 'FAILED' }, { state: 'SKIPPED' }],
      },
      { state: 'COMPLETED' },
    ])
  })

  test.each([
    [
      'fails in its hook',
      [{ ...background(step('skipped')), before: [step('failed')] }, scenario(step('skipped'))],
      ['FAILED'],
    ],
    [
      'stands once before scenarios that it made skip',
      [background(step('failed')), scenario(step('skipped')), scenario(step('skipped'))],
      ['FAILED', 'FAILED'],
    ],
    [
      'belongs to another rule than a scenario that ran',
      [background(step('failed')), scenario(step('skipped')), scenario(step('passed'))],
      ['FAILED', 'COMPLETED'],
    ],
    [
      'passes before a scenario that is skipped',
      [background(step('passed')), scenario(step('skipped'))],
      ['SKIPPED'],
    ],
    ['has no results', [background({ name: 'declared' }), scenario(step('passed'))], ['COMPLETED']],
  ])('that %s', (_, elements, expected) => {
    expect(states(...elements)).toEqual(expected)
  })
})

test('Cucumber: a hook behind a step can fail', () => {
  const passed = { result: { status: 'passed' } }
  const after = [passed, { result: { status: 'failed', error_message: 'no picture' } }]
  const elements = [{ type: 'scenario', steps: [{ ...passed, name: 'a', after }] }]
  expect(readCucumber(JSON.stringify([{ elements }]))).toMatchObject([
    { state: 'FAILED', message: 'no picture', steps: [{ name: 'a' }, { name: 'Hook' }] },
  ])
})

test('Playwright: what passes although it is to fail has failed', () => {
  const [passed, failed] = [{ status: 'passed' }, { status: 'failed' }]
  const tests = [
    { status: 'unexpected', expectedStatus: 'failed', results: [passed, passed] },
    { status: 'flaky', expectedStatus: 'failed', results: [passed, failed] },
  ]
  const bad = { state: 'FAILED', message: 'Expected to fail, but passed' }
  expect(
    readPlaywright(JSON.stringify({ suites: [{ specs: [{ title: 'a', tests }] }] })),
  ).toMatchObject([
    { ...bad, tries: [bad] },
    { state: 'COMPLETED', tries: [bad] },
  ])
})

test('Playwright: what broke outside of tests is an error', () => {
  const tests = [{ status: 'expected', results: [{ status: 'passed' }] }]
  const report = {
    config: { rootDir: '/repo/tests' },
    suites: [{ specs: [{ title: 'a', tests }] }],
    errors: [
      {
        message: '\u001b[31mSyntaxError\u001b[39m: no',
        stack: 'at b',
        location: { file: '/repo/tests/shop/b.spec.ts', line: 1, column: 2 },
      },
      { value: 'thrown' },
    ],
  }
  expect(readPlaywright(JSON.stringify(report))).toMatchObject([
    { name: 'shop/b.spec.ts', state: 'ERROR', message: 'SyntaxError: no', log: 'at b' },
    { name: 'Playwright', state: 'ERROR', message: 'thrown' },
    { name: 'a', state: 'COMPLETED' },
  ])
  expect(readPlaywright(JSON.stringify({ ...report, suites: [] }))).toHaveLength(2)
})

test('Playwright: the last result of each test of a project', () => {
  const result = (status: string, more: object = {}) => ({
    ...{ status, duration: 10, startTime: '2026-01-02T03:04:05.000Z', ...more },
  })
  const bad = result('failed', {
    error: { message: '\u001b[31mnot visible\u001b[39m' },
    attachments: [{ name: 'shot', contentType: 'image/png', path: '/tmp/shot.png' }],
    steps: [{ title: 'click', duration: 5, error: { message: 'not visible' } }],
  })
  const tests = [
    { projectName: 'chrome', status: 'unexpected', results: [result('failed'), bad] },
    { projectName: 'firefox', status: 'flaky', results: [bad, result('passed')] },
    { projectName: 'webkit', status: 'expected', results: [bad] },
    { projectName: 'old', status: 'skipped', results: [] },
  ]
  const suites = [
    { title: 'a.spec.ts', suites: [{ title: 'shop', specs: [{ title: 'buys', tests }] }] },
  ]
  expect(readPlaywright(JSON.stringify({ suites }))).toMatchObject([
    {
      ...{ name: 'a.spec.ts › shop › buys [chrome]', state: 'FAILED', message: 'not visible' },
      steps: [{ name: 'click', state: 'FAILED' }, { files: [{ path: '/tmp/shot.png' }] }],
    },
    {
      state: 'COMPLETED',
      tries: [
        { state: 'FAILED', steps: [{ name: 'click' }, { files: [{ path: '/tmp/shot.png' }] }] },
      ],
    },
    { state: 'COMPLETED', message: '', tries: [] },
    { state: 'SKIPPED' },
  ])
})

test.each([
  ['<html/>', readJunit, 'no testsuite'],
  ['<html/>', readXa, 'no XaUnitResult'],
  ['{}', readCucumber, 'a list of features'],
  ['{}', readPlaywright, 'no suites'],
])('%s is refused', (text, read, message) => {
  expect(() => read(text)).toThrow(message)
})
