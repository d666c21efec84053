import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { withTimeEnough } from '../../support/eventually.ts'
import { environment, states } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

let server: Collector
let sandbox: Sandbox
beforeAll(async () => {
  server = await startCollector()
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => Promise.all([server.stop(), sandbox.stop()]))

const PASSWORD = 'open sesame'
const BASIC = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  server.answer((response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body)),
  )

const execute = (steps: object[], given: object = {}, scenario: object = {}) =>
  run({
    sandbox,
    source: '',
    environment: environment({ baseUrl: `${server.url}/base`, ...given }),
    credentials: { userId: 'ann', password: PASSWORD },
    scenario: { steps, ...scenario },
  })

describe('a template where text alone is taken', () => {
  const variables = { n: 17, yes: true, own: { a: 3, b: 'x' }, none: null, list: [1] }
  const get = (headers: unknown, more: object = {}) => ({
    ...{ id: 'get', http: { url: '/', headers } },
    ...more,
  })

  test('becomes the text of a number or boolean', async () => {
    json(200, { own: { a: 3 } }, { 'x-n': '17' })
    const expect0 = { name: '{{var.n}}', assert: 'header', value: { 'x-n': '{{var.n}}' } }
    const steps = [
      get({ n: '{{var.n}}', yes: '{{ var.yes }}' }, { expect: [expect0] }),
      { id: 'text', http: { url: '/', text: '{{var.n}}' }, capture: { own: '$.body.own' } },
      get('{{capture.own}}', { id: 'all' }),
      { id: 'json', http: { url: '/', headers: '{{capture.own}}', json: '{{capture.own}}' } },
      { ...get({}), id: 'if', if: { ...expect0, actual: { headers: { 'x-n': '17' } } } },
    ]
    const outcome = await execute(steps, {}, { variables })
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
    expect(states(outcome)).not.toContain('if SKIPPED')
    expect(server.requests.slice(-5)).toMatchObject([
      { headers: { n: '17', yes: 'true' } },
      { body: '17' },
      { headers: { a: '3' } },
      { headers: { a: '3' }, body: '{"a":3}' }, // what was captured is as it was
      {},
    ])
  })

  test.each([
    ['{{var.none}}', 'null'],
    ['{{var.list}}', 'a list'],
    ['{{var.own}}', 'an object'],
  ])('is refused for %s', async (template, type) => {
    const outcome = await execute([get({ 'x/n': template })], {}, { variables })
    expect(outcome).toMatchObject({
      errorCode: 'INVALID_STEP',
      message: `Step get is not valid: http/headers/x~1n must be string; ${template} gives ${type}`,
    })
  })
})

test('an http step sends what it says; expectations look at status, headers and body', async () => {
  json(201, { id: 'o-1', lines: [{ sum: 5 }] }, { location: '/orders/o-1' })
  const outcome = await execute([
    {
      id: 'create',
      http: {
        url: '/orders',
        query: { dry: true, q: 'a b' },
        headers: { 'X-Trace': '7' },
        json: { customer: 'Ann' },
      },
      capture: { id: '$.body.id', sums: '$.body.lines[*].sum' },
      expect: [
        { assert: 'status', value: 201 },
        { assert: 'status', value: '2xx' },
        { assert: 'header', value: { Location: '/orders/o-1', 'X-Missing': null } },
        { path: '$.body.lines[0].sum', assert: 'equals', value: 5 },
        {
          path: '$.body',
          assert: 'schema',
          value: { required: ['id'], properties: { id: { pattern: '^o-' } } },
        },
        { assert: 'durationMs', value: 10_000 },
      ],
    },
    {
      id: 'change',
      http: { method: 'PUT', url: 'orders/{{capture.id}}', json: { sums: '{{capture.sums}}' } },
    },
  ])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(server.requests.slice(-2)).toMatchObject([
    {
      method: 'POST',
      path: '/base/orders?dry=true&q=a%20b',
      body: '{"customer":"Ann"}',
      headers: { 'x-trace': '7', 'content-type': 'application/json', authorization: BASIC },
    },
    { method: 'PUT', path: '/base/orders/o-1', body: '{"sums":[5]}' },
  ])
})

test.each([
  ['a status', { assert: 'status', value: 200 }, 404],
  ['a class of status', { assert: 'status', value: '5xx' }, 404],
  ['a header', { assert: 'header', value: { 'x-kind': 'other' } }, expect.any(Object)],
  ['a schema', { path: '$.body', assert: 'schema', value: { type: 'array' } }, '$ must be array'],
])('%s that is not as expected is FAILED', async (_, expectation, actualValue) => {
  json(404, { error: 'gone' }, { 'x-kind': 'error' })
  const outcome = await execute([{ id: 'a', http: { url: '/x' }, expect: [expectation] }])
  expect(outcome).toMatchObject({ state: 'FAILED' })
  expect(outcome.validationFailures[0]).toMatchObject({ actualValue })
})

test.each([
  ['another spelling of its path', { path: '$["status"]', assert: 'equals', value: 404 }],
  ['a part of the whole result', { assert: 'contains', value: { status: 404 } }],
])('an error status is met where %s says so', async (_, expectation) => {
  json(404, {})
  const steps = [{ id: 'a', http: { url: '/x' }, expect: [expectation] }]
  expect(await execute(steps)).toMatchObject({ state: 'COMPLETED', message: '' })
})

test.each([
  ['captures it under another spelling', 'COMPLETED', { capture: { status: "$['status']" } }],
  ['expects another part', 'FAILED', { expect: [{ assert: 'contains', value: { body: {} } }] }],
  [
    'expects a longer name',
    'FAILED',
    { expect: [{ path: '$.statusText', assert: 'exists', value: false }] },
  ],
])('a step with an error status that %s is %s', async (_, state, extra) => {
  json(404, {})
  expect(await execute([{ id: 'a', http: { url: '/x' }, ...extra }])).toMatchObject({ state })
})

test('host credentials go to the host of baseUrl, and elsewhere only when the step says so', async () => {
  json(200, {})
  const elsewhere = { baseUrl: 'http://api.example', allowedHosts: ['127.0.0.1'] }
  const authorization = async (http: object, given: object = {}) => {
    const { message } = await execute([{ id: 'a', http: { url: server.url, ...http } }], given)
    expect(message).toBe('')
    return server.requests.at(-1)?.headers.authorization
  }
  expect(await authorization({})).toBe(BASIC)
  expect(await authorization({ credentials: false })).toBeUndefined()
  expect(await authorization({ headers: { Authorization: 'Bearer t' } })).toBe('Bearer t')
  expect(await authorization({}, elsewhere)).toBeUndefined()
  expect(await authorization({ credentials: true }, elsewhere)).toBe(BASIC)
})

test.each([
  ['a host that is not listed', 'http://127.0.0.2/', {}, 'HOST_NOT_ALLOWED', '127.0.0.2'],
  ['another port', 'http://127.0.0.1:1/', {}, 'HOST_NOT_ALLOWED', '127.0.0.1:1'],
  [
    'an address that the configuration closes',
    'http://169.254.169.254/',
    { allowedHosts: ['169.254.169.254'] },
    'HOST_NOT_ALLOWED',
    'not allowed',
  ],
  ['no server', 'http://127.0.0.1:1/', { allowedHosts: ['127.0.0.1'] }, 'UNREACHABLE', 'refused'],
  ['another protocol', 'file:///etc/passwd', {}, 'INVALID_STEP', 'no http'],
  ['a relative address without base', '/x', { baseUrl: null }, 'INVALID_STEP', 'no baseUrl'],
])('%s is an ERROR', async (_, url, given, errorCode, part) => {
  const outcome = await execute([{ id: 'a', http: { url } }], given)
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode,
    message: expect.stringContaining(part),
  })
})

test.each([
  ['the name of a header', { 'a b': 'x' }, '"a b" is no name of a header'],
  [
    'the value of a header',
    { 'x-a': 'secret\r\ny: z' },
    'The request cannot be sent: invalid x-a header',
  ],
  ['a header of the connection', { 'transfer-encoding': 'x' }, 'invalid transfer-encoding header'],
])(
  '%s that HTTP cannot carry is an ERROR of the step, also of a negative one',
  async (_, headers, part) => {
    for (const negative of [false, true]) {
      const outcome = await execute([{ id: 'a', negative, http: { url: '/', headers } }])
      expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'INVALID_STEP' })
      expect(outcome.message).toContain(part)
      expect(outcome.message).not.toContain('secret')
    }
  },
)

test('an answer that ends in the middle says so', async () => {
  server.answer((response) => {
    response.writeHead(200, { 'content-length': '10' }).write('abc', () => response.destroy())
  })
  const { state, message } = await execute([{ id: 'a', http: { url: '/' } }])
  expect({ state, message }).toEqual({
    state: 'ERROR',
    message: expect.stringContaining('The connection was closed'),
  })
})

test('without an environment no host is reached', async () => {
  const scenario = { steps: [{ id: 'a', http: { url: server.url } }] }
  const outcome = await run({ sandbox, source: '', scenario })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'HOST_NOT_ALLOWED' })
})

test('what the environment has switched off does not run', async () => {
  const outcome = await execute([{ id: 'a', http: { url: '/' } }], { runners: ['CALL'] })
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode: 'RUNNER_OFF',
    message:
      'The environment Stage does not let scenarios run HTTP steps: its runners must have HTTP',
  })
})

test('a server that does not answer is a timeout; retries try again', async () => {
  server.answer(() => {})
  const step = { id: 'a', http: { url: '/' }, timeoutMs: 300 }
  expect(await execute([step])).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
  await withTimeEnough(300, async (timeoutMs) => {
    const before = server.requests.length
    server.answer((response, nth) => {
      if (nth > before + 1) response.end('late')
    })
    const retried = await execute([{ ...step, timeoutMs, retries: { count: 1 } }])
    expect(retried).toMatchObject({ state: 'COMPLETED' })
    expect(retried.log).toContain('WARN Execution  Step a ERROR, retry 1 of 1: Step a took longer')
  })
})

test('a body that is too large is an ERROR', async () => {
  server.answer((response) => response.end('x'.repeat(1024 * 1024 + 1)))
  const outcome = await execute([{ id: 'a', http: { url: '/' } }])
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'MESSAGE_LIMIT' })
})

describe('a graphql step', () => {
  const step = (extra: object = {}) => ({
    id: 'a',
    graphql: {
      query: 'query Q($id: ID!) { order(id: $id) { sum } }',
      variables: { id: '{{row.id}}' },
    },
    ...extra,
  })
  const dataset = { rows: [{ id: 7 }] }
  const errors = [{ message: 'no such order' }]

  test('posts the operation; its result has data', async () => {
    json(200, { data: { order: { sum: 5 } } })
    const expectations = [{ path: '$.data.order.sum', assert: 'equals', value: 5 }]
    const outcome = await execute([step({ expect: expectations })], {}, { dataset })
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
    const { path, body = '' } = server.requests.at(-1) ?? {}
    expect(path).toBe('/base/graphql')
    expect(JSON.parse(body)).toMatchObject({ variables: { id: 7 } })
  })

  test('fails for errors that no expectation is about', async () => {
    json(200, { errors, data: null })
    expect(await execute([step()], {}, { dataset })).toMatchObject({
      state: 'FAILED',
      validationFailures: [{ name: 'no errors', datasetRow: 0 }],
    })
    const expected = { path: '$.errors[0].message', assert: 'contains', value: 'order' }
    expect(await execute([step({ expect: [expected] })], {}, { dataset })).toMatchObject({
      state: 'COMPLETED',
    })
  })

  test.each<[string, object, string]>([
    ['exists', { assert: 'exists' }, 'FAILED'],
    ['exists of the data', { path: '$.data', assert: 'exists' }, 'FAILED'],
    ['contains without them', { assert: 'contains', value: { data: null } }, 'FAILED'],
    ['contains with them', { assert: 'contains', value: { errors } }, 'COMPLETED'],
    ['exists of them', { path: '$.errors', assert: 'exists' }, 'COMPLETED'],
  ])('%s: whether that is about errors', async (_, expectation, state) => {
    json(200, { errors, data: null })
    const outcome = await execute([step({ expect: [expectation] })], {}, { dataset })
    const validationFailures = state === 'FAILED' ? [{ name: 'no errors' }] : []
    expect(outcome).toMatchObject({ state, validationFailures })
  })

  test('is an ERROR when the answer is no GraphQL', async () => {
    json(404, 'not here')
    expect(await execute([step()], {}, { dataset })).toMatchObject({
      state: 'ERROR',
      errorCode: 'INVALID_RESPONSE',
    })
  })
})

test('secrets are usable and never show', async () => {
  json(200, { echo: 'k3y-"4711"\n' })
  const updates: unknown[] = []
  const outcome = await run({
    sandbox,
    source: '',
    environment: environment({
      baseUrl: server.url,
      secrets: { API_KEY: 'k3y-"4711"\n' },
      variables: { region: 'eu' },
    }),
    credentials: { userId: 'ann', password: PASSWORD },
    onUpdate: (update) => updates.push(update),
    scenario: {
      steps: [
        {
          id: 'a',
          name: 'for k3y-"4711"\n',
          http: {
            url: '/{{env.region}}',
            json: { key: '{{env.API_KEY}}' },
            query: { p: PASSWORD },
          },
          expect: [
            { path: '$.body.echo', assert: 'equals', value: `${'x'.repeat(190)}{{env.API_KEY}}` },
            { path: '$.headers', assert: 'equals', value: PASSWORD },
          ],
        },
        { id: 'b', http: { url: 'http://k3y-.example/{{env.API_KEY}}' } },
      ],
    },
  })
  expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({ key: 'k3y-"4711"\n' })
  expect(states(outcome)).toEqual(['a FAILED', 'b ERROR'])
  const everything = JSON.stringify([outcome, updates])
  expect(everything).not.toContain('4711')
  expect(everything).not.toMatch(/open.sesame|k3y-.{0,3}"/)
})
