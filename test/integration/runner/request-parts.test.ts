import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { environment } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

let server: Collector
let sandbox: Sandbox
beforeAll(async () => {
  server = await startCollector()
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => Promise.all([server.stop(), sandbox.stop()]))

const execute = (steps: object[], variables: object = {}) =>
  run({
    ...{ sandbox, source: '', scenario: { steps, variables } },
    environment: environment({ baseUrl: server.url }),
  })

const SET = [
  'sid=abc; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/; HttpOnly',
  'x-token="a=b"; Path=/',
  'gone=; Max-Age=0',
  'nonsense',
]

test('each cookie of a response has its name, is captured and sent on', async () => {
  server.answer((response) => response.writeHead(200, { 'set-cookie': SET }).end())
  const outcome = await execute([
    {
      id: 'login',
      http: { url: '/login', method: 'POST' },
      capture: { all: '$.cookies', sid: '$.cookies.sid' },
      expect: [
        { path: '$.cookies.sid', assert: 'equals', value: 'abc' },
        { path: "$.cookies['x-token']", assert: 'equals', value: '"a=b"' },
        { path: '$.cookies.gone', assert: 'equals', value: '' },
        { path: '$.cookies.*', assert: 'count', value: 3 },
      ],
    },
    { id: 'one', http: { url: '/', headers: { cookie: 'sid={{capture.sid}}' } } },
    { id: 'all', http: { url: '/', headers: { Cookie: 'a=1' }, cookies: '{{capture.all}}' } },
    {
      id: 'graphql',
      graphql: { query: '{ a }', cookies: { sid: '{{capture.sid}}' } },
      optional: true,
    },
  ])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(server.requests.slice(-3).map(({ headers }) => headers.cookie)).toEqual([
    'sid=abc',
    'a=1; sid=abc; x-token="a=b"; gone=',
    'sid=abc',
  ])
})

test('a response without cookies has none', async () => {
  server.answer((response) => response.writeHead(200).end())
  const expectation = { path: '$.cookies', assert: 'equals', value: {} }
  const outcome = await execute([{ id: 'a', http: { url: '/' }, expect: [expectation] }])
  expect(outcome.state).toBe('COMPLETED')
})

test.each([{ 'a b': 'x' }, { a: 'x; admin=1' }, { a: 'x\r\nX: y' }])(
  'the cookies %j are refused',
  async (cookies) => {
    const outcome = await execute([{ id: 'a', http: { url: '/', cookies } }])
    expect(outcome).toMatchObject({ errorCode: 'INVALID_STEP' })
    expect(outcome.message).toMatch(/in cookies has a name or a value that no cookie can have/)
  },
)

test('a blank is %20 in a query, and + in a form', async () => {
  const query = { $filter: 'a ge 1', q: '1+1=2', t: '10:00+01' }
  await execute([{ id: 'a', http: { url: '/odata?x=a b', query, form: { a: '1 + 1' } } }])
  expect(server.requests.at(-1)).toMatchObject({
    path: '/odata?x=a%20b&%24filter=a%20ge%201&q=1%2B1%3D2&t=10%3A00%2B01',
    body: 'a=1+%2B+1',
  })
})

test.each([
  ['a/b', 'a%2Fb'],
  ['a?b', 'a%3Fb'],
  ['a%20b', 'a%2520b'],
  ['a b', 'a%20b'],
  ['CSM-459+862', 'CSM-459+862'],
  ['\u00fc', '%C3%BC'],
  ['a#b', 'a%23b'],
  ['a;b', 'a%3Bb'],
  ['UP:MKT:7', 'UP:MKT:7'],
  ['..x', '..x'],
  ['{other}', '%7Bother%7D'],
  ['\ud800', '%EF%BF%BD'],
  [7, '7'],
])('%j is one segment of a path', async (id, segment) => {
  const http = { url: '/items/{id}/x?y={z}#{id}', segments: { id: '{{var.id}}', z: 1 } }
  const outcome = await execute([{ id: 'a', http }], { id })
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(server.requests.at(-1)?.path).toBe(`/items/${segment}/x?y=1`)
})

test.each<[object, string]>([
  [{ id: '..' }, 'segments.id is "..", which is no segment of a path'],
  [{ id: '.' }, 'segments.id is ".", which is no segment of a path'],
  [{ id: '' }, 'segments.id is "", which is no segment of a path'],
  [{}, 'The url has {id}, and segments has no id'],
  [{ id: 1, other: 2 }, 'segments has other, and the url has no {other}'],
])('the segments %j are refused', async (segments, message) => {
  const outcome = await execute([{ id: 'a', http: { url: '/items/{id}', segments } }])
  expect(outcome).toMatchObject({
    errorCode: 'INVALID_STEP',
    message: expect.stringContaining(message),
  })
})

test.each([
  ['orders:batchGet', '/orders:batchGet'],
  ['UP:MKT:7', '/UP:MKT:7'],
  ['at/12:30', '/at/12:30'],
  ['?q=1', '/?q=1'],
  ['urn:7:x', '/urn:7:x'],
])('%s is a path below baseUrl', async (url, path) => {
  const outcome = await execute([{ id: 'a', http: { url } }])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(server.requests.at(-1)?.path).toBe(path)
})

test.each(['localhost:4000/x', '127.0.0.1:80', 'orders:7'])(
  '%s is refused, as it may be a host',
  async (url) => {
    const outcome = await execute([{ id: 'a', http: { url } }])
    expect(outcome).toMatchObject({ errorCode: 'INVALID_STEP' })
    expect(outcome.message).toContain(`write http://${url} or /${url}`)
  },
)
