import { type JsonSchema, SCHEMAS } from './json-schema.ts'
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

const mapValues = <From, To>(from: Record<string, From>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]))

function operation({ parameters, requestBody, responses, ...rest }: Operation): Json {
  const types = new Set(
    Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {})),
  )
  return {
    ...rest,
    ...consumes(requestBody),
    ...(types.size > 1 ? { produces: [...types] } : {}),
    parameters: [
      ...parameters.map(({ schema, example, ...parameter }) => ({
        ...parameter,
        ...downgraded(schema as JsonSchema),
        ...(example === undefined ? {} : { 'x-example': example }),
      })),
      ...(requestBody ? [bodyParameter(requestBody.content)] : []),
    ],
    responses: mapValues(responses, ({ description, headers, content }) => ({
      description,
      ...(headers ? { headers: mapValues(headers as Record<string, Json>, header) } : {}),
      ...(content ? { schema: schemaOf(content) } : {}),
    })),
  }
}

/** Where it is more than JSON. */
const consumes = (body: Operation['requestBody']): Json => {
  const types = Object.keys(body?.content ?? {})
  return types.length > 1 ? { consumes: types } : {}
}

/** Of alternatives the schema shows the first, and the text lists the others. */
function bodyParameter(content: Content): Json {
  const { schema = {}, example } = content['application/json'] ?? {}
  const [first = schema] = (schema.oneOf as JsonSchema[] | undefined) ?? []
  return {
    in: 'body',
    name: 'body',
    required: true,
    ...(schema.description ? { description: schema.description } : {}),
    // What stands beside a reference does not count.
    schema: { allOf: [downgraded(first)], example },
  }
}

const header = ({ description }: Json): Json => ({ description, type: 'string' })

/** Of several media types the first counts. */
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
  return result
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
