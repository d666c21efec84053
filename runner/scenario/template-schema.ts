import type { SchemaObject } from 'ajv'

/** Text with a template in it can become any value. */
const TEMPLATE = { type: 'string', pattern: '\\{\\{[^{}]+\\}\\}' }

/** The same schema, in which text with a template stands for any value but the settings as a whole. */
export function withTemplates(schema: SchemaObject): SchemaObject {
  const { properties, additionalProperties, items, $ref } = schema
  if ($ref) return schema
  return {
    ...schema,
    ...(properties ? { properties: mapped(properties) } : {}),
    ...(isSchema(additionalProperties)
      ? { additionalProperties: orTemplate(additionalProperties) }
      : {}),
    ...(isSchema(items) ? { items: orTemplate(items) } : {}),
  }
}

/** A value, or text with a template in it. */
export function orTemplate(schema: SchemaObject): SchemaObject {
  const { description: _, ...rules } = schema
  const isOpen = Object.keys(rules).every(
    (keyword) => keyword === 'type' && schema.type === 'string',
  )
  return isOpen || schema.$ref ? schema : { anyOf: [withTemplates(schema), TEMPLATE] }
}

const isSchema = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null

const mapped = (properties: Record<string, SchemaObject>) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, orTemplate(each)]))
