import { badInput } from '../errors.ts'
import { isObject } from '../json/values.ts'
import { parseYaml } from '../yaml.ts'
import { idOf, literal, type RequestStep } from './http-request.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const
/** Characters of the name of a step. */
const MOST_NAME = 200
/** Levels of schemas inside of each other: one that holds itself ends somewhere. */
const MOST_DEPTH = 8

type Json = Record<string, unknown>

interface Api {
  title: string
  /** Address of its first server; null where that is relative or absent. */
  baseUrl: string | null
  steps: RequestStep[]
}

/** Reads an OpenAPI 3 document, JSON or YAML: a step for each operation, with the examples of the document. @throws AppError */
export function readOpenapi(text: string): Api {
  const document = objectOf(parseYaml(text, 'The OpenAPI document'))
  const { openapi, swagger, info, servers, paths } = document
  if (typeof openapi !== 'string' || !openapi.startsWith('3.'))
    throw badInput(
      `Expected an OpenAPI document of version 3${swagger ? `, and it is Swagger ${swagger}: convert it first` : ''}`,
    )
  const find = (value: unknown): Json => resolved(value, document)
  const steps = Object.entries(objectOf(paths)).flatMap(([path, given]) => {
    const item = find(given)
    return METHODS.flatMap((method) =>
      isObject(item[method]) ? stepOf(method, path, item, objectOf(item[method]), find) : [],
    )
  })
  if (steps.length === 0) throw badInput('The OpenAPI document has no operation in paths')
  return {
    title: String(objectOf(info).title ?? 'API'),
    baseUrl: serverOf(Array.isArray(servers) ? servers[0] : null),
    steps: unique(steps),
  }
}

function stepOf(
  method: string,
  path: string,
  item: Json,
  operation: Json,
  find: Find,
): RequestStep {
  const parameters = [item.parameters, operation.parameters]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map(find)
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place && (each.required === true || place === 'path'))
        .map((each) => [String(each.name), wordOf(exampleOf(each, find))]),
    )
  const [segments, query, headers] = ['path', 'query', 'header'].map((place) =>
    literal(valuesIn(place)),
  )
  const [type, media] = Object.entries(objectOf(find(operation.requestBody).content))[0] ?? []
  const { headers: typed, ...content } =
    media === undefined ? {} : contentOf(String(type), literal(exampleOf(objectOf(media), find)))
  const name = String(operation.summary ?? operation.operationId ?? '')
  return {
    step: {
      id: stepId(operation.operationId) ?? idOf(`${method} ${path}`),
      ...(name !== '' && { name: name.slice(0, MOST_NAME) }),
      http: {
        method: method.toUpperCase(),
        url: literal(path),
        ...filled({ segments, query, headers: { ...headers, ...objectOf(typed) } }),
        ...content,
      },
      ...expectation(operation.responses),
    },
    secrets: [],
  }
}

const stepId = (operationId: unknown): string | undefined =>
  typeof operationId === 'string' && /^[A-Za-z0-9_-]{1,60}$/.test(operationId)
    ? operationId
    : undefined

type Find = (value: unknown) => Json

const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

/** Part of the document that `$ref` names. */
function resolved(value: unknown, document: Json, depth = 0): Json {
  const object = objectOf(value)
  const { $ref } = object
  if (typeof $ref !== 'string' || depth > MOST_DEPTH) return object
  if (!$ref.startsWith('#/'))
    throw badInput(`The OpenAPI document refers to ${$ref}: bundle it into one file first`)
  const names = decoded($ref.slice(2)).split('/').map(unescaped)
  const found = names.reduce<unknown>((at, name) => objectOf(at)[name], document)
  return resolved(found, document, depth + 1)
}

/** @throws AppError */
function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer)
  } catch (cause) {
    throw badInput(`The OpenAPI document refers to #/${pointer}, which is no address`, { cause })
  }
}

/** Name in a JSON pointer (RFC 6901). */
const unescaped = (name: string) => name.replace(/~1/g, '/').replace(/~0/g, '~')

/** The example of a parameter or a body, or a value that its schema allows. */
function exampleOf(of: Json, find: Find): unknown {
  const [first] = Object.values(objectOf(of.examples))
  return of.example ?? find(first).value ?? sampleOf(find(of.schema), find, 0, [])
}

/** @param above schemas that it is part of: one that holds itself ends there */
function sampleOf(schema: Json, find: Find, depth: number, above: readonly Json[]): unknown {
  if (above.includes(schema)) return {}
  const { example, examples, default: standard, enum: words, allOf, oneOf, anyOf } = schema
  const [first] = [...listOf(examples), ...listOf(words)]
  const given = example ?? standard ?? schema.const ?? first
  if (given !== undefined) return given
  const path = [...above, schema]
  const parts = listOf(allOf).map((each) => sampleOf(find(each), find, depth, path))
  const [choice] = [...listOf(oneOf), ...listOf(anyOf)]
  if (choice !== undefined) return sampleOf(find(choice), find, depth, path)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || isObject(schema.properties) || parts.length > 0) {
    const required = listOf(schema.required)
    const own = Object.entries(objectOf(schema.properties))
      .map(([name, each]): [string, Json] => [name, find(each)])
      .filter(([name, each]) => each.readOnly !== true && (depth === 0 || required.includes(name)))
      .filter(() => depth < MOST_DEPTH)
      .map(([name, each]) => [name, sampleOf(each, find, depth + 1, path)])
    return Object.assign({}, ...parts.filter(isObject), Object.fromEntries(own))
  }
  if (type === 'array')
    return depth < MOST_DEPTH ? [sampleOf(find(schema.items), find, depth + 1, path)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  return SAMPLES[String(schema.format)] ?? 'text'
}

const SAMPLES: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'someone@example.com',
  uri: 'https://example.com/',
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const wordOf = (value: unknown): string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean'
    ? value
    : isObject(value) || Array.isArray(value)
      ? JSON.stringify(value)
      : String(value)

function contentOf(type: string, body: unknown): Json & { headers?: Json } {
  if (/[/+]json\b/i.test(type)) {
    const isPlain = /^application\/json\b/i.test(type)
    return { ...(isPlain ? {} : { headers: { 'content-type': type } }), json: body }
  }
  if (type === 'application/x-www-form-urlencoded' && isObject(body))
    return {
      form: Object.fromEntries(Object.entries(body).map(([name, each]) => [name, wordOf(each)])),
    }
  return {
    headers: { 'content-type': type },
    text: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** The first good status that the document names. */
function expectation(responses: unknown): { expect?: object[] } {
  const status = Object.keys(objectOf(responses)).find((code) => /^[23]\d\d$/.test(code))
  return status ? { expect: [{ name: 'status', assert: 'status', value: Number(status) }] } : {}
}

/** Settings that hold something. */
const filled = (settings: Readonly<Record<string, Json | undefined>>): Json =>
  Object.fromEntries(
    Object.entries(settings).filter(([, value]) => Object.keys(value ?? {}).length > 0),
  )

/** An absolute address with the default values of its variables. */
function serverOf(server: unknown): string | null {
  const { url, variables } = objectOf(server)
  const text = String(url ?? '').replace(/\{([^}]+)\}/g, (_, name) =>
    String(objectOf(objectOf(variables)[name]).default ?? ''),
  )
  return /^https?:\/\/[^?#]+$/.test(text) ? text.replace(/\/$/, '') : null
}

/** Steps of one id each. */
function unique(steps: readonly RequestStep[]): RequestStep[] {
  const counts = new Map<string, number>()
  return steps.map((each) => {
    const nth = (counts.get(each.step.id) ?? 0) + 1
    counts.set(each.step.id, nth)
    return nth === 1 ? each : { ...each, step: { ...each.step, id: `${each.step.id}-${nth}` } }
  })
}
