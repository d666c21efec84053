import { type JunitTest, junitTests } from '../../schema/junit.ts'
import type { XmlElement } from '../../schema/xml.ts'
import { durationIn, type NamedFile, type Scenario, type Try, timeIn } from './scenario.ts'

/** JUnit XML: each test is a scenario. @throws Error */
export const readJunit = (text: string): Scenario[] => junitTests(text).map(scenarioOf)

function scenarioOf({ name, title, state, message, seconds, ...test }: JunitTest): Scenario {
  const durationMs = durationIn(seconds * 1_000)
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
const startedAt = (timestamp = ''): string | null =>
  timeIn(/[Zz]|[+-]\d\d:?\d\d$/.test(timestamp) ? timestamp : `${timestamp}Z`)

const filesIn = (log: string): NamedFile[] =>
  [...log.matchAll(/\[\[ATTACHMENT\|([^\]\n]+)\]\]/g)].map(([, path = '']) => ({
    name: path.trim(),
    path: path.trim(),
  }))
