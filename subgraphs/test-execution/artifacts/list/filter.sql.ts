import { type RawBuilder, sql } from 'kysely'
import type { AttributeSchema } from '../artifact.kind.ts'
import type { Attribute } from './attributes.ts'
import type { Condition, Member, Scalar, Test } from './filter.ts'

type Bool = RawBuilder<boolean>

/** The SQL of one condition. Whatever a client gave is a bound parameter. */
export const conditionSql = ({ attribute, test }: Condition): Bool =>
  attribute.column === null
    ? fieldSql(attribute.name, attribute.schema, test)
    : columnSql(attribute, test)

function columnSql(attribute: Attribute & { column: string }, test: Test): Bool {
  const column = sql.ref(attribute.column)
  // Readers see an absent text as an empty one.
  const orAbsent = (matchesEmpty: boolean, holds: Bool): Bool =>
    matchesEmpty ? sql`(${holds} or ${column} is null)` : holds
  switch (test.is) {
    case 'absent':
      return sql`${column} is null`
    case 'equal':
      return orAbsent(
        attribute.nullable && test.values.includes(''),
        sql`${column} = any(${test.values}::${sql.raw(ARRAY_TYPES[attribute.type])})`,
      )
    case 'like':
      return attribute.type === 'time'
        ? sql`to_char(${column} at time zone 'UTC', ${ISO_8601}) like ${test.pattern}`
        : orAbsent(
            attribute.nullable && /^%+$/.test(test.pattern),
            sql`${column} like ${test.pattern}`,
          )
    case 'any':
      return anyOf(test.of.map((each) => columnSql(attribute, each)))
    case 'object':
      return NEVER
  }
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
const ARRAY_TYPES = { text: 'text[]', number: 'numeric[]', time: 'timestamptz[]' } as const

/** An attribute in `fields`. Exact values are found by the index on `fields`. */
function fieldSql(name: string, { type }: AttributeSchema, test: Test): Bool {
  if (test.is === 'any') return anyOf(test.of.map((each) => fieldSql(name, { type }, each)))
  if (test.is !== 'equal') return memberSql(sql.ref('fields'), { name, test })
  return anyOf(
    test.values.map((value) => {
      const held = JSON.stringify({ [name]: type === 'array' ? [value] : value })
      return sql<boolean>`fields @> ${held}::jsonb`
    }),
  )
}

/** `holder` is an SQL expression of type jsonb. */
function memberSql(holder: RawBuilder<unknown>, { name, test }: Member, depth = 0): Bool {
  if (test.is === 'any')
    return anyOf(test.of.map((each) => memberSql(holder, { name, test: each }, depth)))
  // In the lax mode of JSON paths a value that is no list is its own only element, and nothing has no element.
  const path = `$.${JSON.stringify(name)}[*]`
  const element = sql.ref(`element_${depth}`)
  const exists = (holds: Bool): Bool =>
    sql`exists (select from jsonb_path_query(${holder}, ${path}::jsonpath) as ${element} where ${holds})`
  if (test.is === 'absent') return sql`not ${exists(sql`${element} <> 'null'`)}`
  return exists(elementSql(element, test, depth + 1))
}

function elementSql(
  element: RawBuilder<unknown>,
  test: Exclude<Test, { is: 'any' | 'absent' }>,
  depth: number,
): Bool {
  switch (test.is) {
    case 'equal':
      return sql`${element} = any(${test.values.map(json)}::jsonb[])`
    case 'like':
      return sql`(jsonb_typeof(${element}) = 'string' and ${element} #>> '{}' like ${test.pattern})`
    case 'object':
      return sql`(${sql.join(
        [
          sql`jsonb_typeof(${element}) = 'object'`,
          ...test.members.map((member) => memberSql(element, member, depth)),
        ],
        sql` and `,
      )})`
  }
}

const json = (value: Scalar): string => JSON.stringify(value)

const NEVER: Bool = sql`false`

const anyOf = (conditions: readonly Bool[]): Bool =>
  conditions.length === 0 ? NEVER : sql`(${sql.join(conditions, sql` or `)})`
