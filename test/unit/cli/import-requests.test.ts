import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCurl } from '../../../formats/requests/curl.ts'
import { readOpenapi } from '../../../formats/requests/openapi.ts'
import { scenarioFaults } from '../../../runner/scenario/scenario.ts'
import { start } from '../../support/cli/command.ts'

test.each<[string, object]>([
  ['curl api.example.com/orders', { url: '/orders' }],
  [
    `curl -sSL -X DELETE 'https://api.example.com/orders/7?force=true&force=again'`,
    { method: 'DELETE', url: '/orders/7?force=true&force=again' },
  ],
  // As browsers copy it.
  [
    `curl 'https://api.example.com/orders?page=2' \\
  -H 'accept: */*' -H 'sec-fetch-mode: cors' -H 'authorization: Bearer s3cret' \\
  -b 'sid=1' --data-raw $'{"text":"it\\'s {{here}}","n":[1,2.5]}' \\
  -H 'content-type: application/json' --compressed`,
    {
      url: '/orders',
      query: { page: '2' },
      headers: { accept: '*/*', authorization: '{{env.AUTHORIZATION}}', Cookie: '{{env.COOKIE}}' },
      json: { text: "it's \\{{here}}", n: [1, 2.5] },
    },
  ],
  [
    `curl --json '{"long":12345678901234567890}' https://a/`,
    {
      url: '/',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      text: '{"long":12345678901234567890}',
    },
  ],
  ['curl -d a=1 -d "b=x y" https://a/form', { url: '/form', form: { a: '1', b: 'x y' } }],
  ['curl -G -d q=1 --data-urlencode "r=a&b" https://a/', { url: '/', query: { q: '1', r: 'a&b' } }],
  [
    "curl --json '[1]' -XPUT https://a/",
    { method: 'PUT', url: '/', headers: { Accept: 'application/json' }, json: [1] },
  ],
  [
    'curl -d plain -H "Content-Type: text/plain" https://a/',
    { url: '/', headers: { 'Content-Type': 'text/plain' }, text: 'plain' },
  ],
  ['curl -I https://a/', { method: 'HEAD', url: '/' }],
  ['curl "https://a/?api_key=s3cret"', { url: '/', query: { api_key: '{{env.API_KEY}}' } }],
])('%s is a step', (line, http) => {
  const { step, ...rest } = readCurl(line)
  expect(step.http).toEqual(http)
  expect(scenarioFaults({ steps: [step] })).toEqual([])
  expect(JSON.stringify(rest)).not.toContain('s3cret')
})

test('a user of curl is the host credentials, and stands nowhere', () => {
  for (const line of ['curl -u tom:s3cret https://a/', 'curl https://tom:s3cret@a/']) {
    const read = readCurl(line)
    expect(read).toMatchObject({ origin: 'https://a', signsIn: true })
    expect(JSON.stringify(read)).not.toContain('s3cret')
  }
})

test.each([
  ['wget https://a/', /no command line of curl/],
  ['curl', /no URL/],
  ['curl https://a/ https://b/', /several URLs/],
  ['curl -F file=@a https://a/', /form of several parts/],
  ['curl -d @body.json https://a/', /from the file body\.json/],
  ['curl --ftp-pasv https://a/', /Unknown option '--ftp-pasv'/],
  ['curl ftp://a/', /no address/],
  ["curl 'https://a/", /ends within a quote/],
])('%s is refused', (line, message) => {
  expect(() => readCurl(line)).toThrow(message)
})

const DOCUMENT = `
openapi: 3.1.0
info: { title: Orders }
servers: [{ url: "https://{host}/v1/", variables: { host: { default: api.example.com } } }]
paths:
  /orders/{id}:
    parameters: [{ $ref: "#/components/parameters/id" }]
    get:
      operationId: getOrder
      summary: Reads an order
      parameters:
        - { name: depth, in: query, required: true, schema: { type: integer, minimum: 3 } }
        - { name: trace, in: query, schema: { type: string } }
      responses: { "404": {}, "200": {} }
    put:
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/order" } }
      responses: { "204": {} }
components:
  parameters:
    id: { name: id, in: path, required: true, schema: { type: string, format: uuid } }
  schemas:
    order:
      allOf:
        - type: object
          properties:
            id: { type: string, readOnly: true }
            state: { enum: [NEW, SENT] }
        - properties:
            lines: { type: array, items: { type: object, required: [count], properties: { count: { type: integer }, note: { type: string } } } }
            parent: { $ref: "#/components/schemas/order" }
`

test('operations of an OpenAPI document are steps with examples and the status to expect', () => {
  const { title, baseUrl, steps } = readOpenapi(DOCUMENT)
  expect({ title, baseUrl }).toEqual({ title: 'Orders', baseUrl: 'https://api.example.com/v1' })
  expect(scenarioFaults({ steps: steps.map(({ step }) => step) })).toEqual([])
  const segments = { id: '00000000-0000-4000-8000-000000000000' }
  expect(steps.map(({ step }) => step)).toEqual([
    {
      ...{ id: 'getOrder', name: 'Reads an order' },
      http: { method: 'GET', url: '/orders/{id}', segments, query: { depth: 3 } },
      expect: [{ name: 'status', assert: 'status', value: 200 }],
    },
    {
      id: 'put-orders-id',
      http: {
        ...{ method: 'PUT', url: '/orders/{id}', segments },
        json: { state: 'NEW', lines: [{ count: 1 }], parent: expect.anything() },
      },
      expect: [{ name: 'status', assert: 'status', value: 204 }],
    },
  ])
})

test.each(['oneOf', 'anyOf', 'allOf'])('a schema that is itself by %s ends there', (word) => {
  const own = { $ref: '#/components/schemas/own' }
  const content = { 'application/json': { schema: own } }
  const { steps } = readOpenapi(
    JSON.stringify({
      openapi: '3.1.0',
      paths: { '/': { post: { requestBody: { content } } } },
      components: { schemas: { own: { [word]: [own] } } },
    }),
  )
  expect(steps).toMatchObject([{ step: { http: { json: {} } } }])
})

test.each([
  ['swagger: "2.0"', /it is Swagger 2\.0/],
  ['openapi: 3.0.0', /no operation/],
  ['[', /is no YAML/],
  ['{ "openapi": "3.0.0", "paths": { "/": { "$ref": "other.yaml" } } }', /refers to other\.yaml/],
  ['{ "openapi": "3.0.0", "paths": { "/": { "$ref": "#/%" } } }', /#\/%, which is no address/],
])('%s is refused', (text, message) => {
  expect(() => readOpenapi(text)).toThrow(message)
})

describe('imports into one folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-imports-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const importing = async (line: string) => {
    writeFileSync(join(folder, 'request.txt'), line)
    const started = start(['import', 'curl', 'request.txt'], 'http://127.0.0.1:9', undefined, {
      cwd: folder,
    })
    return { code: await started.code, notes: await started.stderr }
  }
  const ENVIRONMENT = 'a.environment.yaml'

  test('share the environment of one address, and name the secrets that it lacks', async () => {
    expect(await importing('curl -H "x-api-key: s3cret" https://a/one')).toMatchObject({ code: 0 })
    const environment = readFileSync(join(folder, 'scenarios', ENVIRONMENT), 'utf8')
    const { code, notes } = await importing('curl -b sid=1 https://a/two')
    expect(code).toBe(0)
    expect(notes).toContain(`Add COOKIE to the secrets of ${join('scenarios', ENVIRONMENT)}`)
    expect(readFileSync(join(folder, 'scenarios', ENVIRONMENT), 'utf8')).toBe(environment)
    expect(readdirSync(join(folder, 'scenarios')).sort()).toEqual([
      ENVIRONMENT,
      'get-one.testcase.yaml',
      'get-two.testcase.yaml',
    ])
  })

  test('name an environment that cannot be read', async () => {
    mkdirSync(join(folder, 'scenarios'))
    writeFileSync(join(folder, 'scenarios', ENVIRONMENT), 'baseUrl: [')
    const { code, notes } = await importing('curl https://a/one')
    expect(code).toBe(2)
    expect(notes).toContain(`${join('scenarios', ENVIRONMENT)} is no YAML`)
  })

  test('keep an environment of another address, and a scenario of the same name', async () => {
    await importing('curl https://a/one')
    for (const line of ['curl http://a/two', 'curl https://a/one'])
      expect(await importing(line)).toMatchObject({
        code: 2,
        notes: expect.stringContaining('exists; nothing was written. Name another folder'),
      })
  })
})
