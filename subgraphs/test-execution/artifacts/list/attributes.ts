import { badInput } from '../../../../formats/errors.ts'
import type { ArtifactKind, AttributeSchema } from '../artifact.kind.ts'

/** An attribute that lists can be filtered and sorted by. */
export type Attribute =
  | { column: ColumnName; type: 'text' | 'number' | 'time'; nullable: boolean }
  | { column: null; name: string; schema: AttributeSchema }

export type ColumnName = keyof typeof COLUMNS

/** The attributes that every artifact has: columns of the table. */
const COLUMNS = {
  id: { type: 'text', nullable: false },
  name: { type: 'text', nullable: false },
  description: { type: 'text', nullable: true },
  revision: { type: 'number', nullable: false },
  created: { type: 'time', nullable: false },
  updated: { type: 'time', nullable: false },
} as const

/**
 * @param at names the attribute in the message
 * @throws AppError BAD_USER_INPUT for an attribute that the kind does not have
 */
export function attributeOf(kind: ArtifactKind, name: string, at: string): Attribute {
  if (Object.hasOwn(COLUMNS, name)) {
    const column = name as ColumnName
    return { column, ...COLUMNS[column] }
  }
  const schema = Object.hasOwn(kind.properties, name) ? kind.properties[name] : undefined
  if (!schema) throw unknownAttribute(at)
  return { column: null, name, schema }
}

export const unknownAttribute = (at: string) => badInput(`${at}: no such attribute`)

/** Schema of a value's property `name`; null when it can hold nothing there. */
export function propertyOf(schema: AttributeSchema, name: string): AttributeSchema | null {
  const { properties, additionalProperties = !properties } = elementOf(schema)
  const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (property) return property.writeOnly ? null : property
  return additionalProperties === true ? {} : additionalProperties || null
}

/** Schema that a filter compares: that of the elements of a list, else of the value itself. */
export const elementOf = (schema: AttributeSchema): AttributeSchema => schema.items ?? schema

/** The JSON types that a schema allows; all of them where it does not say. */
export function typesOf(schema: AttributeSchema): readonly string[] {
  const { type = schema.enum ? 'string' : JSON_TYPES } = elementOf(schema)
  return typeof type === 'string' ? [type] : type
}

const JSON_TYPES = ['string', 'number', 'boolean', 'object'] as const
