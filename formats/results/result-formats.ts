import type { ReportOptions } from '../junit/reported-test.ts'
import { readCucumber } from './cucumber.ts'
import { readJunit } from './junit.ts'
import { readPlaywright } from './playwright.ts'
import type { Report, Scenario } from './scenario.ts'
import { readXa } from './xa.ts'

/** A format of tests. */
export interface ResultFormat {
  /** Name for messages. */
  title: string
  /** @throws Error unless the text is of the format */
  read(text: string, options: ReportOptions): Report
  /** Names of its files in a folder. */
  ends: RegExp
  /** Sign that each of its files has: a folder may have others as well. */
  mark: RegExp
}

const listed =
  (read: (text: string, options: ReportOptions) => Scenario[]): ResultFormat['read'] =>
  (text, options) => ({ scenarios: read(text, options), warnings: [] })

/** Formats of tests that imports take, by their names. */
export const RESULT_FORMATS: Readonly<Record<string, ResultFormat>> = {
  junit: { title: 'JUnit XML', read: readJunit, ends: /\.xml$/i, mark: /<testsuite/ },
  xa: {
    title: 'XA report',
    ...{ read: listed(readXa), ends: /\.xml$/i, mark: /<Xa(Unit|Suite)Result/ },
  },
  cucumber: {
    title: 'report of Cucumber',
    ...{ read: listed(readCucumber), ends: /\.(json|ndjson)$/i, mark: /"(elements|pickle)"\s*:/ },
  },
  playwright: {
    title: 'JSON report of Playwright',
    ...{ read: listed(readPlaywright), ends: /\.json$/i, mark: /"suites"\s*:/ },
  },
}

/** Names of all formats in a sentence. */
export const RESULT_TITLES = Object.values(RESULT_FORMATS)
  .map(({ title }) => title)
  .join(', ')

/** The format whose mark stands first: tests may have written those of others. Null for none. */
export function formatIn(text: string): ResultFormat | null {
  const marked = Object.values(RESULT_FORMATS)
    .map((format) => ({ format, at: text.search(format.mark) }))
    .filter(({ at }) => at >= 0)
  return marked.sort((a, b) => a.at - b.at)[0]?.format ?? null
}

/** Reads a report of any format. @throws Error that names the fault */
export function readResults(text: string): Report {
  const format = formatIn(text)
  if (!format) throw new Error(`is no report of tests: expected ${RESULT_TITLES}`)
  try {
    return format.read(text, {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new Error(`is no ${format.title}: ${reason}`)
  }
}
