import { mapJson } from '../../formats/json/values.ts'
import type { Expectation } from '../expectations/expectation.ts'
import type { RunContext } from '../run/context.ts'
import { RunError } from '../run/error.ts'
import type { StepKind } from '../steps/step-kind.ts'
import { STEP_KIND_NAMES, STEP_KINDS } from '../steps/step-kinds.ts'
import { expectationFault, expectationFaults, type FormFault, settingsFaults } from './schema.ts'
import type { Step } from './step.ts'
import { fillIn, isTemplate } from './template.ts'

type Path = readonly string[]

/**
 * Settings with filled templates, checked again, as they can hold anything. Where text alone is taken, a number or boolean that a
 * template gave becomes its text.
 * @param given the same with its templates
 * @returns the first fault, or null
 */
function checkFilled<Value>(
  filled: Value,
  given: unknown,
  faultsOf: (value: unknown) => FormFault[],
): { value: Value; fault: string | null } {
  const faults = faultsOf(filled)
  const scalars = faults.filter(
    ({ at, takesText }) =>
      takesText &&
      ['number', 'bigint', 'boolean'].includes(typeof valueAt(filled, at)) &&
      templateAt(given, at) !== null,
  )
  const value = withTexts(filled, scalars)
  const [fault] = scalars.length > 0 ? faultsOf(value) : faults
  const template = fault ? templateAt(given, fault.at) : null
  const source = template && fault ? `; ${template} gives ${typeOf(valueAt(value, fault.at))}` : ''
  return { value, fault: fault ? `${fault.message}${source}` : null }
}

/** The text that is nothing but a template, and gave what stands there. */
function templateAt(given: unknown, [key, ...rest]: Path): string | null {
  if (typeof given === 'string') return isTemplate(given) ? given : null
  return key === undefined ? null : templateAt(member(given, key), rest)
}

const valueAt = (value: unknown, at: Path): unknown => at.reduce(member, value)

/** A copy in which nothing is shared: a template may have given what was captured, which later steps read, too. */
function withTexts<Value>(value: Value, places: readonly FormFault[]): Value {
  if (places.length === 0) return value
  const copy = mapJson(value, (part) => part) as Value // of the same form
  for (const { at } of places) {
    const holder = valueAt(copy, at.slice(0, -1))
    const key = at.at(-1)
    if (typeof holder === 'object' && holder !== null && key !== undefined)
      Reflect.set(holder, key, String(valueAt(value, at)))
  }
  return copy
}

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? value[key as keyof typeof value]
    : undefined

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return (
    { object: 'an object', string: 'text', bigint: 'a number' }[typeof value as string] ??
    `a ${typeof value}`
  )
}

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
