import { create } from 'xmlbuilder2'
import { junitReport } from '../../../subgraphs/test-execution/runners/reports/junit-report.ts'
import type { ReportedResult } from '../../../subgraphs/test-execution/runners/reports/reported-result.ts'
import { xaReport } from '../../../subgraphs/test-execution/runners/reports/xa-report.ts'

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

// biome-ignore lint/suspicious/noExplicitAny: a parsed document has any shape
const parsed = (xml: string): any => decoded(create(xml).end({ format: 'object' }))

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
] as const)('a result that is %s is a %s', (state, resultType) => {
  expect(parsed(xaReport(result({ state }))).XaUnitResult['@resultType']).toBe(resultType)
  expect(parsed(xaReport(result({ state, type: 'SUITE' }))).XaSuiteResult['@resultType']).toBe(
    resultType,
  )
})

test('a report carries times, duration and the name as given, and no DTD', () => {
  const xml = xaReport(result())
  expect(parsed(xml).XaUnitResult).toMatchObject({
    '@name': 'Loan <1> & "2"',
    '@startTime': '20260102-03-04-05',
    '@endTime': '20260102-03-04-06',
    '@duration': '1500',
  })
  expect(xml).not.toContain('<!DOCTYPE')
})

test('the first coverage figure of a suite is the integer total of what its members ran together', () => {
  const a = result({ codeCoverage: [coverage('A', [1, 2], [3, 4])] })
  const again = result({ codeCoverage: [coverage('A', [3], [1, 2, 4]), coverage('B', [], [1])] })
  const suite = result({ type: 'SUITE', testCaseResults: [a, again] })
  const { CC, XaUnitResult } = parsed(xaReport(suite)).XaSuiteResult
  expect(CC.data['@percentage']).toBe('60')
  expect(CC.component).toHaveLength(2)
  expect(XaUnitResult).toHaveLength(2)
})

test('steps that were stored as JSON, and failures, are in the report', () => {
  const step = {
    id: 's',
    name: 'S',
    state: 'FAILED' as const,
    started: '2026-01-02T03:04:05.006Z',
    ended: '2026-01-02T03:04:05.007Z',
    durationMs: 1,
    message: 'no',
  }
  const xml = xaReport(
    result({ state: 'FAILED', message: 'no', steps: [step], validationFailures: [failure] }),
  )
  expect(parsed(xml).XaUnitResult).toMatchObject({
    message: 'no',
    step: { '@resultType': 'FAILURE', '@startTime': '20260102-03-04-05', '#': 'no' },
    validationFailure: { '@step': 's', '@assert': 'equals', '#': 'a ≠ b' },
  })
})

test.each([xaReport, junitReport])(
  'what XML cannot carry is replaced, in text and attributes',
  (report) => {
    const hostile = 'a\u0000b\u001bc\ufffed\ud800e ]]> <x/> &amp; &#0;'
    const xml = report(
      result({ contextName: hostile, message: hostile, state: 'ERROR', errorCode: 'TIMEOUT' }),
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
    expect(xml).toContain('a�b�c�d�e ]]&gt; &lt;x/&gt; &amp;amp; &amp;#0;')
  },
)

test('JUnit has one case per scenario, with counts', () => {
  const members = [
    result(),
    result({ state: 'FAILED', message: 'no', validationFailures: [failure] }),
    result({ state: 'ERROR', message: 'gone', errorCode: 'CRASHED' }),
  ]
  const { testsuites } = parsed(junitReport(result({ type: 'SUITE', testCaseResults: members })))
  expect(testsuites).toMatchObject({
    '@tests': '3',
    '@failures': '1',
    '@errors': '1',
    '@time': '1.500',
  })
  expect(testsuites.testsuite.testcase[1].failure).toEqual({
    '@message': 'no',
    '@type': 'equals',
    '#': 's: a ≠ b',
  })
  expect(testsuites.testsuite.testcase[2].error).toEqual({ '@message': 'gone', '@type': 'CRASHED' })
})
