import { plainText } from '../plain-text.ts'
import type { XmlElement } from '../xml.ts'
import { classWithoutVersion } from './browsers.ts'
import { messageOf, saidBy, verdictOf } from './faults.ts'
import { meantByOunit } from './ounit.ts'
import type { ReportedTest, ReportedTry } from './reported-test.ts'
import { meantByTestem } from './testem.ts'
import type { Begun } from './times.ts'
import { meantByWebdriverio } from './webdriverio.ts'

/** A test in JUnit XML; also a suite that failed outside of its tests, or counts failures that it does not name. */
export interface JunitTest extends Omit<ReportedTest, 'name' | 'started'> {
  classname: string
  file: string
  /** Suites, the outermost first; of a suite itself, too. */
  around: readonly XmlElement[]
  begun: Begun
  /** Its tool ran it once more, with a test of the same name behind this one. */
  isRepeated: boolean
}

/** Conventions of one report for numbers and times. */
export interface Reading {
  msOf(time?: string): number
  timeOf(timestamp?: string): string | null
}

export interface Around {
  begun: Begun
  suites: readonly XmlElement[]
}

export function testOf(
  given: XmlElement,
  { begun, suites }: Around,
  { msOf, ...times }: Reading,
): JunitTest {
  const { test, isRepeated } = meantByWebdriverio(given, suites.at(-1))
  const element = meantByTestem(meantByOunit(test, suites.at(-1)), suites.at(-1))
  const { attributes, children } = element
  const isSuite = element.name !== 'testcase'
  const output = isSuite ? '' : outputOf(element)
  const { detail, ...verdict } = verdictOf(element, output)
  const tries = children.filter(isTry)
  const { name = '', classname = '' } = attributes
  // Converters of TAP count assertions, and busted has the line of a test as its class: both change with tests before it.
  const { title, note, failed } = toldBehind(
    plainText(name).trim().replace(numberBefore(classname), ''),
    suites.at(-1),
  )
  const ofClass = classname || fileIn(name)
  return {
    ...verdict,
    classname: classWithoutVersion(plainText(ofClass).trim(), suites.at(-1)).replace(
      /(?<=\.\w+):\d+$/,
      '',
    ),
    title: isSuite ? suiteName(element) : title,
    file: attributes.file ?? '',
    // The time of a suite is that of its tests.
    durationMs: msOf(isSuite ? undefined : attributes.time),
    around: suites,
    begun,
    isRepeated,
    log: [output, note, detail, ...tries.map(sayTry)].filter(Boolean).join('\n'),
    files: [...filesIn([output, detail, ...tries.map(outputOf)].join('\n')), ...filesOf(element)],
    tries: [
      ...tries.map((each) => tryOf(each, { msOf, ...times })),
      ...(verdict.state === 'COMPLETED' ? failed : []),
    ],
  }
}

const TESTCAFE = /^(.*?)( \(unstable\))?( \((screenshots: [^\n]*)\))?$/
const UNSAID = 'It failed, and the report does not say why'

/**
 * TestCafe writes behind the name that tries differed, and a folder with the time of the run; PHP_CodeSniffer the place;
 * TAP::Harness::JUnit a number, behind all names that come after the first equal one.
 */
function toldBehind(text: string, suite?: XmlElement) {
  const { name: around = '' } = suite?.attributes ?? {}
  const isTestCafe = around.startsWith('TestCafe Tests: ')
  const [, title = text, unstable, , note = ''] = (isTestCafe && TESTCAFE.exec(text)) || []
  const [place, line] = text.split(` at ${around} (`)
  if (around !== '' && place && /^\d+:\d+\)$/.test(line ?? ''))
    return { title: place, note: `${around}:${line?.slice(0, -1)}`, failed: [] }
  if (isOfTapHarness(suite))
    return { title: text.replace(/ \((?:[1-9]\d+|[2-9])\)$/, ''), note: '', failed: [] }
  const tried: ReportedTry = { state: 'FAILED', message: UNSAID, started: null, durationMs: 0 }
  return { title, note, failed: unstable ? [tried] : [] }
}

/** Bats numbers those behind one that it ran again. */
const numberBefore = (classname: string): RegExp | string =>
  classname === '' ? /^#\d+ (?=.)/ : classname.endsWith('.bats') ? /^begin \d+ (?=.)/ : ''

/** AVA by tap-xunit: the name begins with that of the file, and comments of any test are the suite. */
const fileIn = (name: string): string => /^#\d+ (\S.*?) › /.exec(name)?.[1] ?? ''

/** It alone has the output before the tests. */
const isOfTapHarness = (suite?: XmlElement): boolean =>
  suite?.children[0]?.name === 'system-out' &&
  Object.keys(suite.attributes).join() === 'name,errors,failures,skipped,tests,time'

/** Runners in Python write the time of the run behind the name. */
export const suiteName = ({ attributes: { name = '' } }: XmlElement): string =>
  plainText(name)
    .trim()
    .replace(/-\d{14}$/, '')

const outputOf = ({ children }: XmlElement): string =>
  children
    .filter(({ name }) => /^system-(out|err)$/.test(name))
    .map(({ text }) => plainText(text))
    .filter((text) => text.trim() !== '')
    .join('\n')

/** As Jenkins and GitLab read them; some tools have a kind behind the path. */
const filesIn = (text: string): string[] =>
  [...text.matchAll(/\[\[ATTACHMENT\|([^|\n]+?)(?:\|[^|\n]*?)?\]\]/g)].map(([, path = '']) =>
    path.trim(),
  )

const filesOf = ({ children }: XmlElement): string[] =>
  children
    .filter(({ name }) => name === 'properties')
    .flatMap((properties) => properties.children)
    .flatMap(({ attributes: { name = '', value = '' } }) =>
      /(^|[_.:-])attachments?([_.:-]?\d+)?$/i.test(name) && value !== '' ? [value.trim()] : [],
    )

/** As Maven Surefire writes tries, and Assay itself. */
const TRY = /^(?:flaky|rerun)(Failure|Error)$/
const isTry = ({ name }: XmlElement): boolean => TRY.test(name)

/** Its stack stands within it, or in an element of its own. */
const withStack = (element: XmlElement): XmlElement => {
  const stack = element.children.find(({ name }) => name === 'stackTrace')
  return stack ? { ...element, text: stack.text } : element
}

function tryOf(element: XmlElement, { msOf, timeOf }: Reading): ReportedTry {
  const { name, attributes } = element
  return {
    state: TRY.exec(name)?.[1] === 'Error' ? 'ERROR' : 'FAILED',
    message: messageOf(withStack(element)),
    started: timeOf(attributes.timestamp),
    durationMs: msOf(attributes.time),
  }
}

const sayTry = (element: XmlElement): string =>
  [`An earlier try:`, saidBy(withStack(element)), outputOf(element)].filter(Boolean).join('\n')

/** Its own, and that of suites in it that have no test to stand with, not even one for what they count. */
function saidBySuite(
  suite: XmlElement,
  shown: ReadonlyMap<XmlElement, unknown>,
): { text: string; files: string[] } {
  const inner = suite.children
    .filter((each) => each.name === 'testsuite' && !hasTest(each) && !shown.has(each))
    .map((each) => saidBySuite(each, shown))
  const own = outputOf(suite)
  const said = own && `Output of ${suiteName(suite) || 'the suite'}:\n${own}`
  return {
    text: [said, ...inner.map(({ text }) => text)].filter(Boolean).join('\n'),
    files: [...filesIn(own), ...filesOf(suite), ...inner.flatMap(({ files }) => files)],
  }
}

const hasTest = ({ name, children }: XmlElement): boolean =>
  name === 'testcase' || children.some(hasTest)

/** Output of a suite stands with its first bad test, or else with the first that ran. */
export function withOutputOfSuites(tests: readonly JunitTest[]): JunitTest[] {
  const bySuite = new Map<XmlElement, JunitTest[]>()
  for (const test of tests)
    for (const suite of test.around) {
      const inside = bySuite.get(suite)
      if (inside) inside.push(test)
      else bySuite.set(suite, [test])
    }
  const more = new Map<JunitTest, ReturnType<typeof saidBySuite>[]>()
  for (const [suite, inside] of bySuite) {
    const isBad = ({ state }: JunitTest) => state === 'ERROR' || state === 'FAILED'
    const ran = inside.find(isBad) ?? inside.find(({ state }) => state !== 'SKIPPED')
    const place = ran ?? (inside[0] as JunitTest) // no list is empty
    more.set(place, [...(more.get(place) ?? []), saidBySuite(suite, bySuite)])
  }
  return tests.map((test) => {
    const said = more.get(test) ?? []
    return {
      ...test,
      log: [...said.map(({ text }) => text), test.log].filter(Boolean).join('\n'),
      files: [...test.files, ...said.flatMap(({ files }) => files)],
    }
  })
}
