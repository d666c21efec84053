import { type Begun, type JunitTest, junitTests } from '../../schema/junit.ts'
import type { XmlElement } from '../../schema/xml.ts'
import { durationIn, type NamedFile, type Scenario, type Try, timeIn } from './scenario.ts'

/**
 * JUnit XML: each test is a scenario. Those of a suite begin one after the other, and those of a suite that does not say
 * when it began do so with the first suite that says it. @throws Error
 */
export function readJunit(text: string): Scenario[] {
  const tests = junitTests(text)
  const first = tests.map(({ begun }) => startedAt(begun)).find((at) => at !== null) ?? null
  const passed = new Map<Begun, number>()
  return tests.map((test) => {
    const { begun } = test
    const scenario = scenarioOf(test)
    const { durationMs } = scenario
    const before = passed.get(begun) ?? 0
    passed.set(begun, before + durationMs)
    // Where tests ran at the same time, a suite took less than all of them.
    const whole = durationIn(begun.seconds * 1_000) || Number.POSITIVE_INFINITY
    const waited = Math.max(0, Math.min(before, whole - durationMs))
    return { ...scenario, started: later(startedAt(begun) ?? first, waited) }
  })
}

const later = (at: string | null, ms: number): string | null =>
  at && timeIn(new Date(Date.parse(at) + ms).toISOString())

function scenarioOf({ name, title, state, message, seconds, ...test }: JunitTest): Scenario {
  const durationMs = durationIn(seconds * 1_000)
  const written = test.children.filter((child) => /^system-(out|err)$/.test(child.name))
  const log = [...written.map((each) => each.text), test.detail].filter(Boolean).join('\n')
  const files = filesIn(log)
  const step = { name: title, state, message, durationMs, files }
  return {
    ...{ name, state, message, durationMs, log, steps: files.length > 0 ? [step] : [] },
    started: null,
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
const startedAt = ({ timestamp = '' }: Pick<Begun, 'timestamp'>): string | null =>
  timeIn(/[Zz]|[+-]\d\d:?\d\d$/.test(timestamp) ? timestamp : `${timestamp}Z`)

const filesIn = (log: string): NamedFile[] =>
  [...log.matchAll(/\[\[ATTACHMENT\|([^\]\n]+)\]\]/g)].map(([, path = '']) => ({
    name: path.trim(),
    path: path.trim(),
  }))
