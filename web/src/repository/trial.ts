/** A step as far as trying it looks at it. */
export interface Step {
  id: string
  name?: string
  expect?: Expectation[]
}

export interface Expectation {
  name?: string
  path?: string
  assert: string
  value?: unknown
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LISTS = ['setup', 'steps', 'teardown'] as const

/** A list of steps of a scenario that may have faults. */
const listOf = (scenario: Fields, list: (typeof LISTS)[number]): Fields[] =>
  [scenario[list] ?? []].flat().filter(isFields)

/** All steps of a scenario, as they run. */
const inOrder = (scenario: unknown): Fields[] =>
  isFields(scenario) ? LISTS.flatMap((list) => listOf(scenario, list)) : []

/** The steps that can be tried alone. */
export const stepsOf = (scenario: unknown): Step[] =>
  inOrder(scenario)
    .filter(({ id }) => typeof id === 'string')
    .map(({ id, name, expect }) => ({
      id: String(id),
      ...(typeof name === 'string' && { name }),
      expect: [expect ?? []].flat().filter(isExpectation),
    }))

const isExpectation = (value: unknown): value is Expectation =>
  isFields(value) && typeof value.assert === 'string'

/** Name under which the result of the tried step is captured. */
export const RESULT = 'result'

/** Kinds of steps that have a result. */
const WITH_RESULT = ['call', 'http', 'graphql', 'command', 'scenario']

/** Time limit of a try. */
const TRY_MS = 60_000

/**
 * A scenario that runs one step of another and captures its whole result. What the step expects is left to be judged
 * later, over the result.
 * @param isAlone whether the steps before it, whose captures it may use, are left out
 * @returns null where there is no such step
 */
export function reducedTo(scenario: unknown, id: string, isAlone: boolean): Fields | null {
  if (!isFields(scenario)) return null
  const steps = inOrder(scenario)
  const index = steps.findIndex((step) => step.id === id)
  const found = steps[index]
  if (!found) return null
  const hasResult = WITH_RESULT.some((kind) => kind in found)
  const tried = {
    ...without(found, 'expect', 'negative', 'capture'),
    ...(hasResult && { capture: { [RESULT]: '$' } }),
  }
  const { dataset, teardown } = scenario
  const rows = isFields(dataset) && Array.isArray(dataset.rows) ? dataset.rows.slice(0, 1) : []
  const cleansUp = teardown && !isAlone && !listOf(scenario, 'teardown').includes(found)
  return {
    ...without(scenario, 'setup', 'teardown', 'dataset'),
    timeoutMs: TRY_MS,
    ...(rows.length > 0 && { dataset: { rows } }),
    steps: [...(isAlone ? [] : steps.slice(0, index)), tried],
    ...(cleansUp ? { teardown } : {}),
  }
}

const without = (fields: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** True if a step uses captures of others. */
export const usesCaptures = (scenario: unknown, id: string): boolean =>
  JSON.stringify(inOrder(scenario).find((step) => step.id === id) ?? {}).includes('{{capture.')

/** Reason why an expectation cannot be judged over a result alone; null if it can. */
export function whyNotJudged({ assert, value }: Expectation): string | null {
  if (assert === 'durationMs') return 'judged only in a run'
  return JSON.stringify(value ?? null).includes('{{')
    ? 'has a template: judged only in a run'
    : null
}
