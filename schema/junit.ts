import { parseXml, type XmlElement } from './xml.ts'

/** A test in JUnit XML; also a suite that failed outside of its tests, or counts failures that it does not name. */
export interface JunitTest {
  /** With its class. */
  name: string
  title: string
  state: 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'
  message: string
  /** NaN where the report says nothing that is a number. */
  seconds: number
  /** The nearest around it that says when it began, the same for all its tests; the test itself where it says so. */
  begun: Begun
  /** What its failure says beside the message. */
  detail: string
  children: readonly XmlElement[]
}

export interface Begun {
  /** As its tool writes it; undefined where nothing around a test has one. */
  timestamp: string | undefined
  /** NaN where the report says nothing that is a number. */
  seconds: number
}

/** The gravest first: of a skipped test whose teardown failed, pytest and GoogleTest write both. */
const STATES: Readonly<Record<string, JunitTest['state']>> = {
  error: 'ERROR',
  failure: 'FAILED',
  skipped: 'SKIPPED',
}
/** What GoogleTest and CTest write of a disabled test, in place of an element. */
const NOT_RUN = /^(notrun|disabled)$/

/** The tests in JUnit XML, as build tools write it. @throws Error unless the text is one */
export function junitTests(text: string): JunitTest[] {
  return documentsIn(text).flatMap((root) => {
    if (!/^testsuites?$/.test(root.name)) throw new Error('its root is no testsuite')
    const { tests } = readIn(root, { timestamp: undefined, seconds: Number.NaN })
    const { xmlns } = root.attributes
    if (tests.length > 0 || !xmlns) return tests
    throw new Error(`it has no testcase, and its root is of another format: ${xmlns}`)
  })
}

/** One after the other, as cmocka writes its groups and libtest of Rust its programs, with a `report` of times behind. */
function documentsIn(text: string): XmlElement[] {
  try {
    return [parseXml(text)]
  } catch (error) {
    const documents = text.split(/(?<=<\/testsuites>)\s*(?=<)/)
    if (documents.length === 1) throw error
    return documents.map(parseXml).filter(({ name }) => name !== 'report')
  }
}

/** What an element has, with all within it. */
interface Found {
  tests: JunitTest[]
  /** Elements that name a failure. A test may have several, which some tools count once. */
  faults: number
  /** Failures and errors that suites count beyond these. */
  missing: number
  hasCounts: boolean
}

/** Maven Surefire counts each try, also of a test that passed at last. */
const FAULT = /^(failure|error|(flaky|rerun)(Failure|Error))$/

/** At any depth: Node writes tests that are in no suite into the root. */
function readIn(element: XmlElement, outer: Begun): Found {
  const { name, attributes, children } = element
  const { timestamp, time } = attributes
  const begun = timestamp === undefined ? outer : { timestamp, seconds: secondsIn(time) }
  const inner = children.map((child) => readIn(child, begun))
  const total = (field: 'faults' | 'missing') => inner.reduce((sum, each) => sum + each[field], 0)
  const hasCounts = inner.some((each) => each.hasCounts)
  // The totals of a report say nothing beside counts of its suites: gotestsum has lines of standard error in them.
  // Qt counts messages of a test as its errors, and says of each test how it ended.
  const isJudged = children.some((child) => child.attributes.result === 'pass')
  const isSuite = !isJudged && (name === 'testsuite' || (name === 'testsuites' && !hasCounts))
  const faults = total('faults') + (FAULT.test(name) ? 1 : 0)
  const missing = isSuite ? countIn(attributes.failures) + countIn(attributes.errors) - faults : 0
  const below = total('missing') // of nested suites, which their parents sum up
  return {
    tests: [
      ...(isTest(element) ? [testOf(element, begun)] : []),
      ...(name === 'testsuites' ? children.filter(isFault).map(loadErrorOf(begun)) : []),
      ...(missing > below ? [unnamedOf(element, faults, begun)] : []),
      ...inner.flatMap(({ tests }) => tests),
    ],
    faults,
    missing: Math.max(missing, below),
    hasCounts: hasCounts || (name === 'testsuite' && hasCount(attributes)),
  }
}

function unnamedOf(element: XmlElement, faults: number, begun: Begun): JunitTest {
  const { failures, errors } = element.attributes
  const message = `The report counts ${counted(countIn(failures), 'failure')} and ${counted(countIn(errors), 'error')}, and names ${faults}`
  return { ...testOf(element, begun), state: 'ERROR', message, detail: '' }
}

const secondsIn = (time?: string): number => Number(time?.replaceAll(',', ''))

const COUNT = /^\d{1,9}$/
const countIn = (text = ''): number => (COUNT.test(text) ? Number(text) : 0)
const hasCount = ({ failures = '', errors = '' }: XmlElement['attributes']): boolean =>
  COUNT.test(failures) || COUNT.test(errors)
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const isTest = ({ name, children }: XmlElement): boolean =>
  name === 'testcase' || (name === 'testsuite' && children.some(isFault))

const isFault = ({ name }: XmlElement): boolean => /^(failure|error)$/.test(name)

/** Busted writes files that do not load beside the suites, with the place in the text alone. */
const loadErrorOf =
  (begun: Begun) =>
  (fault: XmlElement): JunitTest => {
    const [, name = ''] = /^([^\s:]+):\d/.exec(fault.text.trim()) ?? []
    return testOf({ name: 'testsuite', attributes: { name }, children: [fault], text: '' }, begun)
  }

/** A failure that was announced, as todo of Node or by a tag of Catch2, is none. */
const isAnnounced = ({ name, attributes: { type, message = '' } }: XmlElement): boolean =>
  name === 'skipped' && (type === 'todo' || /tagged with !(mayfail|shouldfail)$/.test(message))

function testOf({ attributes, ...element }: XmlElement, begun: Begun): JunitTest {
  const { classname, name: title = '', status = '' } = attributes
  const announced = element.children.filter(isAnnounced)
  const judged = announced.length > 0 ? announced : element.children
  const faults = Object.keys(STATES).flatMap((kind) => judged.filter(({ name }) => name === kind))
  const [fault] = faults
  const name =
    [classname, title].filter(Boolean).join(' ') ||
    `A ${element.name === 'testcase' ? 'test' : 'suite'} without a name`
  // The time of a suite is that of its tests.
  const time = element.name === 'testcase' ? attributes.time : undefined
  return {
    name,
    title: title || name,
    state: fault ? stateOf(fault, status) : NOT_RUN.test(status) ? 'SKIPPED' : 'COMPLETED',
    message: fault ? fault.attributes.message || fault.text.trim() : '',
    seconds: secondsIn(time),
    begun,
    detail: faults.map(saidBy).filter(Boolean).join('\n'),
    children: element.children,
  }
}

/** CTest writes a test that it could not begin as skipped, and counts it as failed; its own skips begin with SKIP_. */
const stateOf = ({ name, attributes: { message = '' } }: XmlElement, status: string) =>
  name === 'skipped' && status === 'notrun' && message !== '' && !message.startsWith('SKIP_')
    ? 'FAILED'
    : (STATES[name] ?? 'ERROR')

/** The text of a fault; of those behind the first one, the message as well. */
const saidBy = ({ attributes: { message = '' }, text }: XmlElement, at: number): string =>
  at === 0 || text.includes(message) ? text : `${message}\n${text}`
