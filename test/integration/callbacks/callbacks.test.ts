import { Webhook } from 'standardwebhooks'
import type { Caller } from '../../../platform/access/caller.ts'
import { startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { type Collected, type Collector, startCollector, status } from '../../support/collector.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
  SIGNING_SECRET,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
let collector: Collector
const TABLES = ['execution', 'execution_update', 'callback_delivery'].map(
  (name) => `test_execution.${name}`,
)
beforeAll(async () => {
  executions = await runExecutions([20, 40])
  await executions.startWorker()
})
afterAll(() => executions.stop())
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector.stop())

const verified = ({ headers, body }: Collected): Data =>
  new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>)

const ended = ({ state }: Data) => state !== 'PENDING'
const answered = (code: number) => ({ status: code, error: null, durationMs: expect.any(Number) })
const unanswered = (error: string) => ({ status: null, error, durationMs: expect.any(Number) })

test('the end of an execution is told once, signed, and written down', async () => {
  const id = await executions.execute(`${collector.url}/hook?key=1`)
  const delivery = await executions.delivery(id, ended)
  expect(delivery).toMatchObject({
    url: `${collector.url}/hook?key=***`,
    state: 'DELIVERED',
    nextAttemptAt: null,
    attempts: [answered(204)],
  })
  expect(collector.requests).toMatchObject([
    {
      method: 'POST',
      path: '/hook?key=1',
      headers: { 'webhook-id': delivery.id, 'content-type': 'application/json; charset=utf-8' },
    },
  ])
  const [request] = collector.requests
  expect(request && verified(request)).toMatchObject({ id, state: 'COMPLETED' })
})

test.each([
  ['tax-table', 'FAILED'],
  ['shipping-quote', 'ERROR'],
])('%s ends %s and is told as well', async (scenario, state) => {
  const id = await executions.execute(collector.url, scenario)
  await executions.delivery(id, ended)
  const [request] = collector.requests
  expect(request && verified(request)).toMatchObject({ id, state, contextId: scenario })
})

test('the URL of a callback lies nowhere in clear', async () => {
  const id = await executions.execute(`${collector.url}/hook?key=t0p`)
  const delivery = await executions.delivery(id, ended)
  expect(delivery.url).toBe(`${collector.url}/hook?key=***`)
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const stored: string[] = []
  for (const table of [...TABLES, 'pgboss.job'])
    stored.push(JSON.stringify(await orm.em.fork().execute(`select * from ${table}`)))
  await orm.close()
  expect(stored.join()).toContain(id)
  expect(stored.join()).not.toMatch(/hook|t0p/)
  expect(collector.requests[0]?.path).toBe('/hook?key=t0p')
})

test('an execution without a callback URL has no delivery', async () => {
  const id = await executions.execute(null)
  const sentinel = await executions.execute(collector.url)
  await executions.delivery(sentinel, ended)
  expect(
    await executions.run(`{ executionResult(id: "${id}") { callbackDeliveries { id } } }`),
  ).toEqual({ executionResult: { callbackDeliveries: [] } })
  expect(collector.requests).toHaveLength(1)
})

test('what fails is tried again under the same id, each time with a valid signature', async () => {
  collector.answer((response, nth) => void response.writeHead(nth < 3 ? 500 : 202).end('later'))
  const id = await executions.execute(collector.url)
  const delivery = await executions.delivery(id, ended)
  expect(delivery).toMatchObject({
    state: 'DELIVERED',
    attempts: [answered(500), answered(500), answered(202)],
  })
  expect(collector.requests.map((request) => verified(request).id)).toEqual([id, id, id])
  expect(new Set(collector.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([delivery.id]),
  )
  expect(new Set(collector.requests.map(({ body }) => body)).size).toBe(1)
})

test('a receiver that asks to wait gets the next attempt no earlier', async () => {
  collector.answer((response, nth) =>
    nth === 1
      ? response.writeHead(503, { 'retry-after': '1' }).end()
      : response.writeHead(204).end(),
  )
  const delivery = await executions.delivery(await executions.execute(collector.url), ended)
  expect(delivery).toMatchObject({ state: 'DELIVERED', attempts: [answered(503), answered(204)] })
  const [first, second] = delivery.attempts.map(({ started }: Data) => Date.parse(started))
  expect(second - first).toBeGreaterThanOrEqual(1_000)
})

test('410 ends the attempts', async () => {
  collector.answer(status(410))
  const delivery = await executions.delivery(await executions.execute(collector.url), ended)
  expect(delivery).toMatchObject({ state: 'GIVEN_UP', attempts: [answered(410)] })
})

test('a redirect is not followed, but tried again', async () => {
  const elsewhere = await startCollector()
  collector.answer((response, nth) => {
    if (nth === 1) response.writeHead(308, { location: elsewhere.url }).end()
    else response.writeHead(200).end()
  })
  const delivery = await executions.delivery(await executions.execute(collector.url), ended)
  expect(delivery).toMatchObject({ state: 'DELIVERED', attempts: [answered(308), answered(200)] })
  expect(elsewhere.requests).toEqual([])
  await elsewhere.stop()
})

test('silence counts as a failure, an endless body behind a 2xx does not', async () => {
  collector.answer((response, nth) => {
    if (nth > 1) response.writeHead(200).write('and so on')
  })
  // A slow machine may miss an answer in so short a time more than once.
  const impatient = await runExecutions(Array(20).fill(20), 1_000)
  try {
    await impatient.startWorker()
    const { state, attempts } = await impatient.delivery(
      await impatient.execute(collector.url),
      ended,
    )
    expect(state).toBe('DELIVERED')
    expect(attempts[0]).toMatchObject(unanswered('No answer in time'))
    expect(attempts[0].durationMs).toBeGreaterThanOrEqual(950)
    expect(attempts.at(-1)).toMatchObject(answered(200))
  } finally {
    await impatient.stop()
  }
})

test('a dead delivery is listed and can be delivered again, under the same id', async () => {
  collector.answer(status(503))
  const id = await executions.execute(collector.url)
  const dead = await executions.delivery(id, ended)
  expect(dead).toMatchObject({
    state: 'DEAD',
    nextAttemptAt: null,
    attempts: [answered(503), answered(503), answered(503)],
  })
  const { callbackDeliveries } = await executions.run(
    '{ callbackDeliveries(filter: { state: DEAD }) { totalCount nodes { id state execution { id } } } }',
  )
  const { nodes, totalCount } = callbackDeliveries
  expect(nodes).toContainEqual({ id: dead.id, state: 'DEAD', execution: { id } })
  expect(nodes.every(({ state }: Data) => state === 'DEAD')).toBe(true)
  expect(nodes).toHaveLength(totalCount)

  const refused = Promise.withResolvers<void>()
  collector.answer(async (response, nth) => {
    await refused.promise
    response.writeHead(nth < 6 ? 500 : 200).end()
  })
  const REDELIVER =
    'mutation ($id: ID!) { redeliverCallback(input: { id: $id }) { id state nextAttemptAt } }'
  expect(await executions.run(REDELIVER, { id: dead.id })).toEqual({
    redeliverCallback: { id: dead.id, state: 'PENDING', nextAttemptAt: expect.any(String) },
  })
  expect(await executions.refused(REDELIVER, { id: dead.id })).toEqual([
    'CONFLICT',
    expect.stringContaining(dead.id),
  ])
  refused.resolve()
  const again = await executions.delivery(id, ended)
  expect(again.state).toBe('DELIVERED')
  expect(again.attempts.map((attempt: Data) => attempt.status)).toEqual([
    ...[503, 503, 503],
    ...[500, 500, 200],
  ])
  expect(new Set(collector.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const unknown of ['no-id', '01890000-0000-7000-8000-000000000000'])
    expect(await executions.refused(REDELIVER, { id: unknown })).toEqual([
      'NOT_FOUND',
      expect.stringContaining(unknown),
    ])
})

test('deliveries are listed page by page, newest first', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const delivery = await executions.delivery(await executions.execute(collector.url), ended)
    ids.unshift(delivery.id)
  }
  const PAGE = `query ($after: String) { callbackDeliveries(first: 2, after: $after) {
    nodes { id } pageInfo { endCursor hasNextPage } } }`
  const first = (await executions.run(PAGE)).callbackDeliveries
  const after = first.pageInfo.endCursor
  const second = (await executions.run(PAGE, { after })).callbackDeliveries
  const listed = [...first.nodes, ...second.nodes].map(({ id }: Data) => id)
  expect(listed.slice(0, 3)).toEqual(ids)
  expect(await executions.refused(PAGE, { after: 'nonsense' })).toEqual([
    'BAD_USER_INPUT',
    expect.any(String),
  ])
})

test('a name is told what an address is told; one that leads inside is a failed attempt', async () => {
  const id = await executions.execute(`http://receiver.example:${collector.port}/`)
  expect(await executions.delivery(id, ended)).toMatchObject({ state: 'DELIVERED' })
  const inside = await executions.execute(`http://inside.example:${collector.port}/`)
  const refusal = unanswered(
    'The name leads to an address that is not allowed: public ones are, and those of OUTBOUND_ALLOW, but no port of Assay itself',
  )
  expect(await executions.delivery(inside, ended)).toMatchObject({
    state: 'DEAD',
    attempts: [refusal, refusal, refusal],
  })
  expect(collector.requests).toHaveLength(1)
})

test.each([
  'no url',
  '',
  'ftp://127.0.0.1/',
  'http://user:password@127.0.0.1/',
  'http://169.254.169.254/',
  'http://10.0.0.1/',
  'http://0x7f000001:1/',
])('the callback URL "%s" is refused at once, and nothing runs', async (callbackUrl) => {
  expect(
    await executions.refused('mutation ($input: ExecuteInput!) { execute(input: $input) { id } }', {
      input: { contextId: 'no-such-scenario', callbackUrl },
    }),
  ).toEqual(['BAD_USER_INPUT', expect.stringMatching(/^callbackUrl: /)])
})

test('silent receivers do not hold up the others', async () => {
  const silent = await startCollector(() => {})
  const SILENT = 30
  for (let n = 0; n < SILENT; n++) await executions.execute(silent.url)
  await silent.received(2)
  await executions.delivery(await executions.execute(collector.url), ended)
  expect(silent.requests.length).toBeLessThan(SILENT)
  await silent.stop()
})

test('no log line tells a password, a key or what a callback URL says behind its host', async () => {
  collector.answer((response, nth) => void response.writeHead(nth < 2 ? 500 : 200).end())
  const url = `${collector.url}/hooks/path-secret?token=query-secret`
  const id = await executions.execute(url)
  await executions.delivery(id, ended)
  await executions.delivery(await executions.execute('http://inside.example/path-secret'), ended)
  const logged = executions.logged()
  expect(logged).toContain('Callback delivered')
  expect(logged).toContain('Callback not delivered')
  for (const secret of [PASSWORD, 'path-secret', 'query-secret', SIGNING_SECRET, 'v1,'])
    expect(logged).not.toContain(secret)
})

describe('a caller without a sign-in, where users sign in,', () => {
  const stranger = {
    requestId: 'test',
    user: null,
    permissions: [],
    address: '203.0.113.7',
  } satisfies Caller
  const EXECUTE =
    'mutation ($input: ExecuteInput!) { execute: executeWithoutSignIn(input: $input) { id } }'
  const inputOf = (callbackUrl: string) => ({ input: { contextId: 'open', callbackUrl } })
  const CREATE = 'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'

  const OPEN = {
    ...{ id: 'open', name: 'open', componentUnderTest: 'loan-schedule' },
    scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] },
    allowExecuteWithoutCredentials: true,
  }

  beforeAll(() => executions.run(CREATE, { input: OPEN }))

  test('names no address of this network', async () => {
    expect(await executions.refused(EXECUTE, inputOf(collector.url), stranger)).toEqual([
      'BAD_USER_INPUT',
      expect.stringContaining('callers without a sign-in reach public ones alone'),
    ])
  })

  test('reaches none by a name either', async () => {
    const url = `http://receiver.example:${collector.port}/`
    const { execute } = await executions.run(EXECUTE, inputOf(url), stranger)
    const tried = ({ attempts }: Data) => attempts.length > 0
    const { attempts } = await executions.delivery(execute.id, tried)
    expect(attempts[0].error).toContain('callers without a sign-in reach public ones alone')
    const known = await executions.execute(url)
    expect(await executions.delivery(known, ended)).toMatchObject({ state: 'DELIVERED' })
    expect(collector.requests).toHaveLength(1)
  })

  test('names twenty a minute', async () => {
    const flooding = { ...stranger, address: '203.0.113.8' }
    const url = 'http://inside.example/'
    const missing = { input: { ...inputOf(url).input, contextId: 'no-such-scenario' } }
    for (let nth = 0; nth < 20; nth++) await executions.refused(EXECUTE, missing, flooding)
    for (let nth = 0; nth < 20; nth++) await executions.run(EXECUTE, inputOf(url), flooding)
    expect(await executions.refused(EXECUTE, inputOf(url), flooding)).toEqual([
      'RATE_LIMITED',
      expect.stringContaining('OPEN_CALLBACKS_PER_MINUTE'),
    ])
    await executions.run(EXECUTE, inputOf(url), { ...flooding, address: '203.0.113.9' })

    const environment = { id: 'open-to-all', name: 'open-to-all' }
    await executions.run(
      'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
      { input: environment },
    )
    await executions.run(CREATE, {
      input: { ...OPEN, id: 'open-there', name: 'open-there', environment: environment.id },
    })
    const COMPONENT =
      'mutation ($input: ExecuteComponentInput!) { execute: executeComponent(input: $input) { contextId } }'
    const ofComponent = { componentName: 'Loan schedule', environmentId: environment.id }
    const input = { ...ofComponent, callbackUrl: url }
    const SUITES = '{ suites { nodes { id } } }'
    const before = await executions.run(SUITES)
    expect(await executions.refused(COMPONENT, { input }, flooding)).toEqual([
      'RATE_LIMITED',
      expect.stringContaining('OPEN_CALLBACKS_PER_MINUTE'),
    ])
    expect(await executions.run(SUITES)).toEqual(before)
    const { execute } = await executions.run(COMPONENT, { input: ofComponent }, flooding)
    expect(execute.contextId).toBe('component_loan-schedule')
  })
})
