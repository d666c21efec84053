import { elements, parseXml, type XmlElement } from '../../../../schema/xml.ts'
import type { ReportedCase } from './reported-case.ts'

/** Characters of a message that are kept. */
const MESSAGE_LENGTH = 2_000
/** What a result can carry; some tools write a point in time instead. */
const MAX_DURATION_MS = 2 ** 31 - 1

/** The tests in JUnit XML, as build tools write it. @throws Error unless the text is one */
export function readJunit(text: string): ReportedCase[] {
  const root = parseXml(text)
  if (!/^testsuites?$/.test(root.name)) throw new Error('its root is no testsuite')
  return elements({ children: [root] }, 'testcase').map(caseOf)
}

function caseOf({ attributes, children }: XmlElement): ReportedCase {
  const { classname, name = '', time } = attributes
  const ms = Math.round(Number(time?.replaceAll(',', '')) * 1_000)
  const [fault] = children.filter((child) => Object.hasOwn(STATES, child.name))
  return {
    name: [classname, name].filter(Boolean).join(' ') || 'A test without a name',
    state: fault ? (STATES[fault.name] ?? 'ERROR') : 'COMPLETED',
    durationMs: ms >= 0 && ms <= MAX_DURATION_MS ? ms : null,
    message: fault ? messageOf(fault) : '',
  }
}

const STATES: Readonly<Record<string, ReportedCase['state']>> = {
  failure: 'FAILED',
  error: 'ERROR',
  skipped: 'SKIPPED',
}

const messageOf = ({ attributes, text }: XmlElement): string =>
  (attributes.message || text.trim()).slice(0, MESSAGE_LENGTH)
