/** JSON Schema (2020-12) as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Where named schemas stand in the OpenAPI document. */
export const SCHEMAS = '#/components/schemas/'

/** A schema of the table in schemas.ts, by its name. */
export const ref = (name: string): JsonSchema => ({ $ref: SCHEMAS + name })

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

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
