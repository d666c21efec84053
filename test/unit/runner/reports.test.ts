import { createRequire } from 'node:module'
import { DOMParser } from '@xmldom/xmldom'
import { create } from 'xmlbuilder2'
import { junitReport } from '../../../runner/reports/junit-report.ts'
import type { ReportedResult, ReportedStep } from '../../../runner/reports/reported-result.ts'
import { xaReport } from '../../../runner/reports/xa-report.ts'

// Its types bring the whole DOM along, for all files.
const xpath = createRequire(import.meta.url)('xpath')

const result = (extra: Partial<ReportedResult> = {}): ReportedResult => ({
  id: 'r1',
  type: 'TEST',
  contextId: 'c1',
  contextName: 'Loan <1> & "2"',
  state: 'COMPLETED',
  started: new Date('2026-01-02T03:04:05.006Z'),
  ended: new Date('2026-01-02T03:04:06.506Z'),
  message: '',
  executedBy: 'ann',
  steps: [],
  validationFailures: [],
  codeCoverage: [],
  ...extra,
})

const coverage = (componentName: string, hit: number[], untouched: number[]) => ({
  componentName,
  coveragePercentage: Math.round((100 * hit.length) / (hit.length + untouched.length)),
  level: 'LINE' as const,
  tags: [],
  sourceCode: componentName,
  hitLines: hit,
  untouchedLines: untouched,
  executionCount: 1,
})

const failure = {
  name: 'n',
  message: 'a ≠ b',
  stepId: 's',
  path: '$',
  assert: 'equals' as const,
  expectedValue: 1,
  actualValue: 2,
  datasetRow: null,
}

/** Value that the parser finds at a path: elements are objects, repeated ones lists, attributes begin with `@`. */
const parsed = (xml: string, ...path: string[]): unknown =>
  path.reduce(
    (held: unknown, name) => Object(held)[name],
    decoded(create(xml).end({ format: 'object' })),
  )

/** The parser leaves references as they are written. */
const CHARACTERS: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const decoded = (document: object) =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    typeof value === 'string'
      ? value.replace(/&(\w+);/g, (_, name) => CHARACTERS[name] ?? '!')
      : value,
  )

test.each([
  ['COMPLETED', 'SUCCESS'],
  ['FAILED', 'FAILURE'],
  ['ERROR', 'ERROR'],
] as const)('a result that is %s is a %s', async (state, resultType) => {
  expect(parsed(await xaReport(result({ state })), 'XaUnitResult', '@resultType')).toBe(resultType)
  const suite = await xaReport(result({ state, type: 'SUITE' }))
  expect(parsed(suite, 'XaSuiteResult', '@resultType')).toBe(resultType)
})

test('a report carries times, duration and the name as given, and no DTD', async () => {
  const xml = await xaReport(result())
  expect(parsed(xml, 'XaUnitResult')).toMatchObject({
    '@name': 'Loan <1> & "2"',
    '@startTime': '20260102-03-04-05',
    '@endTime': '20260102-03-04-06',
    '@duration': '1500',
  })
  expect(xml).not.toContain('<!DOCTYPE')
})

test('the first coverage figure of a suite is the integer total of what its members ran together', async () => {
  const a = result({ codeCoverage: [coverage('A', [1, 2], [3, 4])] })
  const again = result({ codeCoverage: [coverage('A', [3], [1, 2, 4]), coverage('B', [], [1])] })
  const suite = result({ type: 'SUITE', testCaseResults: [a, again] })
  const xml = await xaReport(suite)
  expect(parsed(xml, 'XaSuiteResult', 'CC', 'data', '@percentage')).toBe('60')
  expect(parsed(xml, 'XaSuiteResult', 'CC', 'component')).toHaveLength(2)
  expect(parsed(xml, 'XaSuiteResult', 'XaUnitResult')).toHaveLength(2)
})

test('a suite that measured no coverage has none that is missing, and a scenario has no figure', async () => {
  const figure = ['CC', 'data', '@percentage']
  const suite = await xaReport(result({ type: 'SUITE', testCaseResults: [result()] }))
  expect(parsed(suite, 'XaSuiteResult', ...figure)).toBe('100')
  expect(parsed(suite, 'XaSuiteResult', 'XaUnitResult', ...figure)).toBeUndefined()
})

test('steps that were stored as JSON, and failures, are in the report', async () => {
  const step = {
    id: 's',
    name: 'S',
    state: 'FAILED' as const,
    started: '2026-01-02T03:04:05.006Z',
    ended: '2026-01-02T03:04:05.007Z',
    durationMs: 1,
    message: 'no',
  }
  const xml = await xaReport(
    result({ state: 'FAILED', message: 'no', steps: [step], validationFailures: [failure] }),
  )
  expect(parsed(xml, 'XaUnitResult')).toMatchObject({
    message: 'no',
    step: { '@resultType': 'FAILURE', '@startTime': '20260102-03-04-05', '#': 'no' },
    validationFailure: { '@step': 's', '@assert': 'equals', '#': 'a ≠ b' },
  })
})

test.each([xaReport, junitReport])(
  'what XML cannot carry is replaced, in text and attributes',
  async (report) => {
    const hostile = 'a\u0000b\u001bc\ufffed\ud800e ]]> <x/> &amp; &#0;'
    const xml = await report(
      result({ contextName: hostile, message: hostile, state: 'ERROR', errorCode: 'TIMEOUT' }),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
    expect(xml).toContain('a�b�c�d�e ]]&gt; &lt;x/&gt; &amp;amp; &amp;#0;')
  },
)

test('JUnit has one case per scenario, with counts', async () => {
  const members = [
    result(),
    result({ state: 'FAILED', message: 'no', validationFailures: [failure] }),
    result({ state: 'ERROR', message: 'gone', errorCode: 'CRASHED' }),
  ]
  const xml = await junitReport(result({ type: 'SUITE', testCaseResults: members }))
  const testcase = ['testsuites', 'testsuite', 'testcase']
  expect(parsed(xml, 'testsuites')).toMatchObject({
    '@tests': '3',
    '@failures': '1',
    '@errors': '1',
    '@time': '1.500',
  })
  expect(parsed(xml, ...testcase, '1', 'failure')).toEqual({
    '@message': 'no',
    '@type': 'equals',
    '#': 's: a ≠ b',
  })
  expect(parsed(xml, ...testcase, '2', 'error')).toEqual({
    '@message': 'gone',
    '@type': 'CRASHED',
  })
})

test('JUnit shows that a suite was cancelled also where no scenario counts', async () => {
  const member = result({ state: 'ERROR', errorCode: 'CANCELLED', isQuarantined: true })
  const suite = { type: 'SUITE' as const, contextName: 'All', testCaseResults: [member] }
  const end = { state: 'ERROR', errorCode: 'CANCELLED', message: 'Cancelled by ann' } as const
  const xml = await junitReport(result({ ...suite, ...end }))
  expect(parsed(xml, 'testsuites')).toMatchObject({ '@tests': '2', '@errors': '1' })
  expect(parsed(xml, 'testsuites', 'testsuite', 'testcase', '1')).toMatchObject({
    ...{ '@name': 'All', error: { '@type': 'CANCELLED', '@message': 'Cancelled by ann' } },
  })
})

const at = '2026-01-02T03:04:05.006Z'
const step = (
  path: string,
  state: ReportedStep['state'],
  kind: string,
  datasetRow: number | null,
) => ({
  id: path.split('/').at(-1) ?? '',
  path,
  name: `the ${path}`,
  kind,
  datasetRow,
  state,
  started: at,
  ended: at,
  durationMs: 4,
  message: state === 'COMPLETED' ? '' : 'no',
})

const STEPS = [
  step('open', 'COMPLETED', 'http', null),
  step('row[0]', 'COMPLETED', 'row', 0),
  step('row[1]', 'FAILED', 'row', 1),
  step('row[0]/both', 'COMPLETED', 'parallel', 0),
  step('row[0]/both/a', 'COMPLETED', 'call', 0),
  step('row[1]/both', 'FAILED', 'parallel', 1),
  step('row[1]/both/a', 'FAILED', 'call', 1),
  step('row[2]', 'SKIPPED', 'row', 2),
]

test('rows and steps inside of steps stand where they belong', async () => {
  const xml = await xaReport(result({ state: 'FAILED', steps: STEPS }))
  expect(parsed(xml, 'XaUnitResult', 'step')).toMatchObject({ '@id': 'open', '@kind': 'http' })
  expect(parsed(xml, 'XaUnitResult', 'row')).toMatchObject([
    { '@datasetRow': '0', step: { '@id': 'both', step: { '@id': 'a', '@resultType': 'SUCCESS' } } },
    { '@datasetRow': '1', step: { '@id': 'both', step: { '@id': 'a', '@resultType': 'FAILURE' } } },
    { '@resultType': 'SKIPPED' },
  ])
})

test('a step whose id is that of another and one character more stands beside it', async () => {
  const steps = ['a', 'ab', 'step1', 'step10'].map((id) => step(id, 'COMPLETED', 'wait', null))
  const seen = parsed(await xaReport(result({ steps })), 'XaUnitResult', 'step')
  expect(seen).toMatchObject(steps.map(({ id }) => ({ '@id': id })))
})

test('JUnit has one case per row, and the scenario where no row names the fault', async () => {
  const failures = [{ ...failure, datasetRow: 1 }]
  const failed = result({ state: 'FAILED', steps: STEPS, validationFailures: failures })
  const xml = await junitReport(failed)
  expect(parsed(xml, 'testsuites', 'testsuite')).toMatchObject({
    '@tests': '3',
    '@failures': '1',
    '@skipped': '1',
  })
  expect(parsed(xml, 'testsuites', 'testsuite', 'testcase', '1')).toMatchObject({
    '@name': 'the row[1]',
    '@classname': 'Loan <1> & "2"',
    failure: { '@type': 'equals', '#': 's: a ≠ b' },
  })
  const broken = result({ state: 'ERROR', errorCode: 'TIMEOUT', steps: STEPS.slice(0, 2) })
  expect(parsed(await junitReport(broken), 'testsuites')).toMatchObject({
    '@tests': '2',
    '@errors': '1',
  })
})

test('JUnit shows the earlier tries of a scenario with a dataset', async () => {
  const tried = { state: 'FAILED' as const, message: 'a ≠ b', errorCode: null }
  const tries = [{ ...tried, validationFailures: [{ ...failure, datasetRow: 0 }] }]
  const xml = await junitReport(result({ steps: STEPS.slice(0, 2), tries }))
  expect(parsed(xml, 'testsuites', 'testsuite', 'testcase')).toMatchObject([
    { '@name': 'Loan <1> & "2"', flakyFailure: { '@message': 'a ≠ b', '@type': 'equals' } },
    { '@name': 'the row[0]' },
  ])
})

test.each([
  ['ERROR', { failures: '1', errors: '1' }, [{ ...failure, datasetRow: 1 }]],
  ['FAILED', { failures: '2', errors: '0' }, [{ ...failure, datasetRow: 1 }, failure]],
] as const)(
  'JUnit shows a teardown that is %s beside a row that failed',
  async (state, counts, all) => {
    const steps = [...STEPS, step('close', state, 'call', null)]
    const xml = await junitReport(result({ state, steps, validationFailures: [...all] }))
    expect(parsed(xml, 'testsuites', 'testsuite')).toMatchObject({
      '@failures': counts.failures,
      '@errors': counts.errors,
    })
  },
)

test('JUnit has the code of each row that is ERROR, and the error of a teardown behind them', async () => {
  const steps: ReportedStep[] = [
    { ...step('row[0]', 'ERROR', 'row', 0), errorCode: 'UNREACHABLE' },
    { ...step('row[0]/a', 'ERROR', 'http', 0), errorCode: 'UNREACHABLE' },
    { ...step('row[1]', 'ERROR', 'row', 1), errorCode: 'TIMEOUT' },
    step('tried', 'ERROR', 'http', null), // optional
    { ...step('close', 'ERROR', 'http', null), errorCode: 'INVALID_RESPONSE' },
  ]
  const validationFailures = [{ ...failure, datasetRow: 1 }]
  const extra = { errorCode: 'UNREACHABLE', steps, validationFailures }
  const xml = await junitReport(result({ state: 'ERROR', ...extra }))
  expect(parsed(xml, 'testsuites', 'testsuite')).toMatchObject({
    ...{ '@tests': '3', '@errors': '3' },
    testcase: [
      { '@name': 'the row[0]', error: { '@type': 'UNREACHABLE' } },
      { '@name': 'the row[1]', error: { '@type': 'TIMEOUT' } },
      { '@name': 'the close', error: { '@type': 'INVALID_RESPONSE', '@message': 'no' } },
    ],
  })
})

test('JUnit has one case per test that a tool reported', async () => {
  const steps = [step('t', 'FAILED', 'command', null), step('t/test[0]', 'FAILED', 'test', null)]
  const failed = { ...failure, name: 'the t/test[0]', stepId: 'test[0]', assert: 'test' as const }
  const extra = { message: 'no', steps, validationFailures: [failed] }
  const xml = await junitReport(result({ state: 'FAILED', ...extra }))
  expect(parsed(xml, 'testsuites', 'testsuite', 'testcase')).toMatchObject([
    { '@name': 'Loan <1> & "2"' },
    { '@name': 'the t/test[0]', failure: { '@type': 'test' } },
  ])
})

test('tests that failed in an optional or negative step are no failures in JUnit', async () => {
  const steps = [
    step('optional', 'FAILED', 'command', null),
    step('optional/test[0]', 'FAILED', 'test', null),
    step('negative', 'COMPLETED', 'command', null),
    step('negative/test[0]', 'ERROR', 'test', null),
    step('counted', 'FAILED', 'command', null),
    step('counted/test[0]', 'FAILED', 'test', null),
  ]
  const report = async (extra: Partial<ReportedResult>) =>
    parsed(await junitReport(result({ steps, ...extra })), 'testsuites', 'testsuite')
  const message = 'Not counted, its step is optional or negative: no'
  expect(await report({ steps: steps.slice(0, 4) })).toMatchObject({
    ...{ '@failures': '0', '@errors': '0', '@skipped': '2' },
    testcase: [{}, { skipped: { '@message': message } }, { skipped: { '@message': message } }],
  })
  const failed = { ...failure, name: 'the counted/test[0]', stepId: 'test[0]' }
  expect(await report({ state: 'FAILED', validationFailures: [failed] })).toMatchObject({
    ...{ '@failures': '2', '@errors': '0', '@skipped': '2' },
  })
  expect(await report({ state: 'ERROR' })).toMatchObject({ '@failures': '2', '@errors': '2' })
})

test('a test that failed in an optional and in a required step is one failure in JUnit', async () => {
  const steps = ['optional', 'required'].flatMap((path) => [
    step(path, 'FAILED', 'command', null),
    { ...step(`${path}/test[0]`, 'FAILED', 'test', null), name: 'adds' },
  ])
  const failed = { ...failure, name: 'adds', stepId: 'test[0]', stepPath: 'required/test[0]' }
  const xml = await junitReport(result({ state: 'FAILED', steps, validationFailures: [failed] }))
  expect(parsed(xml, 'testsuites', 'testsuite', 'testcase')).toMatchObject([
    { failure: { '#': 'test[0]: a ≠ b' } },
    { '@name': 'adds (optional)', skipped: {} },
    { '@name': 'adds (required)', failure: {} },
  ])
})

test.each([
  ['/XaUnitResult/@resultType', result(), 'SUCCESS'],
  ['/XaSuiteResult/@resultType', result({ type: 'SUITE' }), 'SUCCESS'],
  [
    '/XaSuiteResult/CC/data/@percentage',
    result({ type: 'SUITE', codeCoverage: [coverage('A', [1, 2], [3])] }),
    '67',
  ],
])('the XPath expression %s finds what clients read', async (expression, given, value) => {
  const document = new DOMParser().parseFromString(await xaReport(given), 'text/xml')
  expect(xpath.select1(`string(${expression})`, document)).toBe(value)
})
