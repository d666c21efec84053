import {
  createSandbox,
  type Sandbox,
} from '../../../subgraphs/test-execution/runners/sandbox/sandbox.ts'
import { type Collector, startCollector } from '../../_support/collector.ts'
import { run } from '../sandbox/run.ts'
import { environment, states } from './_support/scenario.ts'

let server: Collector
let sandbox: Sandbox
beforeAll(async () => {
  server = await startCollector()
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => Promise.all([server.stop(), sandbox.stop()]))
beforeEach(() =>
  answer('{"id":9007199254740993,"all":[{"id":9007199254740992},{"id":-12345678901234567890}]}'),
)

const answer = (body: string) =>
  server.answer((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  )

const execute = (steps: object[]) =>
  run({
    sandbox,
    source: 'export const same = (value) => value',
    environment: environment({ baseUrl: server.url }),
    scenario: { steps },
  })

const get = (...expect: object[]) => ({ id: 'get', http: { url: '/' }, expect })
const SCHEMA = { type: 'object', properties: { id: { type: 'integer', minimum: 2 ** 53 } } }

test.each([
  ['notEquals', 2 ** 53],
  ['equals', '9007199254740993'],
  ['type', 'integer'],
  ['type', 'number'],
  ['greaterThan', 2 ** 53],
  ['lessThan', 1e16],
  ['exists', true],
])('an integer that a double would change: %s %j', async (assert, value) => {
  const outcome = await execute([get({ path: '$.body.id', assert, value })])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})

test('paths, schemas and lists find it', async () => {
  const outcome = await execute([
    get(
      { path: '$.body', assert: 'schema', value: SCHEMA },
      { path: '$.body.all[*].id', assert: 'contains', value: '-12345678901234567890' },
      { path: '$.body.all[?@.id < 0].id', assert: 'equals', value: ['-12345678901234567890'] },
      { path: '$.body', assert: 'contains', value: { id: '9007199254740993' } },
    ),
  ])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})

test('a message and what is kept have all digits', async () => {
  const capture = { all: '$.body.all' }
  const outcome = await execute([
    get({ path: '$.body.id', assert: 'equals', value: 2 ** 53 }),
    { id: 'capture', http: { url: '/' }, capture },
  ])
  expect(outcome).toMatchObject({
    state: 'FAILED',
    message: 'Expected that $.body.id equals 9007199254740992, but it is 9007199254740993',
    validationFailures: [{ expectedValue: 2 ** 53, actualValue: '9007199254740993' }],
  })
  expect(outcome.steps.at(-1)).toMatchObject({
    captures: { all: [{ id: 2 ** 53 }, { id: '-12345678901234567890' }] },
  })
  expect(() => JSON.stringify(outcome.steps)).not.toThrow()
})

test('what was captured goes on with all digits', async () => {
  const query = { query: '{ a }', variables: { all: '{{capture.all}}' } }
  answer('{"data":{"a":9007199254740993},"id":9007199254740993,"all":[-12345678901234567890]}')
  const outcome = await execute([
    { id: 'get', http: { url: '/' }, capture: { id: '$.body.id', all: '$.body.all' } },
    { id: 'url', http: { url: '/orders/{{capture.id}}', query: { id: '{{capture.id}}' } } },
    { id: 'json', http: { url: '/', json: { id: '{{capture.id}}', text: 'of {{capture.all}}' } } },
    { id: 'header', http: { url: '/', headers: { id: '{{capture.id}}' } } },
    {
      id: 'graphql',
      graphql: query,
      expect: [{ path: '$.data.a', assert: 'equals', value: '{{capture.id}}' }],
    },
    {
      id: 'call',
      call: { function: 'same', args: [{ id: '{{capture.id}}', small: 1 }] },
      expect: [{ assert: 'equals', value: { id: '9007199254740993', small: 1 } }],
    },
    {
      id: 'if',
      if: { actual: '{{capture.id}}', assert: 'greaterThanOrEqual', value: '{{capture.id}}' },
      wait: { ms: 1 },
    },
  ])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(states(outcome)).not.toContain('if SKIPPED')
  const [url, json, header, graphql] = server.requests.slice(-4)
  expect(url?.path).toBe('/orders/9007199254740993?id=9007199254740993')
  expect(json?.body).toBe('{"id":9007199254740993,"text":"of [-12345678901234567890]"}')
  expect(header?.headers.id).toBe('9007199254740993')
  expect(graphql?.body).toContain('"variables":{"all":[-12345678901234567890]}')
})

test('fractions and what is out of range stay doubles', async () => {
  answer('{"share":0.1000000000000000055,"large":123456789012345678e200}')
  const outcome = await execute([
    get(
      { path: '$.body.share', assert: 'equals', value: 0.1 },
      { path: '$.body.large', assert: 'greaterThan', value: 1e216 },
    ),
  ])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})
