import { badInput } from '../../../../formats/errors.ts'
import { checkText } from '../../../../platform/database/database-text.ts'
import type { ArtifactKind, AttributeSchema } from '../artifact.kind.ts'
import {
  type Attribute,
  attributeOf,
  elementOf,
  propertyOf,
  typesOf,
  unknownAttribute,
} from './attributes.ts'
import { instantOf } from './instant.ts'
import { readWildcards } from './wildcard.ts'

export type Scalar = string | number | boolean

/** Test of a value; one element of a list must pass it. */
export type Test =
  | { is: 'absent' }
  | { is: 'equal'; values: readonly Scalar[] }
  /** `pattern` is one of SQL's `like`. */
  | { is: 'like'; pattern: string }
  /** An object, all of whose named values are like that. */
  | { is: 'object'; members: readonly Member[] }
  | { is: 'any'; of: readonly Test[] }

export interface Member {
  name: string
  test: Test
}

/** One condition of a filter on one attribute. */
export interface Condition {
  attribute: Attribute
  test: Test
}

/** Bounds the work that one filter can ask for. */
export const MAX_FILTER_VALUES = 1_000
const MAX_DEPTH = 16

/**
 * Reads a filter: attribute name → value. A text may hold wildcards, a list means any of, an object goes into the
 * attribute, null means absent.
 * @throws AppError BAD_USER_INPUT that names the attribute that is unknown or has a value of a wrong type
 */
export function readFilter(
  kind: ArtifactKind,
  filter: Readonly<Record<string, unknown>>,
): Condition[] {
  const budget = { values: MAX_FILTER_VALUES }
  return Object.entries(filter).map(([name, value]) => {
    const at = `filter.${name}`
    const attribute = attributeOf(kind, name, at)
    const schema = attribute.column === null ? attribute.schema : COLUMN_SCHEMAS[attribute.type]
    return { attribute, test: readTest(schema, value, { at, depth: 0, budget }) }
  })
}

const COLUMN_SCHEMAS: Readonly<Record<'text' | 'number' | 'time', AttributeSchema>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  time: { type: 'string', format: 'date-time' },
}

interface Budget {
  values: number
}

/** Position of a value, and its depth below the filter. */
interface Position {
  at: string
  depth: number
  budget: Budget
}

const below = ({ depth, budget }: Position, at: string): Position => ({
  at,
  depth: depth + 1,
  budget,
})

function readTest(schema: AttributeSchema, value: unknown, position: Position): Test {
  const { at, depth, budget } = position
  budget.values -= 1
  if (budget.values < 0)
    throw badInput(`filter: expected at most ${MAX_FILTER_VALUES} values in all`)
  if (depth > MAX_DEPTH) throw badInput(`${at}: expected at most ${MAX_DEPTH} levels`)
  if (value === null || value === undefined) return { is: 'absent' }
  if (Array.isArray(value)) return readAnyOf(schema, value, position)
  if (typeof value === 'object') return readObject(schema, value, position)
  return readScalar(schema, value as Scalar, at)
}

function readAnyOf(schema: AttributeSchema, values: unknown[], position: Position): Test {
  const { at } = position
  const tests = values.map((value, index) => {
    if (Array.isArray(value)) throw badInput(`${at}.${index}: expected no list within a list`)
    return readTest(schema, value, below(position, `${at}.${index}`))
  })
  const equal = tests.flatMap((test) => (test.is === 'equal' ? test.values : []))
  const others = tests.filter(({ is }) => is !== 'equal')
  if (others.length === 0) return { is: 'equal', values: equal }
  return {
    is: 'any',
    of: [...(equal.length > 0 ? [{ is: 'equal', values: equal } as const] : []), ...others],
  }
}

function readObject(schema: AttributeSchema, value: object, position: Position): Test {
  const { at } = position
  if (!typesOf(schema).includes('object')) throw wrongType(schema, at)
  const members = Object.entries(value).map(([name, held]): Member => {
    const path = `${at}.${name}`
    checkText(at, name)
    const property = propertyOf(schema, name)
    if (!property) throw unknownAttribute(path)
    return { name, test: readTest(property, held, below(position, path)) }
  })
  return { is: 'object', members }
}

function readScalar(schema: AttributeSchema, value: Scalar, at: string): Test {
  const types = typesOf(schema)
  const type = typeof value
  if (!types.includes(type) && !(type === 'number' && types.includes('integer')))
    throw wrongType(schema, at)
  if (typeof value !== 'string') return { is: 'equal', values: [value] }
  checkText(at, value)
  const text = readWildcards(value)
  const isTime = elementOf(schema).format === 'date-time'
  if ('pattern' in text)
    return { is: 'like', pattern: isTime ? text.pattern.replace(/\+00:?00$/, 'Z') : text.pattern }
  return { is: 'equal', values: [isTime ? instantOf(text.exact, at) : text.exact] }
}

const wrongType = (schema: AttributeSchema, at: string) =>
  badInput(`${at}: expected ${typesOf(schema).join(' or ')}`)
