import { readCoverage } from '../../formats/coverage/read-coverage.ts'
import { readCucumber } from '../../formats/results/cucumber.ts'
import { readJunit as readReport } from '../../formats/results/junit.ts'
import { readPlaywright } from '../../formats/results/playwright.ts'
import type { Scenario, State } from '../../formats/results/scenario.ts'
import { readJunit as readInStep } from '../../runner/reports/read-junit.ts'
import type { TrueTest, Truth } from './truth.ts'

const readJunit = (text: string) => readReport(text).scenarios

const READERS = { junit: readJunit, cucumber: readCucumber, playwright: readPlaywright }

/** A line for everything in which the product reads a report unlike the truth. */
export function differences(truth: Truth, text: string): string[] {
  try {
    const { format } = truth
    if (format !== 'junit' && format !== 'cucumber' && format !== 'playwright')
      return coverageDifferences(truth.coverage ?? {}, readCoverage(format, text).files)
    const scenarios = READERS[format](text)
    const inStep = format === 'junit' ? stepDifferences(scenarios, text) : []
    return [...testDifferences(truth, scenarios), ...scenarios.flatMap(oddities), ...inStep]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isExpected = truth.unreadable !== undefined && reason.includes(truth.unreadable)
    return isExpected ? [] : [`unreadable: ${reason.slice(0, 80)}`]
  }
}

function testDifferences({ tests = [], counts }: Truth, scenarios: readonly Scenario[]): string[] {
  const left = [...scenarios]
  const written = tests.filter(({ reported }) => reported !== 'ABSENT')
  const found = byLength(written).flatMap((test) => {
    const candidates = left.filter(({ name }) => endsWith(name, test.name))
    const scenario = candidates.find(({ state }) => state === reportedOf(test)) ?? candidates[0]
    if (!scenario) return [`${test.name}: absent, but ${reportedOf(test)}`]
    left.splice(left.indexOf(scenario), 1)
    return ofTest(test, scenario)
  })
  const more = left.map(({ name, state }) => `${name.trim()}: ${state}, but no test`)
  const ran = Object.entries(counted(tests.map(({ state }) => state)))
  const isCounted = JSON.stringify(ran) === JSON.stringify(Object.entries(counts ?? {}).sort())
  return [...found, ...more, ...(isCounted ? [] : [`counts of the truth: ${ran.join(' ')}`])]
}

const reportedOf = ({ state, reported = state }: TrueTest) => reported

function ofTest(test: TrueTest, scenario: Scenario): string[] {
  const { state, tries, message, log } = scenario
  const isSaid = `${message}\n${log}`.includes(test.message ?? '')
  return [
    ...(state === reportedOf(test) ? [] : [`${test.name}: ${state}, but ${reportedOf(test)}`]),
    ...(tries.length === (test.tries ?? tries.length)
      ? []
      : [`${test.name}: ${tries.length} earlier tries, but ${test.tries}`]),
    ...(isSaid ? [] : [`${test.name}: nothing says ${test.message}`]),
  ]
}

/** Reports of the corpus were written in 2026. */
const WRITTEN_FROM = Date.parse('2026-01-01T00:00:00Z')

/** Faults in any report. */
function oddities({ name, message, log, started }: Scenario, at: number, all: readonly Scenario[]) {
  const isDoubled = /^(.+?)\W+\1$/.test(name.trim())
  const isTaken = all.slice(0, at).some((each) => each.name === name)
  const time = started === null ? WRITTEN_FROM : Date.parse(started)
  return [
    ...(isDoubled || isTaken ? [`${name}: a doubled name`] : []),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    ...(/\u001b|\[3\dm/.test(`${name}${message}${log}`) ? [`${name}: colours`] : []),
    ...(time < WRITTEN_FROM || time > Date.now() ? [`${name}: began at ${started}`] : []),
  ]
}

/** A step reads the same file by the same rules. */
function stepDifferences(scenarios: readonly Scenario[], text: string): string[] {
  const said = (each: Pick<Scenario, 'name' | 'state' | 'log'> & { message: string | null }) =>
    `${each.name}: ${each.state} ${each.message} ${each.log}`
  const inStep = readInStep(text).cases.map(said)
  return JSON.stringify(inStep) === JSON.stringify(scenarios.map(said))
    ? []
    : ['a step reads other tests than the command']
}

function coverageDifferences(
  coverage: NonNullable<Truth['coverage']>,
  files: ReturnType<typeof readCoverage>['files'],
): string[] {
  const named = Object.entries(coverage).flatMap(([name, { hit, missed }]) => {
    const file = files.find(({ path, places }) =>
      [...places, path].some((each) => `/${each}`.endsWith(`/${name}`)),
    )
    if (!file) return [`${name}: absent`]
    const lines = (ran: boolean) =>
      [...file.lines].flatMap(([line, is]) => (is === ran ? [line] : [])).sort((a, b) => a - b)
    const read = `${lines(true)} hit, ${lines(false)} missed`
    return read === `${hit} hit, ${missed} missed` ? [] : [`${name}: ${read}`]
  })
  // Headers of the system are no files of the project.
  const own = files.filter(({ path }) => !/^\/usr\//.test(path)).length
  const expected = Object.keys(coverage).length
  return own === expected ? named : [...named, `${own} files, but ${expected}`]
}

/** Longer names first: `deep adds` is not `adds`. */
const byLength = (tests: readonly TrueTest[]): TrueTest[] =>
  [...tests].sort((a, b) => words(b.name).length - words(a.name).length)

/** Rows of one name are numbered. */
const endsWith = (name: string, end: string): boolean =>
  [name, name.replace(/ \(\d+\)$/, '')].some((each) => words(each).endsWith(words(end)))

const words = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`

function counted(states: readonly State[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const state of states.toSorted()) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
