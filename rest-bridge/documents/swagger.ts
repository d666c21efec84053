import type { Parameter } from './description.ts'
import { type JsonSchema, mapValues, SCHEMAS } from './json-schema.ts'
import {
  BASIC,
  type Content,
  DOCUMENTED_ROOT,
  type OpenApi,
  type Operation,
  TOKEN,
} from './openapi.ts'

type Json = Record<string, unknown>

/** An OpenAPI 3.1 document of ours as Swagger 2.0, which says less: it knows neither null nor alternatives. */
export function swagger({ info, paths, components, tags }: OpenApi): Json {
  return {
    swagger: '2.0',
    info,
    basePath: DOCUMENTED_ROOT,
    tags,
    consumes: ['application/json'],
    produces: ['application/json'],
    securityDefinitions: {
      [BASIC]: { type: 'basic' },
      [TOKEN]: { type: 'apiKey', in: 'header', name: 'token' },
    },
    security: [{}, { [BASIC]: [] }, { [TOKEN]: [] }],
    paths: mapValues(paths, (methods) => mapValues(methods, operation)),
    definitions: mapValues(components.schemas, downgraded),
  }
}

function operation({
  parameters,
  requestBody,
  responses,
  callbacks: _, // there are none in Swagger 2.0
  ...rest
}: Operation): Json {
  const types = new Set(
    Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {})),
  )
  return {
    ...rest,
    ...consumes(requestBody),
    ...(types.size > 1 ? { produces: [...types] } : {}),
    parameters: [
      ...parameters.map(parameter),
      ...(requestBody ? [bodyParameter(requestBody.content)] : []),
    ],
    responses: mapValues(responses, ({ description, headers, content }) => ({
      description,
      ...(headers ? { headers: mapValues(headers as Record<string, Json>, header) } : {}),
      ...(content ? { schema: schemaOf(content) } : {}),
    })),
  }
}

function parameter({ schema, example, ...rest }: Parameter): Json {
  const { example: sample, ...type } = downgraded(schema)
  return {
    ...rest,
    ...type,
    ...(type.type === 'array' ? { collectionFormat: 'multi' } : {}),
    // The explorer fills in an example, and a parameter that may be absent stays so.
    ...(example === undefined && !rest.required ? {} : { 'x-example': example ?? sample }),
  }
}

/** Names media types where JSON is not the only one. */
const consumes = (body: Operation['requestBody']): Json => {
  const types = Object.keys(body?.content ?? {})
  return types.length > 1 ? { consumes: types } : {}
}

/** A body is of one type here. Of alternatives that is the list, which holds one as well, else the first. */
function bodyParameter(content: Content): Json {
  const { schema = {}, example } = content['application/json'] ?? {}
  const alternatives = (schema.oneOf as JsonSchema[] | undefined) ?? []
  const list = alternatives.find(({ type }) => type === 'array')
  return {
    in: 'body',
    name: 'body',
    required: true,
    ...(schema.description ? { description: schema.description } : {}),
    schema: {
      // Words beside a reference do not count.
      allOf: [downgraded(list ?? alternatives[0] ?? schema)],
      example: list ? [example] : example,
    },
  }
}

const header = ({ description }: Json): Json => ({ description, type: 'string' })

/** The first of several media types counts. */
function schemaOf(content: Content): Json {
  const [first] = Object.values(content)
  return downgraded(first?.schema ?? {})
}

/** `type: [x, "null"]` becomes `x-nullable`, `examples` its first, and alternatives are dropped. */
function downgraded(schema: JsonSchema): Json {
  const result: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'anyOf' || key === 'oneOf')
      Object.assign(result, alternative(value as JsonSchema[]))
    else if (key === '$ref') result.$ref = String(value).replace(SCHEMAS, '#/definitions/')
    else if (key === 'type') Object.assign(result, typeOf(value))
    else if (key === 'enum') result.enum = (value as unknown[]).filter((word) => word !== null)
    else if (key === 'examples') result.example = (value as unknown[])[0]
    else if (key === 'properties')
      result.properties = mapValues(value as Record<string, JsonSchema>, downgraded)
    else if (key === 'items') result.items = downgraded(value as JsonSchema)
    else result[key] = value
  }
  // Without a type it may be more than an object.
  if (!('type' in result)) delete result.additionalProperties
  const { $ref, ...words } = result
  return $ref !== undefined && 'description' in words ? { allOf: [{ $ref }], ...words } : result
}

const typeOf = (type: unknown): Json => {
  if (!Array.isArray(type)) return { type }
  const [only, ...more] = type.filter((each) => each !== 'null')
  return {
    ...(more.length === 0 ? { type: only } : {}),
    ...(type.includes('null') ? { 'x-nullable': true } : {}),
  }
}

/** A schema or null is that schema; other alternatives may be anything. */
function alternative(schemas: readonly JsonSchema[]): Json {
  const [only, ...more] = schemas.filter(({ type }) => type !== 'null')
  return only && more.length === 0 ? { ...downgraded(only), 'x-nullable': true } : {}
}
