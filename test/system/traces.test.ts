import { randomUUID } from 'node:crypto'
import { graphql } from '../conformance/calls.ts'
import { rawEvent } from '../conformance/events.ts'
import { encoded, execute } from '../conformance/executions.ts'
import { checkAgainst } from '../conformance/row.ts'
import { type Assay, type Mode, startAssay } from '../support/assay.ts'
import { type Collector, startCollector, status } from '../support/collector.ts'
import { ask } from '../support/e2e/graph.ts'
import { createScenario } from '../support/e2e/scenarios.ts'
import { type ReceivedSpan, startOtlpReceiver } from '../support/system/otlp-receiver.ts'

const SECRET = `secret-${randomUUID()}`
/** The span of a client: where the trace begins. */
const CLIENT = { traceId: 'a'.repeat(31).concat('1'), spanId: 'b'.repeat(16) }
const other = (digit: string, flags: string) => `00-${digit.repeat(32)}-${CLIENT.spanId}-${flags}`
const traceparent = `00-${CLIENT.traceId}-${CLIENT.spanId}-01`

describe.each<Mode>(['in-process', 'distributed'])('a trace, %s', (mode) => {
  let assay: Assay
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
  let tested: Collector
  beforeAll(async () => {
    receiver = await startOtlpReceiver()
    tested = await startCollector(status(200))
    assay = await startAssay({
      mode,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=for%20the%20collector',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'info',
      },
    })
    checkAgainst(assay.url)
  })
  afterAll(() => Promise.all([assay?.stop(), tested?.stop(), receiver?.stop()]))

  let requestId = ''
  let spans: ReceivedSpan[] = []

  test('leads from the request of a client to the callback', async () => {
    const host = new URL(tested.url).host
    await graphql(
      'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
      { input: { id: 'lab', name: 'lab', baseUrl: tested.url, allowedHosts: [host] } },
    )
    const scenario = await createScenario(
      'export const answer = () => 42\n',
      [
        { id: 'call', call: { function: 'answer', args: [] } },
        { id: 'ask', http: { url: `/tested?password=${SECRET}` } },
      ],
      { environment: 'lab' },
    )
    requestId = randomUUID()
    const callbackUrl = encodeURIComponent(`${tested.url}/callback?token=${SECRET}`)
    const { body } = await execute(
      `/testcase/${scenario}/execute?synchron=true&environment=lab&callbackUrl=${callbackUrl}`,
      { traceparent, 'x-request-id': requestId, credentials: encoded('tester', SECRET) },
    )
    expect(body.state).toBe('COMPLETED')
    await tested.received(1, ({ path }) => path.startsWith('/callback'))
    await ask('query Known { testCases { totalCount } }', {}, { traceparent: other('c', '01') })
    const headers = { 'content-type': 'application/json', traceparent: other('d', '00') }
    const event = { body: JSON.stringify(rawEvent()), method: 'POST' }
    await fetch(`${assay.url}/api/v1/events`, { ...event, headers })
    headers.traceparent = other('e', '01')
    await fetch(`${assay.url}/api/v1/events`, { ...event, headers })
    await assay.stop()
    spans = receiver.spans.filter(({ traceId }) => traceId === CLIENT.traceId)

    const names = spans.map(({ name }) => name)
    for (const name of [
      'POST /api/testcase/:id/execute',
      'plan',
      'fetch test-execution',
      'subgraph test-execution',
      'SQL INSERT test_execution.execution',
      'enqueue execute',
      'run execute',
      'step call',
      'step http',
      'HTTP GET',
      'enqueue callback',
      'run callback',
      'callback',
      'enqueue execution-ended',
      'run execution-ended',
    ])
      expect(names).toContain(name)
  })

  test('is connected: every span but the first has its parent in it', () => {
    const ids = new Set([CLIENT.spanId, ...spans.map(({ spanId }) => spanId)])
    expect(spans.filter(({ parentId }) => !ids.has(parentId))).toEqual([])
    expect(spans.filter(({ parentId }) => parentId === CLIENT.spanId)).toMatchObject([
      { name: 'POST /api/testcase/:id/execute' },
    ])
    const chain = pathTo('callback')
    expect(chain.slice(0, 3)).toEqual(['POST /api/testcase/:id/execute', 'mutation', 'plan'])
    expect(chain).toContain('run execute')
    expect(chain.at(-2)).toBe('run callback')
  })

  /** Names from the first span down to one; of operations only the kind. */
  function pathTo(name: string): string[] {
    const path: string[] = []
    for (
      let span = spans.find((each) => each.name === name);
      span;
      span = spans.find(({ spanId }) => spanId === span?.parentId)
    )
      path.unshift(span.name.replace(/^mutation .*/, 'mutation'))
    return path
  }

  test('goes on in the systems that steps and callbacks reach, with the id of the request', () => {
    for (const [path, name] of [
      ['/tested', 'HTTP GET'],
      ['/callback', 'callback'],
    ] as const) {
      const request = tested.requests.find((each) => each.path.startsWith(path))
      const span = spans.find((each) => each.name === name)
      expect(request?.headers.traceparent).toBe(`00-${CLIENT.traceId}-${span?.spanId}-01`)
    }
    const callback = tested.requests.find(({ path }) => path.startsWith('/callback'))
    expect(callback?.headers['x-request-id']).toBe(requestId)
  })

  test('is named in the lines of the log, one of which is the request', () => {
    const lines = assay
      .logs()
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([
        'Execution begins',
        'Execution ended',
        'Callback delivered',
        'Request',
      ]),
    )
    expect(lines.filter(({ traceId }) => traceId !== CLIENT.traceId)).toEqual([])
    expect(lines.find(({ msg }) => msg === 'Request')).toMatchObject({
      level: 30,
      method: 'POST',
      route: '/api/testcase/:id/execute',
      status: 200,
      bytes: expect.any(Number),
    })
  })

  const namesOf = (digit: string) =>
    receiver.spans
      .filter(({ traceId }) => traceId === digit.repeat(32))
      .map(({ name }) => name.replace(/^SQL .*/, 'SQL'))

  test('covers GraphQL and events, as far as their clients want it', () => {
    for (const name of ['POST /graphql', 'prepare', 'query Known', 'plan', 'SQL'])
      expect(namesOf('c')).toContain(name)
    expect(namesOf('d')).toEqual([])
    expect(namesOf('e')).toEqual(expect.arrayContaining(['fetch events', 'subgraph events', 'SQL']))
  })

  test('holds no secret', () => {
    for (const secret of [SECRET, encoded('tester', SECRET)]) {
      expect(receiver.text()).not.toContain(secret)
      expect(assay.logs()).not.toContain(secret)
    }
  })
})
