import { elements, parseXml, type XmlElement } from '../../schema/xml.ts'
import type { NamedFile, Scenario, State, Try } from './scenario.ts'

const STATES: Readonly<Record<string, State>> = {
  failure: 'FAILED',
  error: 'ERROR',
  skipped: 'SKIPPED',
}

/** JUnit XML: each testcase is a scenario. @throws Error */
export function readJunit(text: string): Scenario[] {
  const root = parseXml(text)
  if (!/^testsuites?$/.test(root.name)) throw new Error('its root is no testsuite')
  const suites = [root, ...elements(root, 'testsuite')].filter(({ name }) => name === 'testsuite')
  return suites.flatMap((suite) =>
    suite.children
      .filter(({ name }) => name === 'testcase')
      .map((each) => scenarioOf(each, suite.attributes.timestamp)),
  )
}

function scenarioOf({ attributes, children }: XmlElement, timestamp?: string): Scenario {
  const { classname, name = '', time } = attributes
  const fault = children.find((child) => Object.hasOwn(STATES, child.name))
  const state = fault ? (STATES[fault.name] ?? 'ERROR') : 'COMPLETED'
  const seconds = Number(time?.replaceAll(',', ''))
  const durationMs = seconds >= 0 ? Math.round(seconds * 1_000) : 0
  const message = fault ? fault.attributes.message || fault.text.trim() : ''
  const written = children.filter((child) => /^system-(out|err)$/.test(child.name))
  const log = [...written.map((each) => each.text), fault?.text ?? ''].filter(Boolean).join('\n')
  const own = [classname, name].filter(Boolean).join(' ') || 'A test without a name'
  const files = filesIn(log)
  const step = { name: name || own, state, message, durationMs, files }
  return {
    ...{ name: own, state, message, durationMs, log, steps: files.length > 0 ? [step] : [] },
    started: startedAt(timestamp),
    tries: children.flatMap(tryOf),
  }
}

/** As Maven Surefire writes tries, and Assay itself. */
function tryOf({ name, attributes, children, text }: XmlElement): Try[] {
  const [, kind] = /^(?:flaky|rerun)(Failure|Error)$/.exec(name) ?? []
  if (kind === undefined) return []
  const trace = children.find((child) => child.name === 'stackTrace')?.text ?? text
  const message = attributes.message || trace.trim()
  const state = kind === 'Error' ? 'ERROR' : 'FAILED'
  return [{ state, message, started: null, durationMs: 0, steps: [] }]
}

/** Without a zone it is UTC, as most tools write it. */
const startedAt = (timestamp = ''): string | null => {
  const ms = Date.parse(/[Zz]|[+-]\d\d:?\d\d$/.test(timestamp) ? timestamp : `${timestamp}Z`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

const filesIn = (log: string): NamedFile[] =>
  [...log.matchAll(/\[\[ATTACHMENT\|([^\]\n]+)\]\]/g)].map(([, path = '']) => ({
    name: path.trim(),
    path: path.trim(),
  }))
