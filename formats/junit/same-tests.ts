import type { XmlElement } from '../xml.ts'
import { GRAVITY } from './faults.ts'
import type { ReportedTry } from './reported-test.ts'
import type { JunitTest } from './test.ts'

/**
 * Meaning of several elements of one suite, class and name. Retries are tries where all but the last failed; of reruns all
 * but the last did, whatever their elements say.
 */
export type Meaning = 'tests' | 'parts' | 'tries' | 'retries' | 'reruns' | 'runs'

/**
 * Parts of one test: pytest, nose, nose2 and subunit write a failed teardown by itself, testthat each expectation, Clojure tests
 * that tests call.
 * Tries: `go test` gives no name twice, so that gotestsum ran such a test again. Retries: Gradle has rows of data with
 * the name that their test gives them, and runs again what failed. Reruns: CodeceptJS has rows in its names, and writes
 * tries that failed as passed. Runs: those of WebdriverIO say whether they were repeated, and a test that leaves itself out
 * stands there twice. Elsewhere they may be rows of data.
 */
export function meaningIn(root: XmlElement): Meaning {
  let meaning: Meaning = 'tests'
  const look = (element: XmlElement, inTest: boolean, around?: XmlElement['attributes']) => {
    const { name, attributes, children } = element
    const { message = '' } = attributes
    const isTest = name === 'testcase'
    if (name === 'property' && attributes.name === 'go.version') meaning = 'tries'
    if (name === 'testsuites' && attributes.name === 'CodeceptJS') meaning = 'reruns'
    const { classname = '' } = attributes
    const isInPackage = isTest && `/${around?.name}`.endsWith(`/${classname}`)
    if (isInPackage && children.some(isFailed)) meaning = 'tries'
    if (name === 'testsuite' && OF_PYTHON.test(attributes.name ?? '')) meaning = 'parts'
    if (name === 'testsuite' && isOfSubunit(attributes)) meaning = 'parts'
    if (name === 'property' && attributes.name === 'specId') meaning = 'runs'
    if (name === 'error' && /^failed on (setup|teardown) with /.test(message)) meaning = 'parts'
    // Only testthat writes the time first.
    if (isTest && Object.keys(attributes).join() === 'time,classname,name') meaning = 'parts'
    if (isTest && inTest) meaning = 'parts'
    if (name === 'testsuite' && Object.keys(attributes).join() === GRADLE) meaning = 'retries'
    // Bats takes no name twice, and writes a try with the outcome of the test before it.
    if (isTest && classname.endsWith('.bats')) meaning = 'reruns'
    for (const child of children) look(child, inTest || isTest, attributes)
  }
  look(root, false)
  return meaning
}

/** Reporters of Go know no more of a failure, and the package of a test is its suite. */
const isFailed = ({ name, attributes }: XmlElement): boolean =>
  name === 'failure' && attributes.message === 'Failed'

const OF_PYTHON = /^(pytest|nosetests|nose2-junit)$/
/** The converter of subunit has no name for all that it was given. */
const isOfSubunit = (attributes: XmlElement['attributes']): boolean =>
  attributes.name === '' && Object.keys(attributes).join() === 'errors,failures,name,tests,time'

const GRADLE = 'name,tests,skipped,failures,errors,timestamp,hostname,time'

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
  const all = [...suites.values()].flatMap((names) => [...names.values()])
  if (meaning === 'parts') return all.map(wholeOf)
  if (meaning === 'reruns') return all.map(lastRerun)
  if (meaning === 'runs') return all.flatMap(runsOf)
  return all.flatMap((same) =>
    meaning === 'tries' || same.slice(0, -1).every(isBad) ? [lastTry(same)] : same,
  )
}

const isBad = ({ state }: JunitTest): boolean => state === 'FAILED' || state === 'ERROR'

/**
 * One that passed decides, as its tool would not have run it again behind that; reporters of TestNG write it first. A skip
 * behind a failure decides nothing.
 */
function lastTry(same: readonly JunitTest[]): JunitTest {
  const passed = same.findLast(({ state }) => state === 'COMPLETED')
  return withTries((passed ?? same.findLast(isBad) ?? same.at(-1)) as JunitTest, same) // no list is empty
}

/** A test for each run that was not repeated. */
function runsOf(same: readonly JunitTest[]): JunitTest[] {
  const runs: JunitTest[][] = []
  let isOpen = false
  for (const [at, test] of same.entries()) {
    if (isOpen) runs.at(-1)?.push(test)
    else if (test.state !== 'SKIPPED' || same[at - 1]?.state !== 'SKIPPED') runs.push([test])
    isOpen = test.isRepeated
  }
  return runs.map(lastTry)
}

const lastRerun = (same: readonly JunitTest[]): JunitTest => {
  const tries = same
    .slice(0, -1)
    .map((each): JunitTest => (isBad(each) ? each : { ...each, ...UNSAID }))
  const last = same.at(-1) as JunitTest // likewise
  return withTries(last, [...tries, last])
}

const UNSAID = { state: 'FAILED', message: 'It failed, and the report does not say why' } as const

function withTries(last: JunitTest, same: readonly JunitTest[]): JunitTest {
  const earlier = same.filter((each) => each !== last)
  const log = [...earlier.map((each) => each.log), last.log].filter(Boolean).join('\n')
  const files = same.flatMap((each) => each.files)
  return { ...last, log, files, tries: [...earlier.flatMap(tryOf), ...last.tries] }
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
  const faults = gravest && isBad(gravest) ? sorted.filter(isBad) : sorted
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
