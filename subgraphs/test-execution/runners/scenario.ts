import { AppError } from '../../../schema/errors.ts'
import { parseYaml } from '../../../schema/yaml.ts'
import { ASSERTS, type Assert } from './expectations/asserts.ts'
import { compilePath, type Expectation } from './expectations/expectation.ts'
import { withinTime } from './expectations/within-time.ts'
import { isDeeperThan } from './nesting.ts'
import { expectationFault, scenarioFault } from './scenario-schema.ts'
import type { Scenario, Step } from './step.ts'
import { kindNameOf, kindOf } from './step-settings.ts'
import { hopelessTemplates } from './template.ts'

export type { Scenario } from './step.ts'

/**
 * A scenario as a client gives it: JSON, or a text that is YAML. Anything else is for validation to refuse.
 * @throws AppError BAD_USER_INPUT that names the line
 */
export const readScenario = async (given: unknown): Promise<unknown> =>
  typeof given === 'string' ? parseYaml(given, 'scenario') : given

/**
 * A scenario out of what a client sent.
 * @throws AppError BAD_USER_INPUT that names the path and what was expected there
 */
export function validateScenario(value: unknown): Scenario {
  if (isDeeperThan(value)) throw refused(' is nested too deeply')
  const fault = scenarioFault(value)
  if (fault !== null) throw refused(fault)
  const scenario = value as Scenario // the schema says so
  checkIds(scenario)
  for (const [at, step] of allSteps(scenario)) checkStep(at, step)
  const [template] = hopelessTemplates({ ...scenario, dataset: null })
  if (template !== undefined)
    throw refused(` holds ${template}: expected row, capture, env or var before the first dot`)
  return scenario
}

/**
 * One expectation out of what a client sent; templates in it stand for themselves.
 * @throws AppError BAD_USER_INPUT
 */
export function validateExpectation(value: unknown): Expectation {
  if (isDeeperThan(value)) throw new AppError('BAD_USER_INPUT', 'expectation is nested too deeply')
  const fault = expectationFault(value as Expectation) // its schema is the first that it looks at
  if (fault !== null) throw new AppError('BAD_USER_INPUT', `expectation${fault}`)
  const expectation = value as Expectation // the schema says so
  checkPath('expectation/path', expectation.path ?? '$')
  return expectation
}

/** Ids of what a scenario names in the repository, each once, besides the component that it tests. */
export function referencesOf(scenario: Scenario): { components: string[]; scenarios: string[] } {
  const named = allSteps(scenario).map(([, step]) => {
    const settings = step[kindNameOf(step)] as never // its schema was checked
    return kindOf(step).references?.(settings) ?? {}
  })
  const stubbed = (scenario.stubs ?? []).map(({ component }) => component)
  const present = (ids: (string | undefined)[]) => [
    ...new Set(ids.filter((id) => id !== undefined)),
  ]
  return {
    components: present([...named.map(({ component }) => component), ...stubbed]),
    scenarios: present(named.map((each) => each.scenario)),
  }
}

/** Steps of all lists with their JSON pointers, those inside of others too. */
function allSteps({ setup = [], steps, teardown = [] }: Scenario): [string, Step][] {
  const lists = Object.entries({ setup, steps, teardown })
  return lists.flatMap(([name, list]) =>
    list.flatMap((step, i) => withInner(`/${name}/${i}`, step)),
  )
}

function withInner(at: string, step: Step): [string, Step][] {
  const name = kindNameOf(step)
  const inner = kindOf(step).steps?.(step[name] as never) ?? [] // its schema was checked
  const below = inner.flatMap((each, i) => withInner(`${at}/${name}/steps/${i}`, each))
  return [[at, step], ...below]
}

/** Ids are unique in the whole scenario, so that a message can name a step by its id alone. */
function checkIds(scenario: Scenario): void {
  const ids = new Set<string>()
  for (const [at, { id }] of allSteps(scenario)) {
    if (ids.has(id)) throw refused(`${at}/id repeats the id ${id}`)
    ids.add(id)
  }
}

function checkStep(place: string, { expect = [], capture = {}, if: condition }: Step): void {
  const at = `scenario${place}`
  for (const [i, expectation] of expect.entries())
    checkExpectation(`${at}/expect/${i}`, expectation)
  if (typeof condition === 'object') checkExpectation(`${at}/if`, condition)
  for (const [name, path] of Object.entries(capture)) checkPath(`${at}/capture/${name}`, path)
}

function checkExpectation(at: string, { path = '$', assert, value }: Expectation): void {
  checkPath(`${at}/path`, path)
  const { fault }: Assert = ASSERTS[assert]
  const wrong = typeof value === 'string' ? null : withinTime(() => fault?.(value) ?? null)
  if (wrong) throw new AppError('BAD_USER_INPUT', `${at}/value is no good: ${wrong}`)
}

function checkPath(at: string, path: string): void {
  try {
    compilePath(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable'
    throw new AppError('BAD_USER_INPUT', `${at} is no JSONPath: ${reason}`)
  }
}

const refused = (fault: string) => new AppError('BAD_USER_INPUT', `scenario${fault}`)
