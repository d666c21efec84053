import { type JunitTest, junitTests } from '../../schema/junit.ts'
import type { XmlElement } from '../../schema/xml.ts'
import type { NamedFile, Scenario, Try } from './scenario.ts'

/** The longest time that an import takes; some tools write a point in time instead. */
const MAX_SECONDS = 604_800

/** JUnit XML: each test is a scenario. @throws Error */
export const readJunit = (text: string): Scenario[] => junitTests(text).map(scenarioOf)

function scenarioOf({ name, title, state, message, seconds, ...test }: JunitTest): Scenario {
  const durationMs = seconds >= 0 && seconds <= MAX_SECONDS ? Math.round(seconds * 1_000) : 0
  const written = test.children.filter((child) => /^system-(out|err)$/.test(child.name))
  const log = [...written.map((each) => each.text), test.detail].filter(Boolean).join('\n')
  const files = filesIn(log)
  const step = { name: title, state, message, durationMs, files }
  return {
    ...{ name, state, message, durationMs, log, steps: files.length > 0 ? [step] : [] },
    started: startedAt(test.timestamp),
    tries: test.children.flatMap(tryOf),
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
