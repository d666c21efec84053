import type { Scenario, Step } from './step.ts'
import { givenTo, innerSteps, kindOf } from './step-settings.ts'
import { namedIn, type Scope } from './template.ts'

/** A call of a component: the function, and which step it stands in. */
export interface NamedCall {
  step: string
  /** Id; null for the component under test. */
  component: string | null
  function: string
}

/** Steps in the order in which they begin, those inside of others too. */
const inOrder = ({ setup = [], steps, teardown = [] }: Scenario): Step[] =>
  [...setup, ...steps, ...teardown].flatMap(withInner)

const withInner = (step: Step): Step[] => [step, ...innerSteps(step).flatMap(withInner)]

/** The functions that must be there: not those of steps that expect to fail, and none that a stub may answer. */
export function callsOf(scenario: Scenario): NamedCall[] {
  const stubbed = new Set((scenario.stubs ?? []).map((stub) => stub.function))
  return inOrder(scenario).flatMap((step) => {
    const { component = null, function: name } = (step.call ?? {}) as Partial<NamedCall>
    const isSure = name !== undefined && !step.negative && !stubbed.has(name)
    return isSure ? [{ step: step.id, component, function: name }] : []
  })
}

/** Names after `env.` that templates use, each with the path behind further dots. */
export const environmentNames = (scenario: Scenario): string[] => [
  ...new Set(namedIn(scenario, 'env')),
]

/** Variables can use `env` and `setup`: they are filled in once, before all rows and steps, and not from each other. */
export const variableFaults = ({ variables }: Scenario): string[] =>
  (['var', 'row', 'capture'] as const).flatMap((root) =>
    [...new Set(namedIn(variables, root))].map(
      (name) =>
        `variables: they use {{${root}.${name}}}, and only env and setup can be used in variables`,
    ),
  )

/** Captures that a step uses before any step has captured them. */
export function captureFaults(scenario: Scenario): string[] {
  const captured = new Set<string>()
  const all = new Set(inOrder(scenario).flatMap(({ capture = {} }) => Object.keys(capture)))
  return inOrder(scenario).flatMap((step) => {
    const faults = usedBy(step, 'capture')
      .filter((name) => !isAmong(captured, name))
      .map((name) =>
        isAmong(all, name)
          ? `the step ${step.id} uses {{capture.${name}}}, which only a later step captures`
          : `the step ${step.id} uses {{capture.${name}}}, which no step captures`,
      )
    for (const name of Object.keys(step.capture ?? {})) captured.add(name)
    return faults
  })
}

/** Columns that a step uses and that no row has. A row that lacks what others have is for the run to report. */
export function rowFaults({ dataset, setup = [], steps, teardown = [] }: Scenario): string[] {
  const columns = new Set(dataset?.rows.flatMap((row) => Object.keys(row)))
  const missing = dataset ? 'which no row of the dataset has' : 'and there is no dataset'
  return [
    ...faultsOfRows(setup, NO_COLUMNS, ONCE),
    ...faultsOfRows(steps, columns, missing),
    ...faultsOfRows(teardown, NO_COLUMNS, ONCE),
  ]
}

const NO_COLUMNS: ReadonlySet<string> = new Set()
const ONCE = 'but setup and teardown run once, outside of the rows'

const faultsOfRows = (steps: readonly Step[], columns: ReadonlySet<string>, why: string) =>
  steps.flatMap(withInner).flatMap((step) =>
    usedBy(step, 'row')
      .filter((name) => !isAmong(columns, name))
      .map((name) => `the step ${step.id} uses {{row.${name}}}, ${why}`),
  )

/** Names after a root that a step itself uses, not those of steps inside of it. */
function usedBy(step: Step, root: keyof Scope): string[] {
  const settings = kindOf(step).steps ? null : givenTo(step)
  return [...new Set(namedIn([settings, step.if, step.expect], root))]
}

/** True if a template finds it: a whole name first, as names may hold dots; then the name before the first dot. */
export const isAmong = (names: ReadonlySet<string>, used: string): boolean =>
  names.has(used) || names.has(used.split('.')[0] ?? '')
