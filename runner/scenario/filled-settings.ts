import { mapJson } from '../../formats/json/values.ts'
import type { FormFault } from './schema.ts'
import { isTemplate } from './template.ts'

type Path = readonly string[]

/**
 * Settings with filled templates, checked again, as they can hold anything. Where text alone is taken, a number or boolean that a
 * template gave becomes its text.
 * @param given the same with its templates
 * @returns the first fault, or null
 */
export function checkFilled<Value>(
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
