import { parseXml, type XmlElement } from '../xml.ts'
import { reportTime } from './report-time.ts'
import type { Report, ReportOptions } from './reported-test.ts'
import { meaningIn, mergeSame } from './same-tests.ts'
import { secondsReader } from './seconds.ts'
import { readIn } from './suites.ts'
import { type JunitTest, type Reading, suiteName, withOutputOfSuites } from './test.ts'
import { uniqueNames } from './test-names.ts'
import { startsOf } from './times.ts'

/** The tests in JUnit XML, as build tools write it. @throws Error unless the text is one */
export function readJunit(text: string, { zone, reruns = false }: ReportOptions = {}): Report {
  const roots = documentsIn(text)
  const secondsOf = secondsReader(roots.flatMap(timesIn))
  const reading: Reading = {
    msOf: (time) => secondsOf(time) * 1_000,
    timeOf: (timestamp) => reportTime(timestamp, zone),
  }
  const found = roots.map((root) => readRoot(root, reading))
  const tests = found.flatMap(
    (each, at) => mergeSame(each.tests, reruns ? 'tries' : meaningIn(roots[at] as XmlElement)), // one found for each root
  )
  const names = uniqueNames(
    tests.map((test) => ({
      ...test,
      suites: test.around.map(suiteName),
      project: projectOf(test.around.at(-1)),
    })),
  )
  const starts = startsOf(tests)
  return {
    tests: tests.map((test, at) => reported(test, names[at] ?? '', starts[at] ?? null)),
    warnings: found.flatMap(({ warnings }) => warnings),
  }
}

/** Playwright has the project in the place of the host. */
const PLAYWRIGHT = 'name,timestamp,hostname,tests,failures,skipped,time,errors'
const projectOf = (suite?: XmlElement): string =>
  suite && Object.keys(suite.attributes).join() === PLAYWRIGHT
    ? (suite.attributes.hostname ?? '')
    : ''

const reported = (
  { title, state, message, durationMs, log, files, tries }: JunitTest,
  name: string,
  started: string | null,
) => ({ name, title: title || name, state, message, durationMs, started, log, files, tries })

function readRoot(root: XmlElement, reading: Reading) {
  if (!/^testsuites?$/.test(root.name)) throw new Error(`its root is ${root.name}, no testsuite`)
  const outer = { begun: { at: null, ms: Number.NaN }, suites: [] }
  const { tests, warnings, empty } = readIn(root, outer, reading)
  const { xmlns } = root.attributes
  if (tests.length === 0 && xmlns)
    throw new Error(`it has no testcase, and its root is of another format: ${xmlns}`)
  if (tests.length > 0 && empty.length > 0) warnings.push(emptyOf(empty))
  return { tests: withOutputOfSuites(tests), warnings }
}

const MAX_NAMED = 10

const emptyOf = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED
  const shown = names.slice(0, MAX_NAMED).map((name) => name || 'one without a name')
  return `Suites without a test: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`
}

/**
 * One after the other, as cmocka writes its groups and libtest of Rust its programs, with a `report` of times behind, and
 * as `cat` makes one file of several; also between lines that npm prints around a report on standard output.
 */
function documentsIn(text: string): XmlElement[] {
  try {
    return [parseXml(text)]
  } catch (error) {
    const { children } = togetherIn(text) ?? { children: [] }
    const documents = children.filter(({ name }) => name !== 'report')
    if (documents.length === 0) throw error
    return documents
  }
}

/** The sign before what stands before it, so that long blanks take no time. */
const PROLOGUE = /(?=<[?!])(?<=^|>\s*)(<\?xml\s[^>]*\?>|<!DOCTYPE[^>[]*>)/g

/** Null unless the documents are XML. A declaration and a document type stand at the beginning of a file alone. */
function togetherIn(text: string): XmlElement | null {
  const from = text.search(/<testsuites?[\s>/]/)
  const last = text.lastIndexOf('</testsuite')
  const end = last < from ? text.length : text.indexOf('>', last) + 1
  // A report behind the last end was cut off.
  const to = /<(\?xml|test(suite|case))/.test(text.slice(end)) ? text.length : end
  const bare = text.slice(from, to).replace(PROLOGUE, '')
  try {
    return from < 0 ? null : parseXml(`<all>${bare}</all>`)
  } catch {
    return null
  }
}

const timesIn = ({ attributes: { time }, children }: XmlElement): string[] => [
  ...(time === undefined ? [] : [time]),
  ...children.flatMap(timesIn),
]
