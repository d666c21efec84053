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
    paths: Object.assign(
      {},
      ...Object.entries(paths).map(([path, methods]) => pathsOf(path, methods)),
    ),
    definitions: mapValues(components.schemas, downgraded),
  }
}

/**
 * A body is of one type here. Where the other alternative is a list, it stands at the address with a slash at the end,
 * which is served in the same way.
 */
function pathsOf(path: string, methods: Record<string, Operation>): Json {
  const lists = Object.entries(methods).flatMap(([method, each]) => {
    const list = listBodyOf(each)
    return list ? [[method, operation(list)]] : []
  })
  return {
    [path]: mapValues(methods, operation),
    ...(lists.length > 0 ? { [`${path}/`]: Object.fromEntries(lists) } : {}),
  }
}

function listBodyOf(operation: Operation): Operation | undefined {
  const { schema, example } = operation.requestBody?.content['application/json'] ?? {}
  const list = (schema?.oneOf as JsonSchema[] | undefined)?.find(({ type }) => type === 'array')
  if (!list) return undefined
  return {
    ...operation,
    summary: `${operation.summary}: a list`,
    operationId: `${operation.operationId}List`,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: list, example: [example] } },
    },
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
    ...(example === undefined ? { 'x-examples': [sample] } : { 'x-example': example }),
  }
}

/** Where it is more than JSON. */
const consumes = (body: Operation['requestBody']): Json => {
  const types = Object.keys(body?.content ?? {})
  return types.length > 1 ? { consumes: types } : {}
}

/** Of alternatives the schema shows the first. */
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
  // Without a type it may be more than an object.
  if (!('type' in result)) delete result.additionalProperties
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
