import { AppError } from '../../../../formats/errors.ts'
import type { Suite } from '../../artifacts/suite/suite.type.ts'
import type { TestCase } from '../../artifacts/testcase/testcase.type.ts'

/** Runs of one suite, in all of its environments. */
const MAX_RUNS = 10_000

/** One run of a scenario: alone, or in a suite. */
export interface PlannedRun {
  testCase: TestCase
  /** Runs it there instead of where it belongs. */
  environmentId: string | null
  /** True if results name the environment, as others of the suite run in another one. */
  isOneOfSeveral: boolean
  /** Positions in the suite of what must be COMPLETED first. */
  needs: readonly number[]
  /** Position of the setup that it reads the captures of. */
  setupAt: number | null
  role: 'SETUP' | 'SCENARIO' | 'TEARDOWN'
}

/** Choice of scenarios of a suite: those with one of `tags`, where any are given, and none of `skipTags`. */
export interface TagChoice {
  tags?: readonly string[] | null
  skipTags?: readonly string[] | null
}

export interface ScenarioChoice extends TagChoice {
  /** Returns true if a scenario runs in one of several environments of the suite, or null for the only one. */
  holds?: ((testCase: TestCase, environmentId: string | null) => boolean) | null
}

/** The scenarios of a suite, loaded. */
export interface SuiteScenarios {
  testCases: readonly TestCase[]
  setup: TestCase | null
  teardown: TestCase | null
}

export const runAlone = (testCase: TestCase): PlannedRun => ({
  testCase,
  environmentId: null,
  isOneOfSeveral: false,
  needs: [],
  setupAt: null,
  role: 'SCENARIO',
})

/**
 * All runs of a suite in the order of their positions: for each environment its setup and scenarios, then the teardowns.
 * @param environmentId replaces the environments of the suite
 * @throws AppError CONFLICT: none is left, there are too many, or scenarios need each other in a circle
 */
export function runsOfSuite(
  { id, environments }: Suite,
  scenarios: SuiteScenarios,
  choice: ScenarioChoice,
  environmentId: string | null,
): PlannedRun[] {
  const testCases = scenarios.testCases.filter(chosenBy(choice))
  if (testCases.length === 0)
    throw new AppError('CONFLICT', `No testcase of the suite ${id} has the tags that are asked for`)
  refuseCircle(testCases)
  const places = environmentId === null && environments.length > 0 ? environments : [environmentId]
  if (testCases.length * places.length > MAX_RUNS)
    throw new AppError(
      'CONFLICT',
      `The suite ${id} comes to more than ${MAX_RUNS} runs: take environments or testcases out of it`,
    )
  const isOneOfSeveral = places.length > 1
  const runs: PlannedRun[] = []
  const teardowns: PlannedRun[] = []
  for (const place of places) {
    const chosen = testCases.filter((testCase) => choice.holds?.(testCase, place) ?? true)
    if (chosen.length === 0) continue
    const own = { environmentId: place, isOneOfSeveral }
    const setupAt = scenarios.setup ? runs.length : null
    if (scenarios.setup) runs.push({ ...runAlone(scenarios.setup), ...own, role: 'SETUP' })
    const first = runs.length
    const positions = new Map(chosen.map((testCase, at) => [testCase.id, first + at]))
    for (const testCase of chosen) {
      const needs = [setupAt, ...testCase.needs.map((need) => positions.get(need))]
      const known = needs.filter((position) => typeof position === 'number')
      runs.push({ ...runAlone(testCase), ...own, setupAt, needs: known })
    }
    if (scenarios.teardown)
      teardowns.push({ ...runAlone(scenarios.teardown), ...own, setupAt, role: 'TEARDOWN' })
  }
  if (runs.length === 0)
    throw new AppError('CONFLICT', `No testcase of the suite ${id} is left to execute again`)
  return [...runs, ...teardowns]
}

const chosenBy =
  ({ tags, skipTags }: TagChoice) =>
  (testCase: TestCase): boolean => {
    const hasOne = (wanted: readonly string[]) => testCase.tags.some((tag) => wanted.includes(tag))
    return (!tags || tags.length === 0 || hasOne(tags)) && !hasOne(skipTags ?? [])
  }

/** Two concurrent changes of scenarios can have closed one. @throws AppError CONFLICT */
function refuseCircle(testCases: readonly TestCase[]): void {
  const byId = new Map(testCases.map((testCase) => [testCase.id, testCase]))
  const done = new Set<string>()
  const visit = ({ id, needs }: TestCase, around: readonly string[]) => {
    if (done.has(id)) return
    const path = [...around, id]
    if (around.includes(id))
      throw new AppError('CONFLICT', `Scenarios need each other in a circle: ${path.join(' → ')}`)
    for (const need of needs) {
      const needed = byId.get(need)
      if (needed) visit(needed, path)
    }
    done.add(id)
  }
  for (const testCase of testCases) visit(testCase, [])
}
