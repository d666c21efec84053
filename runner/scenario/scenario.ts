import { badInput } from '../../formats/errors.ts'
import { isTooDeep } from '../../formats/json/values.ts'
import { ASSERTS, type Assert } from '../expectations/asserts.ts'
import { compilePath, type Expectation } from '../expectations/expectation.ts'
import { compileJsonSchema } from '../expectations/json-schema.ts'
import type { RunnerName } from '../run/environment.ts'
import { expectationFault, MAX_FAULTS, schemaFaults } from './schema.ts'
import type { Scenario, Step } from './step.ts'
import { givenTo, innerSteps, kindNameOf, kindOf } from './step-settings.ts'
import { hopelessTemplates } from './template.ts'

export type { Scenario } from './step.ts'

/**
 * A scenario as a client gives it: JSON, or a text that is YAML. Anything else is for validation to refuse.
 * @throws AppError BAD_USER_INPUT that names the line
 */
export async function readScenario(given: unknown): Promise<unknown> {
  if (typeof given !== 'string') return given
  const { parseYaml } = await import('../../formats/yaml.ts')
  return parseYaml(given, 'scenario')
}

/**
 * Everything that is wrong with what a client sent as a scenario: its form, and once that is right, what it holds. It
 * may take for ever.
 */
export function scenarioFaults(value: unknown): string[] {
  if (isTooDeep(value)) return ['scenario is nested too deeply']
  const faults = schemaFaults(value)
  return (faults.length > 0 ? faults : contentFaults(value as Scenario)) // the schema says so
    .slice(0, MAX_FAULTS)
    .map((fault) => `scenario${fault}`)
}

/**
 * Warns of expectations that hold for every result, which was hardly meant: JSON Schemas with formats that are not known. It may take for ever.
 */
export const scenarioWarnings = (scenario: Scenario): string[] =>
  allSteps(scenario)
    .flatMap(([at, { expect = [] }]) =>
      expect.flatMap(({ assert, value }, i) =>
        assert === 'schema' && typeof value !== 'string'
          ? (compileJsonSchema(value).warnings ?? []).map(
              (warning) =>
                `scenario${at}/expect/${i}/value: ${warning}, so that any value meets it`,
            )
          : [],
      ),
    )
    .slice(0, MAX_FAULTS)

/**
 * One expectation out of what a client sent; templates in it stand for themselves.
 * @throws AppError BAD_USER_INPUT
 */
export function validateExpectation(value: unknown): Expectation {
  if (isTooDeep(value)) throw badInput('expectation is nested too deeply')
  const expectation = value as Expectation // its schema is the first that is looked at
  const fault = expectationFault(expectation) ?? pathFaults('/path', expectation.path ?? '$')[0]
  if (fault !== undefined) throw badInput(`expectation${fault}`)
  return expectation
}

/** Ids of what a scenario names in the repository, each once, besides the component that it tests. */
export function referencesOf(scenario: Scenario): { components: string[]; scenarios: string[] } {
  const named = allSteps(scenario).map(([, step]) => kindOf(step).references?.(givenTo(step)) ?? {})
  const stubbed = (scenario.stubs ?? []).map(({ component }) => component)
  const present = (ids: (string | undefined)[]) => [
    ...new Set(ids.filter((id) => id !== undefined)),
  ]
  return {
    components: present([...named.map(({ component }) => component), ...stubbed]),
    scenarios: present(named.map((each) => each.scenario)),
  }
}

/** Ids of the steps that call the component under test. */
export const callersOf = (scenario: Scenario): string[] =>
  allSteps(scenario)
    .filter(([, step]) => kindOf(step).needsComponent?.(givenTo(step)))
    .map(([, { id }]) => id)

/** The steps that a runner carries out, those inside of others too. */
export const stepsOf = (scenario: Scenario, runner: RunnerName): Step[] =>
  allSteps(scenario)
    .map(([, step]) => step)
    .filter((step) => kindOf(step).runner === runner)

/** Steps of all lists with their JSON pointers, those inside of others too. */
function allSteps({ setup = [], steps, teardown = [] }: Scenario): [string, Step][] {
  const lists = Object.entries({ setup, steps, teardown })
  return lists.flatMap(([name, list]) =>
    list.flatMap((step, i) => withInner(`/${name}/${i}`, step)),
  )
}

function withInner(at: string, step: Step): [string, Step][] {
  const below = innerSteps(step).flatMap((each, i) =>
    withInner(`${at}/${kindNameOf(step)}/steps/${i}`, each),
  )
  return [[at, step], ...below]
}

function contentFaults(scenario: Scenario): string[] {
  const steps = allSteps(scenario)
  const templates = hopelessTemplates({ ...scenario, dataset: null })
  return [
    ...repeatedIds(steps),
    ...steps.flatMap(([at, step]) => stepFaults(at, step)),
    ...[...new Set(templates)].map(
      (template) =>
        ` holds ${template}: expected row, capture, env, var or setup before the first dot`,
    ),
  ]
}

/** Ids are unique in the whole scenario, so that a message can name a step by its id alone. */
function repeatedIds(steps: [string, Step][]): string[] {
  const ids = new Set<string>()
  return steps.flatMap(([at, { id }]) => {
    if (ids.has(id)) return [`${at}/id repeats the id ${id}`]
    ids.add(id)
    return []
  })
}

const stepFaults = (at: string, { expect = [], capture = {}, if: condition }: Step): string[] => [
  ...expect.flatMap((expectation, i) => expectationFaults(`${at}/expect/${i}`, expectation)),
  ...(typeof condition === 'object' ? expectationFaults(`${at}/if`, condition) : []),
  ...Object.entries(capture).flatMap(([name, path]) => pathFaults(`${at}/capture/${name}`, path)),
]

function expectationFaults(at: string, { path = '$', assert, value }: Expectation): string[] {
  const { fault }: Assert = ASSERTS[assert]
  const wrong = typeof value === 'string' ? null : (fault?.(value) ?? null)
  return [...pathFaults(`${at}/path`, path), ...(wrong ? [`${at}/value is no good: ${wrong}`] : [])]
}

function pathFaults(at: string, path: string): string[] {
  try {
    compilePath(path)
    return []
  } catch (error) {
    return [`${at} is no JSONPath: ${error instanceof Error ? error.message : 'unreadable'}`]
  }
}
