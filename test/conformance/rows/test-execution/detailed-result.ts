import { convert } from 'xmlbuilder2'
import { create } from '../../artifacts.ts'
import { readUntil } from '../../calls.ts'
import {
  type DetailedCodeCoverage,
  execute,
  RESULT_FIELDS,
  readDetails,
  SCENARIOS,
  type Scenario,
  suiteRun,
  synchronousRun,
} from '../../executions.ts'
import { withPause } from '../../gated.ts'
import { inSection } from '../../row.ts'

/** The coverage element of an example scenario's own component. */
async function coverageOf(scenario: Scenario = 'loan-schedule'): Promise<DetailedCodeCoverage> {
  const { details } = await synchronousRun(scenario)
  const [coverage] = details.codeCoverage
  if (!coverage) throw new Error(`${scenario} has no code coverage`)
  return coverage
}

const percentageIn = (report: string): string | undefined =>
  /<CC>\s*<data [^>]*percentage="([^"]*)"/.exec(report)?.[1]

/** The attributes of a report's root element `XaUnitResult`. Throws when the report is no well-formed XML. */
async function rootOf(scenario: Scenario): Promise<Record<string, unknown>> {
  const { details } = await synchronousRun(scenario)
  const document = convert(details.report, { format: 'object' }) as Record<string, unknown>
  expect(Object.keys(document).filter((key) => !/^[!?]/.test(key))).toEqual(['XaUnitResult'])
  return document.XaUnitResult as Record<string, unknown>
}

const expectLineNumbers = (lines: number[], sourceCode: string) => {
  const last = sourceCode.split('\n').length
  for (const line of lines) {
    expect(Number.isInteger(line)).toBe(true)
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(last)
  }
  expect(new Set(lines).size).toBe(lines.length)
}

const COVERAGE_FIELDS = [
  ...['componentName', 'coveragePercentage', 'level', 'tags', 'sourceCode'],
  ...['hitLines', 'untouchedLines', 'executionCount'],
]

export const detailedResult = inSection('TX', 'Resources: detailed execution result', [
  {
    id: 'TX-47',
    rule: 'The detailed result MUST repeat every field of the simple result with the same value, codeCoverage apart, with report and log and no other field.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { simple, details } = await synchronousRun(scenario)
        const { codeCoverage: _, ...same } = simple
        expect(details).toMatchObject(same)
        expect(details.codeCoverage).toMatchObject(simple.codeCoverage)
        expect(Object.keys(details).sort()).toEqual([...RESULT_FIELDS, 'report', 'log'].sort())
        for (const coverage of details.codeCoverage)
          expect(Object.keys(coverage).sort()).toEqual([...COVERAGE_FIELDS].sort())
      }
    },
  },
  {
    id: 'TX-48',
    rule: 'report MUST be a string of well-formed XML without a document type declaration.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        await rootOf(scenario)
        expect((await synchronousRun(scenario)).details.report).not.toMatch(/<!DOCTYPE/i)
      }
    },
  },
  {
    id: 'TX-49',
    rule: 'The report of a test case MUST have the root XaUnitResult whose resultType is SUCCESS exactly when the execution is COMPLETED.',
    check: async () => {
      expect((await rootOf('loan-schedule'))['@resultType']).toMatch(/^success$/i)
      for (const scenario of ['tax-table', 'shipping-quote'] as const)
        expect((await rootOf(scenario))['@resultType']).toMatch(/^(?!success$)\w+$/i)
    },
  },
  {
    id: 'TX-50',
    rule: 'The report MUST write times as yyyyMMdd-HH-mm-ss and durations in whole milliseconds.',
    check: async () => {
      const { details } = await synchronousRun('loan-schedule')
      expect(details.report).toMatch(/["'>]\d{8}-\d{2}-\d{2}-\d{2}["'<]/)
      expect(details.report).toMatch(/duration(=["']|>)\d+["'<]/i)
    },
  },
  {
    id: 'TX-51',
    rule: 'The report of a suite MUST have the root XaSuiteResult with a resultType, and /XaSuiteResult/CC/data/@percentage MUST be an integer.',
    check: async () => {
      const { details } = await suiteRun('finance')
      const document = convert(details.report, { format: 'object' }) as Record<string, unknown>
      expect(document.XaSuiteResult).toMatchObject({
        '@resultType': expect.stringMatching(/^(?!success$)\w+$/i),
        CC: { data: expect.anything() },
      })
      expect(percentageIn(details.report)).toMatch(/^(100|\d{1,2})$/)
      const { id: uncovered } = await create('testcase', { useCodeCoverage: false })
      const { id: suite } = await create('suite', { testCases: [uncovered] })
      const { body } = await execute(`/suite/${suite}/execute?synchron=true`)
      expect(percentageIn((await readDetails(body.id)).body.report)).toBe('100')
    },
  },
  {
    id: 'TX-52',
    rule: 'log MUST be a string whose lines read HH:mm:ss.SSS, level, source, two blanks, message.',
    check: async () => {
      const { details } = await synchronousRun('loan-schedule')
      const lines = details.log.split(/\r?\n/).filter(Boolean)
      expect(lines).not.toEqual([])
      for (const line of lines)
        expect(line).toMatch(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3} +[A-Z]+ +\S.*? {2}\S/)
    },
  },
  {
    id: 'TX-53',
    rule: 'level of a coverage element MUST be LINE.',
    check: async () => {
      expect((await coverageOf()).level).toBe('LINE')
    },
  },
  {
    id: 'TX-54',
    rule: 'tags of a coverage element MUST be an array.',
    check: async () => {
      expect((await coverageOf()).tags).toEqual(expect.any(Array))
    },
  },
  {
    id: 'TX-55',
    rule: 'sourceCode of a coverage element MUST be the source text of the component.',
    check: async () => {
      const loans = await coverageOf('loan-schedule')
      const taxes = await coverageOf('tax-table')
      expect(loans.sourceCode).toMatch(/\bexport\b/)
      expect(taxes.sourceCode).toMatch(/\bexport\b/)
      expect(loans.sourceCode).not.toBe(taxes.sourceCode)
    },
  },
  {
    id: 'TX-56',
    rule: 'hitLines MUST list the numbers of the executed lines, counted from 1, as integers.',
    check: async () => {
      const { hitLines, sourceCode } = await coverageOf()
      expect(hitLines).not.toEqual([])
      expectLineNumbers(hitLines, sourceCode)
    },
  },
  {
    id: 'TX-57',
    rule: 'untouchedLines MUST list the numbers of the executable lines that were not executed, none of which is among hitLines.',
    check: async () => {
      const { hitLines, untouchedLines, sourceCode } = await coverageOf()
      expectLineNumbers(untouchedLines, sourceCode)
      expect(untouchedLines.filter((line) => hitLines.includes(line))).toEqual([])
    },
  },
  {
    id: 'TX-58',
    rule: 'Neither hitLines nor untouchedLines MUST name a blank line or a line that holds only a comment.',
    check: async () => {
      for (const scenario of ['loan-schedule', 'tax-table'] as const) {
        const { hitLines, untouchedLines, sourceCode } = await coverageOf(scenario)
        const source = sourceCode.split('\n')
        for (const line of [...hitLines, ...untouchedLines])
          expect(source[line - 1]).not.toMatch(/^\s*($|\/\/|\/\*|\*)/)
      }
    },
  },
  {
    id: 'TX-59',
    rule: 'coveragePercentage MUST be the rounded share of hit lines in all executable lines, and the same in both results.',
    check: async () => {
      for (const scenario of ['loan-schedule', 'tax-table'] as const) {
        const { hitLines, untouchedLines, coveragePercentage } = await coverageOf(scenario)
        const executable = hitLines.length + untouchedLines.length
        expect(coveragePercentage).toBe(Math.round((100 * hitLines.length) / executable))
        const { simple } = await synchronousRun(scenario)
        expect(simple.codeCoverage[0]?.coveragePercentage).toBe(coveragePercentage)
      }
    },
  },
  {
    id: 'TX-60',
    rule: 'executionCount MUST be an integer: how many executions of the component the element merges.',
    check: async () => {
      const { executionCount } = await coverageOf()
      expect(Number.isInteger(executionCount)).toBe(true)
      expect(executionCount).toBeGreaterThanOrEqual(1)
    },
  },
  {
    id: 'TX-173',
    rule: 'While an execution runs, report and log MUST be strings of what there is so far, and only ended and message null.',
    check: () =>
      withPause(async ({ attributes }) => {
        const { id } = await create('testcase', attributes)
        const begun = await execute(`/testcase/${id}/execute`)
        const { body } = await readUntil(
          () => readDetails(begun.body.id),
          (details) => details.body.log !== '',
        )
        expect(body).toMatchObject({ state: 'RUNNING', codeCoverage: [] })
        expect(typeof body.report).toBe('string')
        expect(body.log).toMatch(/INFO Execution {2}.* starts\n/)
        const absent = Object.entries(body).filter(([, value]) => value === null)
        expect(absent.map(([name]) => name).sort()).toEqual(['ended', 'message'])
      }),
  },
])
