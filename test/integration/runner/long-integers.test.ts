import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { environment, states } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

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
  ['notEquals', '9007199254740992'],
  ['type', 'integer'],
  ['type', 'number'],
  ['greaterThan', 2 ** 53],
  ['greaterThan', '9007199254740992'],
  ['lessThanOrEqual', '9007199254740993'],
  ['lessThan', 1e16],
  ['exists', true],
])('an integer that doubles do not tell apart: %s %j', async (assert, value) => {
  const outcome = await execute([get({ path: '$.body.id', assert, value })])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})

const TENS = '0'.repeat(110)
test.each([
  ['36028797018963969', 'lessThan', 36028797018963970],
  ['1234567890123456800', 'equals', 1234567890123456800],
  ['1234567890123456800', 'equals', '1234567890123456800'],
  ['1234567890123456799', 'notEquals', 1234567890123456800],
  ['9.9999999999999992e+22', 'equals', 1e23],
  [`12345678901234567891${TENS}`, 'notEquals', `12345678901234567892${TENS}`],
  ['1'.repeat(400), 'lessThan', `${'1'.repeat(399)}2`],
  ['1234567890123456799', 'greaterThan', 'text'],
])('neighbours, case %#', async (id, assert, value) => {
  answer(`{"id":${id},"next":1234567890123456800}`)
  const met = value === 'text' ? 'FAILED' : 'COMPLETED'
  const outcome = await execute([get({ path: '$.body.id', assert, value })])
  expect(outcome.state).toBe(met)
})

test('ids of one server are in their order', async () => {
  answer('{"a":1234567890123456799,"b":1234567890123456800}')
  const outcome = await execute([
    { id: 'get', http: { url: '/' }, capture: { a: '$.body.a' } },
    { ...get({ path: '$.body.b', assert: 'greaterThan', value: '{{capture.a}}' }), id: 'next' },
  ])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})

test('many filters of a large result round it once', async () => {
  const rest = Array.from({ length: 36_000 }, (_, at) => `"${at * 7919}":9007199254740993`)
  answer(`{"items":[{"id":1}],"rest":{${rest}}}`)
  const filter = { path: '$.body.items[?@.id == 1].id', assert: 'equals', value: [1] }
  const outcome = await execute([get(...Array.from({ length: 40 }, () => filter))])
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
    captures: { all: [{ id: '9007199254740992' }, { id: '-12345678901234567890' }] },
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
