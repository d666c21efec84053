import type { GraphQLSchema } from 'graphql'
import { type ErrorCode, reasonOf, statusOf } from '../../formats/errors.ts'
import type { Route } from '../route.ts'
import { type Answer, AREAS, type Parameter } from './description.ts'
import { type JsonSchema, mapValues, ref } from './json-schema.ts'
import { schemas } from './schemas.ts'

/** Root of the paths in the generated documents; a running product puts its own root there. */
export const DOCUMENTED_ROOT = '/api'

export const BASIC = 'basic'
export const TOKEN = 'token'

type Json = Record<string, unknown>

/** An operation of the document. */
export interface Operation extends Json {
  parameters: readonly Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, { description: string; headers?: Json; content?: Content }>
  callbacks?: Route['callbacks']
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>

export interface OpenApi extends Json {
  info: Json
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Json }
}

/** The route table as an OpenAPI 3.1 document. @param graph describes what the schemas are made of */
export function openApi(routes: readonly Route[], graph: GraphQLSchema): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: '1',
      description:
        'Runs test scenarios and collects events. Every failure carries a `code` to branch on and the `requestId` to find it in the log.',
    },
    servers: [{ url: DOCUMENTED_ROOT }],
    tags: Object.entries(AREAS).map(([name, description]) => ({ name, description })),
    security: [{}, { [BASIC]: [] }, { [TOKEN]: [] }],
    paths,
    components: {
      schemas: schemas(graph),
      securitySchemes: {
        [BASIC]: { type: 'http', scheme: 'basic', description: 'User id and password' },
        [TOKEN]: { type: 'apiKey', in: 'header', name: 'token', description: 'A token' },
      },
    },
  }
}

function operation(route: Route): Operation {
  const { method, path, summary, area, parameters, body, yaml, answers, callbacks } = route
  return {
    tags: [area],
    summary,
    operationId: idOf(method, path),
    parameters: parameters.map(withExample),
    ...(body ? { requestBody: requestBody(body, yaml) } : {}),
    responses: { ...failures(route), ...mapValues(answers, response) },
    ...(callbacks ? { callbacks } : {}),
  }
}

/** A default is an example where there is no other. */
function withExample(parameter: Parameter): Parameter {
  const { example, schema } = parameter
  const hasExample = example !== undefined || schema.examples !== undefined
  if (hasExample || schema.default === undefined) return parameter
  return { ...parameter, schema: { ...schema, examples: [schema.default] } }
}

const requestBody = (body: NonNullable<Route['body']>, yaml = false) => ({
  required: true as const,
  content: {
    'application/json': body,
    ...(yaml ? { 'application/yaml': { schema: body.schema } } : {}),
  },
})

/** Such as `getTestcaseByIdResultByResultId`. */
const idOf = (method: string, path: string): string =>
  method +
  path
    .split(/[/:]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const response = ({ description, schema, others, headers = {} }: Answer) => ({
  description,
  ...(Object.keys(headers).length > 0 ? { headers: headersOf(headers) } : {}),
  ...(schema || others
    ? { content: contentOf({ ...(schema && { 'application/json': schema }), ...others }) }
    : {}),
})

const contentOf = (schemas: Readonly<Record<string, JsonSchema>>): Content =>
  mapValues(schemas, (schema) => ({ schema }))

const headersOf = (headers: Readonly<Record<string, string>>) =>
  mapValues(headers, (description) => ({ description, schema: { type: 'string' } }))

/** For every route the sign-in may be missing, not enough, or one wrong password too many. */
const SIGN_IN_FAILURES: readonly ErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED']

/** Error codes of a route that follow from its input. */
function inputFailures({ parameters, strictQuery, body }: Route): readonly ErrorCode[] {
  if (body) return ['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
  return parameters.length > 0 || strictQuery ? ['BAD_USER_INPUT'] : []
}

/** Statuses after which a client may try again later. */
const WAITING = new Set((['RATE_LIMITED', 'OVERLOADED'] as const).map(statusOf))

/** Codes that share a status share its response. */
function failures(route: Route): Operation['responses'] {
  const { errors = [], failure } = route
  const all = [...SIGN_IN_FAILURES, ...inputFailures(route), ...errors, 'OVERLOADED'] as const
  const schema = failure?.schema ?? ref('Failure')
  return Object.fromEntries(
    [...Map.groupBy(all, statusOf)].map(([status, each]) => [
      status,
      {
        description: `${reasonOf(status)}: ${each.join(' or ')}`,
        content: contentOf({ 'application/json': schema }),
        ...(WAITING.has(status)
          ? { headers: headersOf({ 'Retry-After': 'Seconds to wait' }) }
          : {}),
      },
    ]),
  )
}
