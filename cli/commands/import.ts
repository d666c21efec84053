import { createHash } from 'node:crypto'
import { basename, dirname, extname } from 'node:path'
import { COVERAGE_FORMATS } from '../../schema/coverage/coverage-formats.ts'
import { checkZone } from '../../schema/reports/report-time.ts'
import type { ReportOptions } from '../../schema/reports/reported-test.ts'
import {
  type Command,
  type Context,
  flagOf,
  labelsOf,
  listOf,
  type Options,
  textOf,
} from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { coverageOf, isCoverageFormat, reportIn } from '../import/coverage.ts'
import { readCucumber } from '../import/cucumber.ts'
import { withFiles } from '../import/files.ts'
import { readJunit } from '../import/junit.ts'
import { readPlaywright } from '../import/playwright.ts'
import type { Report, Scenario } from '../import/scenario.ts'
import { readXa } from '../import/xa.ts'
import { type Result, verdictLine } from '../run/result.ts'
import { readText, STDIN } from '../text-file.ts'

interface Format {
  /** What messages call it. */
  title: string
  read(text: string, options: ReportOptions): Report
}

const listed =
  (read: (text: string, options: ReportOptions) => Scenario[]): Format['read'] =>
  (text, options) => ({ scenarios: read(text, options), warnings: [] })

const FORMATS: Readonly<Record<string, Format>> = {
  junit: { title: 'JUnit XML', read: readJunit },
  xa: { title: 'XA report', read: listed(readXa) },
  cucumber: { title: 'JSON report of Cucumber', read: listed(readCucumber) },
  playwright: { title: 'JSON report of Playwright', read: listed(readPlaywright) },
}

/** Characters of the log of a scenario that the product keeps, from its end. */
const KEPT_LOG = 65_536
/** Characters of what a parser says that are shown. */
const MAX_REASON = 160

export const importResults: Command = {
  name: 'import',
  args: '<format> <file | ->',
  count: [2, 2],
  does: 'store the results of tests that ran elsewhere as an execution',
  details: [
    `Formats of tests: ${Object.keys(FORMATS).join(', ')}; of coverage: ${COVERAGE_FORMATS.join(', ')}.`,
    'Cucumber writes JSON or messages, Playwright JSON. Files that a report names are read below its folder and',
    'attached. A repetition within a day stores nothing twice.',
    'The exit code says whether the results were stored, not what they are.',
  ],
  options: {
    'exit-code': {
      value: 'N',
      does: 'exit code of the tool; other than 0 the execution is an ERROR where no test is bad',
    },
    'time-zone': {
      value: 'ZONE',
      does: 'zone of times without one, such as Europe/Berlin or +09:00; UTC if absent',
    },
    reruns: {
      does: 'tests of one name in a suite of JUnit XML are tries of one test, not rows of data',
    },
    name: {
      value: 'TEXT',
      does: 'name of the execution; that of the file if absent, or the format for standard input',
    },
    env: { value: 'ID', does: 'environment that the tests ran in, or any name of it' },
    'attachments-from': {
      value: 'DIR',
      does: 'folder that files named by a report may come from; that of the report if absent',
    },
    label: { value: 'NAME=VALUE', multiple: true, does: 'mark to find the execution by' },
    coverage: {
      value: 'FORMAT=FILE',
      multiple: true,
      does: `report of coverage beside the tests: ${COVERAGE_FORMATS.join(', ')}`,
    },
  },
  async run({ args: [format = '', file = ''], client, options, signal, terminal }) {
    const label = labelsOf(options)
    const exitCode = exitCodeOf(options)
    const reports = listOf(options, 'coverage').map(reportIn)
    const read = isCoverageFormat(format)
      ? NO_REPORT
      : await readReport(format, file, { options, signal })
    if (isCoverageFormat(format)) reports.unshift({ format, file })
    const within = textOf(options, 'attachments-from')
    const { attached, leftOut } = withFiles(read.scenarios, dirname(file), within)
    for (const reason of leftOut) terminal.note(reason)
    const body = {
      name: textOf(options, 'name') ?? (file === STDIN ? format : basename(file, extname(file))),
      environmentId: textOf(options, 'env') ?? null,
      scenarios: attached,
      ...(read.warnings.length > 0 && { warnings: read.warnings }),
      ...(reports.length > 0 && (await coverageOf(reports, { signal }))),
    }
    const key = createHash('sha256')
      .update(JSON.stringify([body, label, ...(exitCode ? [exitCode] : [])]))
      .digest('hex')
    const result = await client.rest<Result>('POST', '/executions/import', {
      body,
      query: { label, exitCode },
      headers: { 'idempotency-key': `import-${key}` },
      isRepeatable: true,
    })
    terminal.json(result)
    terminal.line(verdictLine(result, terminal))
  },
}

const NO_REPORT: Report = { scenarios: [], warnings: [] }

/** @throws CommandError for what is no such report; what the system says of the file */
async function readReport(
  name: string,
  file: string,
  { options, signal }: Pick<Context, 'options' | 'signal'>,
): Promise<Report> {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  if (!format)
    throw usageError(
      `There is no format ${name}: expected ${[...Object.keys(FORMATS), ...COVERAGE_FORMATS].join(', ')}`,
    )
  const zone = zoneOf(options)
  const text = await readText(file, signal)
  let report: Report
  try {
    report = format.read(text, { zone, reruns: flagOf(options, 'reruns') })
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw usageError(`${file} is no ${format.title}: ${reason.slice(0, MAX_REASON)}`)
  }
  const scenarios = report.scenarios.map((each) => ({ ...each, log: each.log.slice(-KEPT_LOG) }))
  if (scenarios.length === 0) throw usageError(`${file} has no test`)
  return { ...report, scenarios }
}

function zoneOf(options: Options): string {
  const zone = textOf(options, 'time-zone') ?? 'UTC'
  try {
    checkZone(zone)
  } catch {
    throw usageError(
      `--time-zone is ${zone}: expected a name such as Europe/Berlin, or an offset such as +09:00`,
    )
  }
  return zone
}

function exitCodeOf(options: Options): string | undefined {
  const code = textOf(options, 'exit-code')
  if (code === undefined || /^-?\d{1,9}$/.test(code)) return code
  throw usageError(`--exit-code is ${code}: expected a number, as the tool ended with`)
}
