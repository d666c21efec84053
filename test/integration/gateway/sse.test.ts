import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'graphql-sse'
import { eventually, withTimeEnough } from '../../support/eventually.ts'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { startTicker, type Ticker } from '../../support/gateway/ticker.ts'

let ticker: Ticker
let gateway: FederatedGateway
beforeAll(async () => {
  ticker = await startTicker()
  gateway = await startFederatedGateway(supergraphOf({ ticker }), {
    SUBSCRIPTION_KEEP_ALIVE_MS: '100',
    SUBSCRIPTION_BUFFER_BYTES: '100000',
    SUBSCRIPTION_STALL_MS: '1000',
  })
})
afterEach(() => ticker.until(0))
afterAll(async () => {
  await gateway?.stop()
  await ticker?.stop()
})

const TICKED = 'subscription { ticked { id value } }'
const HEADERS = { accept: 'text/event-stream', 'content-type': 'application/json' }

const official = (retryAttempts = 0) =>
  createClient({ url: `${gateway.url}/graphql`, singleConnection: false, retryAttempts })

const post = (body: object, signal?: AbortSignal) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

/** The answer without what only shows life. */
const textOf = async (response: Response) => (await response.text()).replaceAll(/^:\n\n/gm, '')

test('the official client gets events, and leaves', async () => {
  const client = official()
  const ticks = client.iterate({ query: TICKED })
  const first = ticks.next()
  await ticker.until(1)
  ticker.tick(1)
  expect(await first).toEqual({ done: false, value: { data: { ticked: { id: 't1', value: 1 } } } })
  await ticks.return?.()
  await ticker.until(0)
  client.dispose()
})

test("Apollo's multipart subscriptions have results, life, errors and an end", async () => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json;q=0.9',
    },
    body: JSON.stringify({ query: TICKED }),
  })
  expect(response.headers.get('content-type')).toBe(
    'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  )
  const parts: unknown[] = []
  let rest = ''
  const decoder = new TextDecoder()
  await ticker.until(1)
  ticker.tick(1)
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    // Clients read a part once the boundary behind it has come.
    const found = (rest + decoder.decode(chunk)).split('\r\n--graphql')
    rest = found.pop() ?? ''
    for (const part of found) if (part) parts.push(JSON.parse(part.split('\r\n\r\n')[1] ?? ''))
    if (parts.length > 1 && JSON.stringify(parts).includes('payload')) break
  }
  expect(parts).toContainEqual({})
  expect(parts).toContainEqual({ payload: { data: { ticked: { id: 't1', value: 1 } } } })
  await ticker.until(0)
})

test('queries and mutations are answered by next and complete', async () => {
  const response = await post({ query: '{ now { value } }' })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await textOf(response)).toBe(
    'event: next\ndata: {"data":{"now":{"value":0}}}\n\nevent: complete\ndata:\n\n',
  )
})

/** `Accept` of urql with queries and mutations. */
const ANY_OF_URQL =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'

test.each([
  ['application/json, text/event-stream;q=0.1', '{ now { id } }', 'application/json'],
  ['application/json, text/event-stream;q=0', '{ now { id } }', 'application/json'],
  [ANY_OF_URQL, '{ now { id } }', 'application/graphql-response+json'],
  ['text/event-stream, application/json', '{ now { id } }', 'text/event-stream'],
  ['text/event-stream; charset=utf-8', '{ now { id } }', 'text/event-stream'],
  ['text/event-stream;q=1.0;reconnect="a,b"', '{ now { id } }', 'text/event-stream'],
  ['application/json, Text/Event-Stream;level=1;q=0.5', TICKED, 'text/event-stream'],
  [
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
    '{ now { id } }',
    'application/graphql-response+json',
  ],
  ['application/json, text/event-stream', TICKED, 'text/event-stream'],
  ['application/json, text/event-stream;q=0', TICKED, 'application/json'],
])('%s gets %s as %s', async (accept, query, type) => {
  const leaving = new AbortController()
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...HEADERS, accept },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  })
  expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  leaving.abort()
})

test.each<[string, object, string]>([
  ['an operation that is not valid', { query: '{ nope }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['none', {}, 'BAD_USER_INPUT'],
  ['variables that are no object', { query: '{ now { id } }', variables: 7 }, 'BAD_USER_INPUT'],
])('%s is told by next and complete', async (_what, body, code) => {
  const response = await post(body)
  expect(response.status).toBe(200)
  const [, data = '', end] =
    /^event: next\ndata: (.*)\n\n(event: complete\ndata:\n\n)$/.exec(await textOf(response)) ?? []
  expect(end).toBeDefined()
  expect(JSON.parse(data)).toMatchObject({
    errors: [{ extensions: { code, requestId: response.headers.get('x-request-id') } }],
  })
})

test("the browser's way, by GET, takes subscriptions but no mutations", async () => {
  const get = (query: string, headers = {}) =>
    fetch(`${gateway.url}/graphql?${new URLSearchParams({ query, variables: '{}' })}`, {
      headers: { accept: 'text/event-stream', ...headers },
    })
  expect(await textOf(await get('{ now { id } }'))).toContain('"id":"t0"')
  expect(await textOf(await get('mutation { wait }'))).toContain('METHOD_NOT_ALLOWED')
  expect((await get(TICKED, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test('a quiet stream shows life, and a client that leaves it frees the upstream', async () => {
  const leaving = new AbortController()
  const response = await post({ query: TICKED }, leaving.signal)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let signs = 0
  while (signs < 3) signs += ((await reader?.read())?.value ?? '').split(':\n\n').length - 1
  await ticker.until(1)
  leaving.abort()
  await ticker.until(0)
})

/** Asks over a connection of its own, which the client can close for writing alone. */
async function send(query: string) {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  await once(socket, 'connect')
  const path = `/graphql?${new URLSearchParams({ query })}`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: ${HEADERS.accept}\r\n\r\n`)
  return socket
}

test('a client that closes its side gets its answer', async () => {
  const socket = await send('{ now { id } }')
  expect(await text(socket.end())).toContain('data: {"data":{"now":{"id":"t0"}}}')
})

test.each([
  ['before its stream opens', 0],
  ['later', 1],
])(
  'the stream of a subscriber that closes its side %s ends with the reason, and its upstream is free',
  async (_, live) => {
    const socket = await send(TICKED)
    await ticker.until(live)
    expect(await text(socket.end())).toContain('The client closed its side of the connection')
    await ticker.until(0)
  },
)

test('a client that does not read is told so, and its upstream is free', async () => {
  // It is cut off where it reads that too late.
  await eventually(async () => {
    const response = await post({ query: 'subscription { flood(bytes: 500000) }' })
    await ticker.until(1)
    await ticker.until(0)
    const told = (await textOf(response)).slice(-400)
    expect(told).toContain('left unread')
    expect(told).toContain('"code":"SLOW_CONSUMER"')
  })
})

test('one that does not read even that is cut off', async () => {
  await withTimeEnough(3_000, async (ms) => {
    const response = await post({ query: 'subscription { flood(bytes: 500000) }' })
    await ticker.until(1)
    await ticker.until(0)
    await delay(ms)
    await expect(textOf(response)).rejects.toThrow('terminated')
  })
})

test('a stop lets clients come back by themselves', async () => {
  const second = await startFederatedGateway(supergraphOf({ ticker }))
  const response = await fetch(`${second.url}/graphql`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ query: TICKED }),
  })
  await ticker.until(1)
  await second.stop()
  expect(await textOf(response)).toBe('')
  await ticker.until(0)
})
