import { openCaller } from '../../../platform/access/caller.ts'
import { MAX_KEPT_BODY, MAX_KEPT_PASSED } from '../../../runner/run/evidence.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const SECRET = 'a-secret-of-the-environment'

let executions: RunningExecutions
let server: Collector
beforeAll(async () => {
  server = await startCollector()
  executions = await runExecutions()
  await executions.startWorker()
  await executions.run(
    `mutation ($environment: CreateEnvironmentInput!, $component: CreateComponentInput!) {
      createEnvironment(input: $environment) { id } createComponent(input: $component) { id } }`,
    {
      environment: {
        ...{ id: 'shop', name: 'Shop', baseUrl: server.url },
        secrets: [{ name: 'key', value: SECRET }],
      },
      component: { id: 'c', name: 'Talker', sourceCode: TALKER },
    },
  )
})
afterAll(() => Promise.all([executions.stop(), server.stop()]))

const TALKER = `export function talk() { console.log('one  two'); console.error('three'); return 1 }`

const STEP = `id: stepId state attempts captures message call { component function args result }
  exchange { durationMs request { method url headers body bodyLength } response { status headers body bodyLength } }`
const EXECUTE = `mutation ($input: ExecuteInput!) { execute(input: $input) { id state message steps { ${STEP} } } }`

let stored = 0
async function run(steps: object[]): Promise<Data> {
  stored += 1
  const id = `scenario-${stored}`
  await executions.run(
    `mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }`,
    {
      input: {
        ...{ id, name: id, componentUnderTest: 'c', environment: 'shop' },
        scenario: { steps },
      },
    },
  )
  const credentials = { userId: 'ann', password: PASSWORD }
  return (await executions.run(EXECUTE, { input: { contextId: id, credentials, wait: true } }))
    .execute
}

const answers = (status: number, body: string) =>
  server.answer((response) =>
    response
      .writeHead(status, { 'content-type': 'text/plain', 'set-cookie': 'sid=1', 'x-key': SECRET })
      .end(body),
  )

test('a failed step shows its last request and response, without secrets', async () => {
  answers(401, `not with ${SECRET}, nor ${PASSWORD}`)
  const { state, steps } = await run([
    {
      id: 'order',
      http: {
        url: '/orders?key={{env.key}}',
        headers: { 'X-Trace': '7' },
        json: { key: '{{env.key}}' },
      },
      retries: { count: 2 },
    },
  ])
  expect(state).toBe('FAILED')
  expect(steps).toEqual([
    {
      ...{ id: 'order', state: 'FAILED', attempts: 3, captures: null, call: null },
      message: expect.stringContaining('$.status'),
      exchange: {
        durationMs: expect.any(Number),
        request: {
          ...{ method: 'POST', url: `${server.url}/orders?key=***` },
          headers: expect.objectContaining({ 'x-trace': '7', authorization: '***' }),
          ...{ body: '{"key":"***"}', bodyLength: '{"key":"***"}'.length },
        },
        response: {
          status: 401,
          headers: expect.objectContaining({ 'set-cookie': '***', 'x-key': '***' }),
          ...{ body: 'not with ***, nor ***', bodyLength: 'not with ***, nor ***'.length },
        },
      },
    },
  ])
  expect(JSON.stringify(steps)).not.toContain(SECRET)
})

test('a step that succeeds keeps the beginning of its exchange, and what it captured', async () => {
  answers(200, `token ${SECRET}${'x'.repeat(MAX_KEPT_PASSED)}`)
  const { steps } = await run([{ id: 'read', http: { url: '/' }, capture: { status: '$.status' } }])
  expect(steps).toMatchObject([
    {
      ...{ attempts: 1, captures: { status: 200 } },
      exchange: {
        request: { method: 'GET' },
        response: { status: 200, bodyLength: 'token ***'.length + MAX_KEPT_PASSED },
      },
    },
  ])
  const { body } = steps[0].exchange.response
  expect([body.length, body.startsWith('token ***x')]).toEqual([MAX_KEPT_PASSED, true])
})

test('a call step shows its function, arguments and result, without secrets', async () => {
  const { steps } = await run([
    { id: 'said', call: { function: 'talk', args: ['{{env.key}}', { n: 7 }] } },
    { id: 'lost', call: { function: 'missing', args: ['x'.repeat(MAX_KEPT_BODY + 1)] } },
  ])
  const call = { component: 'Talker', function: 'talk', args: ['***', { n: 7 }], result: 1 }
  expect(steps).toMatchObject([
    { state: 'COMPLETED', call },
    { state: 'ERROR', call: { function: 'missing', args: null, result: null } },
  ])
})

test('of a long body the beginning is kept, and of very many bodies no more than a limit', async () => {
  answers(500, 'x'.repeat(MAX_KEPT_BODY + 1))
  const { steps } = await run(
    Array.from({ length: 80 }, (_, n) => ({ id: `s${n}`, http: { url: '/' } })),
  )
  const { response } = steps[0].exchange
  expect([response.body.length, response.bodyLength]).toEqual([MAX_KEPT_BODY, MAX_KEPT_BODY + 1])
  const kept = steps.filter(({ exchange }: Data) => exchange !== null)
  expect(kept.length).toBeGreaterThan(50)
  expect(kept.length).toBeLessThan(80)
  expect(steps.at(-1)).toMatchObject({ attempts: 1, state: 'FAILED' })
})

test('a step without a response shows what it sent', async () => {
  server.answer((response) => response.destroy())
  const { state, steps } = await run([{ id: 'lost', http: { url: '/lost' } }])
  expect(state).toBe('ERROR')
  expect(steps).toMatchObject([
    { exchange: { request: { method: 'GET', url: `${server.url}/lost` }, response: null } },
  ])
})

test('a step that waits in vain for a response shows how long it waited', async () => {
  server.answer(() => {})
  const { steps } = await run([{ id: 'hang', http: { url: '/hang' }, timeoutMs: 300 }])
  expect(steps).toMatchObject([{ state: 'ERROR', exchange: { response: null } }])
  // The time of the step starts a little before its request.
  expect(steps[0].exchange.durationMs).toBeGreaterThanOrEqual(250)
})

test.each<[string, object, string]>([
  ['nothing', {}, 'FAILED'],
  ['its body', { expect: [{ path: '$.body', assert: 'equals', value: 'no' }] }, 'FAILED'],
  ['its status', { expect: [{ assert: 'status', value: 404 }] }, 'COMPLETED'],
  [
    'the path of its status',
    { expect: [{ path: '$.status', assert: 'greaterThan', value: 1 }] },
    'COMPLETED',
  ],
  ['a capture of its status', { capture: { status: '$.status' } }, 'COMPLETED'],
  ['failing', { negative: true }, 'COMPLETED'],
])('a step with the status 404 that is about %s ends %#', async (_, about, state) => {
  answers(404, 'no')
  expect(await run([{ id: 'read', http: { url: '/' }, ...about }])).toMatchObject({ state })
})

test('who may not read executions sees no exchange of one that is open', async () => {
  answers(500, 'inside')
  const { id } = await run([{ id: 'read', http: { url: '/' } }])
  const READ = `query ($id: ID!) { executionResult(id: $id) { steps { state captures exchange { durationMs } } } }`
  const stranger = { ...openCaller('test'), permissions: [] }
  const { executionResult } = await executions.run(READ, { id }, stranger)
  expect(executionResult.steps).toEqual([{ state: 'FAILED', captures: null, exchange: null }])
})

describe('log lines', () => {
  const LINES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: ExecutionLogFilter) {
    executionResult(id: $id) { log logLines(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount pageInfo { startCursor endCursor hasNextPage } nodes { time level source message } } } }`
  let id: string
  beforeAll(async () => {
    const talk = (n: number) => ({ id: `talk${n}`, call: { function: 'talk' } })
    id = (await run([talk(1), talk(2)])).id
  })
  const lines = async (variables: Data): Promise<Data> =>
    (await executions.run(LINES, { id, ...variables })).executionResult

  test('they are the log, taken apart, in pages of both directions', async () => {
    const { log, logLines } = await lines({})
    const texts = logLines.nodes.map(
      ({ time, level, source, message }: Data) =>
        `${time.slice(11, 23)} ${level} ${source}  ${message}\n`,
    )
    expect(texts.join('')).toBe(log)
    expect(logLines.totalCount).toBe(texts.length)
    const first = (await lines({ first: 3 })).logLines
    const second = (await lines({ first: 3, after: first.pageInfo.endCursor })).logLines
    const back = (await lines({ last: 2, before: second.pageInfo.startCursor })).logLines
    expect([...first.nodes, ...second.nodes]).toEqual(logLines.nodes.slice(0, 6))
    expect(back.nodes).toEqual(logLines.nodes.slice(1, 3))
  })

  test('they are found by level, source and text', async () => {
    const found = async (filter: Data) =>
      (await lines({ filter })).logLines.nodes.map(({ message }: Data) => message)
    expect(await found({ sources: ['Talker'], levels: ['INFO'] })).toEqual(['one  two', 'one  two'])
    expect(await found({ text: 'THREE' })).toEqual(['three', 'three'])
    expect(await found({ text: '%' })).toEqual([])
    expect((await found({ sources: 'Execution' })).length).toBeGreaterThan(3)
  })

  test('they are found by the step that ran meanwhile', async () => {
    const { logLines } = await lines({ filter: { step: 'talk2' } })
    const messages: string[] = logLines.nodes.map(({ message }: Data) => message)
    expect(messages).toContain('one  two')
    expect(messages.at(-1)).toMatch(/^Step talk2 COMPLETED/)
    expect(messages.join()).not.toContain('talk1')
    expect((await lines({ filter: { step: 'other' } })).logLines.totalCount).toBe(0)
  })
})
