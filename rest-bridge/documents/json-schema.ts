/** JSON Schema (2020-12) as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Place of named schemas in the OpenAPI document. */
export const SCHEMAS = '#/components/schemas/'

/** A schema of the table in schemas.ts, by its name. */
export const ref = (name: string): JsonSchema => ({ $ref: SCHEMAS + name })

/** An object of whatever keys. Generators make an object without keys of one that does not say so. */
export const MAP: JsonSchema = { type: 'object', additionalProperties: true }

/** An object with these properties, all of which are there unless `required` names those that are. */
export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 && { required }), // Swagger 2.0 takes no empty list
  properties,
})

export const mapValues = <From, To>(
  from: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]))

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** An object that leaves out the properties that have null in the given one, also those of the objects that it has. */
export function withoutNulls(schema: JsonSchema): JsonSchema {
  const { required = [], properties = {}, ...rest } = schema as ObjectSchema
  const always = required.filter((name) => !isNullable(properties[name]))
  return { ...rest, ...object(mapValues(properties, withoutNull), always) }
}

interface ObjectSchema extends JsonSchema {
  required?: readonly string[]
  properties?: Readonly<Record<string, JsonSchema>>
}

const isNullable = ({ type }: JsonSchema = {}): boolean =>
  Array.isArray(type) && type.includes('null')

function withoutNull(schema: JsonSchema): JsonSchema {
  if (!isNullable(schema)) return schema
  const { description } = schema
  const [type] = [schema.type].flat()
  const own = {
    ...schema,
    type,
    ...(typeof description === 'string' && {
      description: description.replace('; null where', '; absent where'),
    }),
  }
  return 'properties' in own ? withoutNulls(own) : own
}

/** The schema, and null besides. */
export const nullable = (schema: JsonSchema): JsonSchema => {
  const { type, enum: words } = schema
  if (type === undefined) return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(words) ? { enum: [...words, null] } : {}),
  }
}
