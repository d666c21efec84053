import { type GraphQLLeafType, isEnumType } from 'graphql'
import { isNumberObject } from './own.ts'
import { invalid, type Shaper, type ValueName } from './value-faults.ts'

/** Passes a value that fits its type, and null in place of any other; any value fits a custom scalar. */
export function leafShaper(type: GraphQLLeafType, name: ValueName): Shaper {
  const fits = checkOf(type)
  return (value, shaping) => {
    if (value == null) return null
    return fits(value) ? value : invalid(shaping, name(shaping.path, type))
  }
}

function checkOf(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().map(({ name }) => name))
    return (value) => typeof value === 'string' && names.has(value)
  }
  return Object.hasOwn(LEAVES, type.name) ? (LEAVES[type.name] ?? (() => true)) : () => true
}

const INT = 2 ** 31

const LEAVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => Number.isInteger(value) && Number(value) >= -INT && Number(value) < INT,
  Float: (value) => typeof value === 'number' || isExact(value),
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string' || Number.isInteger(value) || isExactWhole(value),
}

const isExactWhole = (value: unknown): boolean => isExact(value) && /^-?\d+$/.test(String(value))

const isExact = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && isNumberObject(value)
