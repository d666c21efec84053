import { createHash } from 'node:crypto'
import { basename, extname, resolve } from 'node:path'
import { COVERAGE_FORMATS } from '../../formats/coverage/coverage-formats.ts'
import { isZone } from '../../formats/junit/report-time.ts'
import { RESULT_FORMATS, type ResultFormat } from '../../formats/results/result-formats.ts'
import { type Command, flagOf, labelsOf, listOf, type Options, textOf } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { coverageOf, isCoverageFormat, reportIn } from '../import/coverage.ts'
import { readReports } from '../import/read-reports.ts'
import { type Result, verdictLine } from '../run/result.ts'
import { STDIN } from '../text-file.ts'

export const importResults: Command = {
  name: 'import',
  args: '<format> <file | folder | -> …',
  count: [2, Number.POSITIVE_INFINITY],
  does: 'store the results of tests that ran elsewhere as an execution',
  details: [
    `Formats of tests: ${Object.keys(RESULT_FORMATS).join(', ')}; of coverage: ${COVERAGE_FORMATS.join(', ')}.`,
    'Cucumber writes JSON or messages, Playwright JSON. Files that a report names are read below its',
    'folder and attached. Several files, or those of a folder, are one execution; where one cannot be',
    'read, nothing is stored. A name that stands in two files has the file in it, or is one test with',
    'tries (--reruns). A repetition within a day stores nothing twice.',
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
      does: 'tests of one name, in a suite of JUnit XML or in several files, are tries of one test',
    },
    name: {
      value: 'TEXT',
      does: 'name of the execution; that of the file or folder if absent, or the format for several',
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
  async run({ args: [format = '', ...named], client, options, signal, terminal }) {
    const label = labelsOf(options)
    const exitCode = exitCodeOf(options)
    const reports = listOf(options, 'coverage').map(reportIn)
    const within = textOf(options, 'attachments-from')
    const { scenarios, warnings, notes } = isCoverageFormat(format)
      ? NO_REPORT
      : await readReports(formatOf(format), named, {
          ...{ signal, within, zone: zoneOf(options), reruns: flagOf(options, 'reruns') },
        })
    if (isCoverageFormat(format)) reports.unshift(...named.map((file) => ({ format, file })))
    for (const note of notes) terminal.note(note)
    const body = {
      name: textOf(options, 'name') ?? nameOf(format, named),
      environmentId: textOf(options, 'env') ?? null,
      scenarios,
      ...(warnings.length > 0 && { warnings }),
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

const NO_REPORT = { scenarios: [], warnings: [], notes: [] }

/** @throws CommandError for a name that none has */
export function formatOf(name: string): ResultFormat {
  const format = Object.hasOwn(RESULT_FORMATS, name) ? RESULT_FORMATS[name] : undefined
  if (format) return format
  throw usageError(
    `There is no format ${name}: expected ${[...Object.keys(RESULT_FORMATS), ...COVERAGE_FORMATS].join(', ')}`,
  )
}

function nameOf(format: string, [file = STDIN, ...more]: readonly string[]): string {
  if (file === STDIN || more.length > 0) return format
  const path = resolve(file) // a folder may be the current one
  return basename(path, extname(path)) || format
}

function zoneOf(options: Options): string {
  const zone = textOf(options, 'time-zone') ?? 'UTC'
  if (isZone(zone)) return zone
  throw usageError(
    `--time-zone is ${zone}: expected a name such as Europe/Berlin, or an offset such as +09:00`,
  )
}

function exitCodeOf(options: Options): string | undefined {
  const code = textOf(options, 'exit-code')
  if (code === undefined || /^-?\d{1,9}$/.test(code)) return code
  throw usageError(`--exit-code is ${code}: expected a number, as the tool ended with`)
}
