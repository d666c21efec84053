import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import WebSocket from 'ws'
import { callTool, mcp } from '../support/e2e/mcp.ts'
import { assay, useAssay } from '../support/e2e/product.ts'
import { eventually } from '../support/eventually.ts'

const MAX_REQUESTS = 3
useAssay({
  env: {
    ...{ HTTP_MAX_REQUESTS: String(MAX_REQUESTS), ALLOWED_HOSTS: 'assay.example', MCP: 'on' },
    ...{ NOTIFICATIONS: 'paused', SCHEDULES: 'paused' },
  },
})

const SENT = { result: { sent: 1 } }
const EVENT = JSON.stringify({ title: 'By a careless address' })
const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends a request line and headers that no client library would. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<{ status: number; headers: IncomingMessage['headers']; body: unknown }> {
  const { hostname, port } = new URL(assay().url)
  const sent = request({ hostname, port, method, path, headers }).end(body)
  const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage]
  const isJson = response.headers['content-type']?.startsWith('application/json')
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: isJson ? await json(response) : await text(response),
  }
}

test('a request line may name the whole address', async () => {
  const whole = (path: string) => assay().url.replace('127.0.0.1', 'localhost') + path
  expect(await send('GET', whole('/api/component/count'))).toMatchObject({ status: 200 })
  expect(await send('POST', whole('/api/v1/events'), JSON_TYPE, EVENT)).toMatchObject({
    status: 202,
    body: SENT,
  })
  expect((await send('GET', 'http://127.0.0.1')).status).toBe(404)
})

test('what is paused is said by the gateway, and by the subgraph where it runs by itself', async () => {
  const paused = { notifications: 'paused', schedules: 'paused' }
  await eventually(async () =>
    expect((await send('GET', '/healthz')).body).toMatchObject({ status: 'ok', ...paused }),
  )
  const own = assay().subgraphs.urls.map(async (url) =>
    (await fetch(new URL('/healthz', url))).json(),
  )
  const found = (await Promise.all(own)) as object[]
  const isDistributed = assay().mode === 'distributed'
  expect(Object.assign({}, ...found)).toEqual(isDistributed ? { status: 'ok', ...paused } : {})
})

test('what waits to be stored can be watched', async () => {
  await eventually(async () => {
    const { body } = await send('GET', '/metrics')
    expect(body).toMatch(/^assay_ingestion_waiting_events 0$/m)
    expect(body).toMatch(/^assay_ingestion_waiting_bytes 0$/m)
  })
})

describe('when as many requests as are allowed are in flight', () => {
  const streams: { stop: AbortController; response: Response }[] = [] // what is forgotten is closed
  beforeAll(async () => {
    while (streams.length < MAX_REQUESTS) {
      const stop = new AbortController()
      const response = await fetch(`${assay().url}/graphql`, {
        method: 'POST',
        headers: { ...JSON_TYPE, accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { eventReceived { cursor } }' }),
        signal: stop.signal,
      })
      // An earlier request is over when the product has noticed.
      if (response.status === 503) await response.body?.cancel()
      else streams.push({ stop, response })
    }
  })
  afterAll(async () => {
    for (const { stop } of streams) stop.abort()
    // The product learns of it in its own time.
    while ((await send('GET', '/api/component/count')).status === 503) await setTimeout(10)
  })

  test.each([
    ['/api/v1/events', {}],
    ['/api//v1/events/?x=1', {}],
    ['/api/v1/events', { origin: 'http://localhost' }],
  ])('events are taken all the same at %s with %j', async (path, more: Record<string, string>) => {
    const { status, body } = await send(
      'POST',
      path,
      { ...JSON_TYPE, ...more, host: 'localhost' },
      EVENT,
    )
    expect({ status, body }).toMatchObject({ status: 202, body: SENT })
    expect((await send('GET', '/api/component/count')).status).toBe(503)
  })
})

test.each(['/api/swagger-ui/swagger-ui.css', '/graphql/graphiql/graphiql.css'])(
  'ranges and conditions of a request for %s are no fault of the product',
  async (path) => {
    const statusFor = async (headers: Record<string, string>) =>
      (await send('GET', path, { 'accept-encoding': 'gzip', ...headers })).status
    expect(await statusFor({ range: 'bytes=99999999-' })).toBe(200)
    expect(await statusFor({ 'if-match': '"another"' })).toBe(412)
    expect(await statusFor({ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' })).toBe(412)
  },
)

test.each(['/healthz', '/readyz', '/metrics'])('%s tells what it offers', async (path) => {
  const refused = await send('POST', path)
  expect(refused).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
  const asked = await send('OPTIONS', path)
  expect(asked.status).toBe(204)
  expect([refused, asked].map(({ headers }) => headers.allow)).toEqual([
    'GET, HEAD, OPTIONS',
    'GET, HEAD, OPTIONS',
  ])
})

test('GraphQL tells what it offers, and not what the page in its place does', async () => {
  const { status, headers } = await send('OPTIONS', '/graphql')
  expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: 'GET, POST, OPTIONS' })
})

test('a path that cannot be decoded is named as the fault', async () => {
  expect(await send('GET', '/api/result/%ff')).toMatchObject({
    status: 400,
    body: { message: 'The path is not percent-encoded UTF-8' },
  })
})

test('a mutation by GET is refused with the code of what is wrong', async () => {
  const { status, headers, body } = await send(
    'GET',
    `/graphql?query=${encodeURIComponent('mutation { signOut }')}`,
  )
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' })
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] })
})

describe('pages of the web', () => {
  const NOAUTH = '/api/noauth/execute/loan-schedule'
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  test.each<[string, Record<string, string>]>([
    ['by its origin', { origin: 'https://evil.example' }],
    ['without an origin', { origin: 'null' }],
    ['by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['on another port', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1' }],
  ])('a form of another page is refused: %s', async (_, headers) => {
    expect(await send('POST', NOAUTH, { ...FORM, ...headers })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('may not do this') },
    })
  })

  test('a page of Assay itself may', async () => {
    const { origin } = new URL(assay().url)
    const headers = { origin, 'sec-fetch-site': 'same-origin' }
    expect(await send('POST', '/api/v1/events', { ...JSON_TYPE, ...headers }, EVENT)).toMatchObject(
      { status: 202 },
    )
  })

  test.each<[string, string, string, string]>([
    ['REST', 'GET', '/api/component', ''],
    ['events', 'POST', '/api/v1/events', EVENT],
    ['GraphQL', 'POST', '/graphql', '{"query":"{ __typename }"}'],
    ['metrics', 'GET', '/metrics', ''],
  ])('a name that leads here by rebinding is refused: %s', async (_, method, path, body) => {
    const host = `rebound.example:${new URL(assay().url).port}`
    const headers = {
      ...JSON_TYPE,
      host,
      origin: `http://${host}`,
      'sec-fetch-site': 'same-origin',
    }
    expect(await send(method, path, headers, body)).toMatchObject({ status: 403 })
    const known = { ...headers, host: 'assay.example', origin: 'http://assay.example' }
    expect((await send(method, path, known, body)).status).toBeLessThan(300)
  })

  test('nor does it get a socket', async () => {
    const socket = new WebSocket(
      `${assay().url.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
      { headers: { host: 'rebound.example' } },
    )
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    const [code] = await once(socket, 'close')
    expect(code).toBe(4403)
  })
})

test('without MCP_WRITE assistants find no tool that runs tests, and are refused where they call one', async () => {
  const { url } = assay()
  const { result } = await mcp(url, 'tools/list')
  const names = result.tools.map(({ name }: { name: string }) => name)
  expect(names).toContain('find_failures')
  expect(names).not.toContain('run_test')
  await expect(callTool(url, 'run_test', { id: 'finance' })).rejects.toThrow('MCP_WRITE=on')
  const { data } = await callTool(url, 'find_failures', { states: null })
  expect(data.executionResults.totalCount).toBe(0)
})

test('a page whose files a proxy does not find says what Assay needs, and no other page does', async () => {
  const { body } = await send('GET', '/', { accept: 'text/html' })
  expect(body).toMatch(/<p class="unloaded">[^<]*a host name of their own/)
  const [, sheet = ''] = /<link [^>]*href="([^"]+\.css)"/.exec(String(body)) ?? []
  expect((await send('GET', sheet)).body).toMatch(/\.unloaded\{display:none\}/)
})
