import type { Scenario, Step } from './step.ts'
import { givenTo, innerSteps, kindOf } from './step-settings.ts'
import { namedIn } from './template.ts'

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

/** Captures that a step uses before any step has captured them. */
export function captureFaults(scenario: Scenario): string[] {
  const captured = new Set<string>()
  const all = new Set(inOrder(scenario).flatMap(({ capture = {} }) => Object.keys(capture)))
  return inOrder(scenario).flatMap((step) => {
    const settings = kindOf(step).steps ? null : givenTo(step)
    const used = new Set(namedIn([settings, step.if, step.expect], 'capture'))
    const faults = [...used]
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

/** Whether a template finds it: a whole name first, as names may hold dots; then the name before the first dot. */
export const isAmong = (names: ReadonlySet<string>, used: string): boolean =>
  names.has(used) || names.has(used.split('.')[0] ?? '')
