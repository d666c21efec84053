import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { routes } from '../../../rest-bridge/index.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8'))

const openapi = read('openapi.json')
const swagger = read('swagger.json')

interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: { examples?: unknown[] }
  example?: unknown
}

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Record<string, unknown>>).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
    parameters: operation.parameters as Parameter[],
  })),
)

test.each([
  ['OpenAPI 3.1', openapi],
  ['Swagger 2.0', swagger],
])('the document is valid %s', async (_, document) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
})

test('a strict linter finds nothing in Swagger 2.0', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: { 'info-license': 'off' },
  })
  const source = JSON.stringify(swagger)
  const problems = await lintFromString({ source, absoluteRef: 'swagger.json', config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

test('what stands in a path has an example in Swagger 2.0', () => {
  const methods = Object.values(swagger.paths).flatMap((path) => Object.values(path as object))
  const inPath = methods.flatMap(({ parameters }) =>
    parameters.filter((parameter: Parameter) => parameter.in === 'path'),
  )
  expect(inPath.filter((parameter: object) => !('x-example' in parameter))).toEqual([])
})

test('both documents have every route, grouped by an area that is explained', () => {
  const names = routes.map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(operations.map(({ name }) => name).sort()).toEqual(names.sort())
  expect(Object.keys(swagger.paths)).toEqual(Object.keys(openapi.paths))
  // A body is of one type in Swagger 2.0, and a list holds one event as well.
  expect(swagger.paths['/v1/events'].post.parameters.at(-1).schema).toMatchObject({
    allOf: [{ type: 'array', items: { $ref: '#/definitions/RawEvent' } }],
  })
  const areas = openapi.tags.map(({ name }: { name: string }) => name)
  expect(new Set(operations.flatMap(({ operation }) => operation.tags))).toEqual(new Set(areas))
})

test('every operation says that whoever guessed passwords has to wait, and for how long', () => {
  const waits = operations.map(({ operation }) => [
    operation.operationId,
    Object.keys(
      (operation.responses as Record<string, { headers?: object }>)['429']?.headers ?? {},
    ),
  ])
  expect(waits).toEqual(operations.map(({ operation }) => [operation.operationId, ['Retry-After']]))
})

test('every operation has a name of its own', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(operations)(
  '$name describes what stands in its path, as required',
  ({ path, parameters }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name, required }) => [name, required])).toEqual(
      named.map((name) => [name, true]),
    )
  },
)

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(openapi, 'openapi')

  test.each(operations)('of $name fit their schemas, and no parameter lacks one', (each) => {
    const { operation, parameters } = each
    const body = operation.requestBody as
      | { content: { 'application/json': { schema: object; example: unknown } } }
      | undefined
    const given = [
      ...parameters.map(({ schema, example = schema.examples?.[0] }) => ({ schema, example })),
      ...(body ? [body.content['application/json']] : []),
    ]
    for (const { schema, example } of given) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
      expect([ajv.validate(absolute, example), ajv.errorsText()]).toEqual([true, 'No errors'])
    }
  })
})

test.each(['Component', 'TestCase', 'Suite', 'Environment'])(
  'the body that replaces a %s may leave out its id, which stands in the path',
  (typeName) => {
    const name = `${typeName}ToReplace`
    for (const { properties, required } of [
      openapi.components.schemas[name],
      swagger.definitions[name],
    ]) {
      expect(properties).toHaveProperty('id')
      expect(required).toContain('name')
      expect(required).not.toContain('id')
    }
  },
)

test('what takes a callbackUrl describes the callback; Swagger 2.0 knows none', () => {
  const announced = operations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'callbackUrl'),
  )
  expect(announced.length).toBe(7)
  for (const { operation } of announced)
    expect(operation.callbacks).toMatchObject({
      executionEnded: {
        '{$request.query.callbackUrl}': {
          post: {
            requestBody: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/ExecutionResult' } },
              },
            },
          },
        },
      },
    })
  expect(JSON.stringify(swagger)).not.toContain('executionEnded')
})

/** Every schema of a document that is an object without keys, by its path. */
function closedObjects(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, properties, additionalProperties } = value as Record<string, unknown>
  const isClosed =
    [type].flat().includes('object') && !properties && additionalProperties === undefined
  const below = Object.entries(value).flatMap(([key, each]) =>
    key.startsWith('example') ? [] : closedObjects(each, `${path}/${key}`),
  )
  return isClosed ? [path, ...below] : below
}

test.each([
  ['OpenAPI 3.1', openapi],
  ['Swagger 2.0', swagger],
])('%s has no object that generators take for one without keys', (_, document) => {
  expect(closedObjects(document)).toEqual([])
})

test('every body has a schema in both documents', () => {
  const bodies = operations.filter(({ operation }) => operation.requestBody)
  expect(bodies.length).toBeGreaterThan(5)
  for (const { path, name } of bodies) {
    const method = name.split(' ')[0]?.toLowerCase() ?? ''
    const [body] = swagger.paths[path][method].parameters.filter(
      (parameter: Parameter) => parameter.in === 'body',
    )
    const [{ items, ...schema }] = body.schema.allOf
    const definition = items ?? schema
    expect({ name, definition, example: body.schema.example }).toEqual({
      name,
      definition: { $ref: expect.stringMatching(/^#\/definitions\/\w+$/) },
      example: expect.any(Object),
    })
  }
})
