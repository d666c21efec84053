import { parseXml, type XmlElement } from './xml.ts'

/** A test in JUnit XML; also a suite that failed outside of its tests. */
export interface JunitTest {
  /** With its class. */
  name: string
  title: string
  state: 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'
  message: string
  /** NaN where the report says nothing that is a number. */
  seconds: number
  /** When it began, as its tool writes it, or that of the suite around it. */
  timestamp: string | undefined
  /** What its failure says beside the message. */
  detail: string
  children: readonly XmlElement[]
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
  const root = parseXml(text)
  if (!/^testsuites?$/.test(root.name)) throw new Error('its root is no testsuite')
  return testsIn(root)
}

/** At any depth: Node writes tests that are in no suite into the root. */
function testsIn(element: XmlElement, outer?: string): JunitTest[] {
  const timestamp = element.attributes.timestamp ?? outer
  const own = isTest(element) ? [testOf(element, timestamp)] : []
  return [...own, ...element.children.flatMap((child) => testsIn(child, timestamp))]
}

const isTest = ({ name, children }: XmlElement): boolean =>
  name === 'testcase' ||
  (name === 'testsuite' && children.some((child) => /^(failure|error)$/.test(child.name)))

function testOf({ attributes, ...element }: XmlElement, timestamp?: string): JunitTest {
  const { classname, name: title = '', status = '' } = attributes
  const [fault] = Object.keys(STATES).flatMap((kind) =>
    element.children.filter((child) => child.name === kind),
  )
  const name = [classname, title].filter(Boolean).join(' ') || 'A test without a name'
  // The time of a suite is that of its tests.
  const time = element.name === 'testcase' ? attributes.time : undefined
  return {
    name,
    title: title || name,
    state: fault ? (STATES[fault.name] ?? 'ERROR') : NOT_RUN.test(status) ? 'SKIPPED' : 'COMPLETED',
    message: fault ? fault.attributes.message || fault.text.trim() : '',
    seconds: Number(time?.replaceAll(',', '')),
    timestamp,
    detail: fault?.text ?? '',
    children: element.children,
  }
}
