import type { XmlElement } from '../xml.ts'
import { type Around, type JunitTest, type Reading, suiteName, testOf } from './test.ts'

/** Tests of an element, with all within it. */
interface Found {
  tests: JunitTest[]
  /** Elements that name a failure. A test may have several, which some tools count once. */
  faults: number
  /** Tests with such elements. */
  bad: number
  /** Failures and errors that suites count beyond the faults. */
  missing: number
  /** Tests that suites count beyond those that are named, tries included. */
  unnamed: number
  /** Elements of tests and tries. */
  elements: number
  /** Names of suites without a test. */
  empty: string[]
  hasCounts: boolean
  warnings: string[]
}

/** Maven Surefire counts each try, also of a test that passed at last. */
const FAULT = /^(failure|error|(flaky|rerun)(Failure|Error))$/
const COUNTED = /^(testcase|(flaky|rerun)(Failure|Error))$/

/** At any depth: Node writes tests that are in no suite into the root. */
export function readIn(element: XmlElement, outer: Around, reading: Reading): Found {
  const { name, attributes, children } = element
  // CxxTest writes a date.
  const { timestamp = attributes.date } = attributes
  const at = reading.timeOf(timestamp)
  const begun =
    timestamp === undefined
      ? outer.begun
      : { at: at ?? outer.begun.at, ms: reading.msOf(attributes.time) }
  const isSuite = name === 'testsuite' || name === 'testsuites'
  const around = { begun, suites: isSuite ? [...outer.suites, element] : outer.suites }
  const inner = children.map((child) => readIn(child, around, reading))
  const sum = (field: 'faults' | 'missing' | 'bad' | 'unnamed' | 'elements') =>
    inner.reduce((total, each) => total + each[field], 0)
  const hasCounts = inner.some((each) => each.hasCounts)
  const own = isTest(element) ? [testOf(element, around, reading)] : []
  const faults = sum('faults') + (FAULT.test(name) ? 1 : 0)
  const bad = sum('bad') + own.filter(({ state }) => state === 'FAILED' || state === 'ERROR').length
  const shape = Object.keys(attributes).join()
  const isJudged = children.some(isJudgedPassed) || NODE_TAP.test(shape)
  const isCounted = isSuite && !isJudged && hasCount(attributes)
  const count = faultsIn(attributes)
  const below = sum('missing') // of nested suites, which their parents sum up
  const isMissing = isCounted && count - faults > below
  // The totals of a report say less than counts of its suites: gotestsum has lines of standard error in them.
  const isUnnamed = isMissing && faults === 0 && (name === 'testsuite' || !hasCounts)
  const isOdd = (isMissing && !isUnnamed) || (isCounted && count < bad && faults > 0 && count === 0)
  const tests = [
    ...own,
    ...(name === 'testsuites' ? children.filter(isFault).map(loadErrorOf(around, reading)) : []),
    ...(isUnnamed ? [unnamedOf(element, faults, around, reading)] : []),
    ...inner.flatMap((each) => each.tests),
  ]
  const elements = sum('elements') + (COUNTED.test(name) ? 1 : 0)
  // Several tools write more elements than they count, as one for a teardown.
  const isExact = isSuite && shape !== PYTEST && !NODE_TAP.test(shape)
  const lacking = isExact ? countIn(attributes.tests) - elements : 0
  const isLacking = lacking > sum('unnamed')
  // Reporters of Mocha write a suite for what stands in none.
  const isEmpty =
    name === 'testsuite' &&
    tests.length === 0 &&
    !children.some(isSuiteToo) &&
    attributes.name !== 'Root Suite'
  return {
    tests,
    elements,
    unnamed: isLacking ? lacking : sum('unnamed'),
    empty: [...(isEmpty ? [suiteName(element)] : []), ...inner.flatMap((each) => each.empty)],
    ...{ faults, bad, hasCounts: hasCounts || (name === 'testsuite' && hasCount(attributes)) },
    missing: isMissing ? count - faults : below,
    warnings: [
      ...(isOdd ? [`${suiteName(element) || 'The report'}: ${totalsOf(element, faults)}`] : []),
      ...(isLacking
        ? [`${suiteName(element) || 'The report'}: ${lackingOf(element, elements)}`]
        : []),
      ...inner.flatMap(({ warnings }) => warnings),
    ],
  }
}

const unnamedOf = (
  element: XmlElement,
  faults: number,
  around: Around,
  reading: Reading,
): JunitTest => ({
  ...testOf({ ...element, children: [] }, around, reading),
  state: 'ERROR',
  message: totalsOf(element, faults),
})

const totalsOf = ({ attributes: { failures, errors } }: XmlElement, faults: number): string =>
  `The report counts ${counted(countIn(failures), 'failure')} and ${counted(countIn(errors), 'error')}, and names ${faults}`

const lackingOf = ({ attributes: { tests } }: XmlElement, elements: number): string =>
  `The report counts ${counted(countIn(tests), 'test')}, and names ${elements}`

const COUNT = /^\d{1,9}$/
const countIn = (text = ''): number => (COUNT.test(text) ? Number(text) : 0)
/** Criterion and Biome have their errors among their failures, and stylelint-junit-formatter each fault among both. */
const COUNTED_TWICE =
  /^name,(failures,errors,tests|tests,failures,errors,disabled(,skipped,time)?)$/
const faultsIn = (attributes: XmlElement['attributes']): number =>
  countIn(attributes.failures) +
  (COUNTED_TWICE.test(Object.keys(attributes).join()) || attributes.name === 'Biome'
    ? 0
    : countIn(attributes.errors))

/** It counts suites, and what failed in them, once more. */
const NODE_TAP = /^(id,)?name,tests,failures,assertions,skipped,time$/
/** It counts each subtest as a test. */
const PYTEST = 'name,errors,failures,skipped,tests,time,timestamp,hostname'

/**
 * Qt counts messages of a test as its errors, and says of each test how it ended. Warnings of stylelint, which its reporter
 * counts as faults, leave a file good.
 */
const isJudgedPassed = ({ attributes }: XmlElement): boolean =>
  attributes.result === 'pass' || attributes.name === 'stylelint.passed'

const hasCount = ({ failures = '', errors = '' }: XmlElement['attributes']): boolean =>
  COUNT.test(failures) || COUNT.test(errors)
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const isTest = ({ name, children }: XmlElement): boolean =>
  name === 'testcase' || (name === 'testsuite' && children.some(isFault))

const isSuiteToo = ({ name }: XmlElement): boolean => name === 'testsuite'

const isFault = ({ name }: XmlElement): boolean => /^(failure|error)$/.test(name)

/** Busted writes files that do not load beside the suites, with the place in the text alone. */
const loadErrorOf =
  (around: Around, reading: Reading) =>
  (fault: XmlElement): JunitTest => {
    const [, name = ''] = /^([^\s:]+):\d/.exec(fault.text.trim()) ?? []
    const element = { name: 'testsuite', attributes: { name }, children: [fault], text: '' }
    return testOf(element, around, reading)
  }
