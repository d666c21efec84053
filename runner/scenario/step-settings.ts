import type { Expectation } from '../expectations/expectation.ts'
import type { RunContext } from '../run/context.ts'
import { RunError } from '../run/error.ts'
import type { StepKind } from '../steps/step-kind.ts'
import { STEP_KIND_NAMES, STEP_KINDS } from '../steps/step-kinds.ts'
import { checkFilled } from './filled-settings.ts'
import { expectationFault, expectationFaults, settingsFaults } from './schema.ts'
import type { Step } from './step.ts'
import { fillIn } from './template.ts'

/** The key of a step that names its kind. */
export function kindNameOf(step: Step): string {
  const name = STEP_KIND_NAMES.find((each) => Object.hasOwn(step, each))
  if (!name) throw new TypeError(`Step ${step.id} has no kind`) // the schema asks for one
  return name
}

export function kindOf(step: Step): StepKind {
  const kind = STEP_KINDS.get(kindNameOf(step))
  if (!kind) throw new TypeError(`Step ${step.id} has no kind`) // as above
  return kind
}

/** Settings that a step gives its kind, with its templates. */
export const givenTo = (step: Step) => step[kindNameOf(step)] as never // its schema was checked

/** The steps that stand in a step. */
export const innerSteps = (step: Step): readonly Step[] => kindOf(step).steps?.(givenTo(step)) ?? []

/**
 * Settings that a step gives its kind, ready to run: templates filled in and, as they can hold anything, checked again.
 * @throws RunError UNKNOWN_NAME, INVALID_STEP
 */
export function settingsOf(step: Step, { scope }: RunContext): unknown {
  const name = kindNameOf(step)
  // Nested steps see all values captured before they run.
  if (kindOf(step).steps) return step[name]
  const filled = fillIn(step[name], scope)
  const { value, fault } = checkFilled(filled, step[name], (each) => settingsFaults(name, each))
  if (fault === null) return value
  throw new RunError('INVALID_STEP', `Step ${step.id} is not valid: ${name}${fault}`)
}

/** The same for an expectation. @param given with its templates @throws RunError INVALID_STEP */
export function checkedExpectation(filled: Expectation, given: unknown): Expectation {
  const { actual: _, ...expectation } = { actual: null, ...filled }
  const { value, fault: formFault } = checkFilled(expectation, given, expectationFaults)
  const fault = formFault ?? expectationFault(value)
  if (fault === null) return value
  throw new RunError('INVALID_STEP', `The expectation is not valid: it${fault}`)
}
