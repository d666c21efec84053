import type { XmlElement } from '../xml.ts'
import { GRAVITY } from './faults.ts'
import type { ReportedTry } from './reported-test.ts'
import type { JunitTest } from './test.ts'

/** Meaning of several elements of one suite, class and name. */
export type Meaning = 'tests' | 'parts' | 'tries'

/**
 * Parts of one test: pytest writes a failed teardown by itself, testthat each expectation, Clojure tests that tests call.
 * Tries: `go test` gives no name twice, so that gotestsum ran such a test again. Elsewhere they may be rows of data.
 */
export function meaningIn(root: XmlElement): Meaning {
  let meaning: Meaning = 'tests'
  const look = (element: XmlElement, inTest: boolean) => {
    const { name, attributes, children } = element
    const { message = '' } = attributes
    const isTest = name === 'testcase'
    if (name === 'property' && attributes.name === 'go.version') meaning = 'tries'
    if (name === 'failure' && message === 'Failed') meaning = 'tries'
    if (name === 'testsuite' && attributes.name === 'pytest') meaning = 'parts'
    if (name === 'error' && /^failed on (setup|teardown) with /.test(message)) meaning = 'parts'
    // Only testthat writes the time first.
    if (isTest && Object.keys(attributes).join() === 'time,classname,name') meaning = 'parts'
    if (isTest && inTest) meaning = 'parts'
    for (const child of children) look(child, inTest || isTest)
  }
  look(root, false)
  return meaning
}

export function mergeSame(tests: readonly JunitTest[], meaning: Meaning): JunitTest[] {
  if (meaning === 'tests') return [...tests]
  const suites = new Map<XmlElement | undefined, Map<string, JunitTest[]>>()
  for (const test of tests) {
    const suite = test.around.at(-1)
    const names = suites.get(suite) ?? new Map<string, JunitTest[]>()
    suites.set(suite, names)
    const key = JSON.stringify([test.classname, test.title, test.file])
    const same = names.get(key)
    if (same) same.push(test)
    else names.set(key, [test])
  }
  return [...suites.values()].flatMap((names) =>
    [...names.values()].map(meaning === 'tries' ? lastTry : wholeOf),
  )
}

/** One that passed decides, as its tool would not have run it again behind that; reporters of TestNG write it first. */
function lastTry(same: readonly JunitTest[]): JunitTest {
  const last = same.findLast(({ state }) => state === 'COMPLETED') ?? same.at(-1)
  const earlier = same.filter((each) => each !== last)
  const log = [...earlier.map((each) => each.log), last?.log].filter(Boolean).join('\n')
  return { ...(last as JunitTest), log, tries: earlier.flatMap(tryOf) } // no list is empty
}

const tryOf = ({ state, message, durationMs, tries, begun }: JunitTest): ReportedTry[] => [
  ...tries,
  ...(state === 'FAILED' || state === 'ERROR'
    ? [{ state, message, started: begun.at, durationMs }]
    : []),
]

function wholeOf(same: readonly JunitTest[]): JunitTest {
  const sorted = [...same].sort((a, b) => GRAVITY.indexOf(a.state) - GRAVITY.indexOf(b.state))
  const [gravest] = sorted
  const isBad = gravest?.state === 'ERROR' || gravest?.state === 'FAILED'
  const faults = sorted.filter(({ state }) => !isBad || state === 'ERROR' || state === 'FAILED')
  const joined = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean).join('\n')
  return {
    ...(gravest as JunitTest), // no list is empty
    message: joined(faults.map(({ message }) => message)),
    log: joined(same.map(({ log }) => log)),
    files: [...new Set(same.flatMap(({ files }) => files))],
    tries: same.flatMap(({ tries }) => tries),
    durationMs: same.reduce((sum, { durationMs }) => sum + (durationMs || 0), 0),
  }
}
