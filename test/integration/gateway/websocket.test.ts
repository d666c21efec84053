import { once } from 'node:events'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'
import { startSubgraph } from '../../support/gateway/subgraph-server.ts'
import { startTicker, type Ticker } from '../../support/gateway/ticker.ts'

const LIMITS = { SUBSCRIPTION_MAX_PER_SOCKET: '3' }

let ticker: Ticker
let gateway: FederatedGateway
beforeAll(async () => {
  ticker = await startTicker()
  gateway = await startFederatedGateway(supergraphOf({ ticker }), LIMITS)
})
afterEach(() => ticker.until(0))
afterAll(async () => {
  await gateway?.stop()
  await ticker?.stop()
})

const TICKED = 'subscription { ticked { id value } }'
const url = () => gateway.url

describe('frames', () => {
  test.each<[string, string | object, number]>([
    ['what is no JSON', 'hello', 4400],
    ['an unknown type', { type: 'start' }, 4400],
    ['a subscription before the connection is initialised', frameOf('1', TICKED), 4401],
  ])('%s closes the socket', async (_what, frame, code) => {
    const raw = await RawSocket.open(url())
    raw.send(frame)
    expect(await raw.closed).toMatchObject({ code })
  })

  test('a second initialisation closes the socket with 4429', async () => {
    const raw = await RawSocket.ready(url())
    raw.send({ type: 'connection_init' })
    expect(await raw.closed).toMatchObject({ code: 4429 })
  })

  test('no initialisation in time closes the socket with 4408', async () => {
    const impatient = await startFederatedGateway(supergraphOf({ ticker }), {
      CONNECTION_INIT_TIMEOUT_MS: '2000',
    })
    const raw = await RawSocket.open(impatient.url)
    expect(await raw.closed).toMatchObject({ code: 4408 })
    await impatient.stop()
  })

  test('a ping is answered by a pong with its payload, before and after the initialisation', async () => {
    const raw = await RawSocket.open(url())
    raw.send({ type: 'ping', payload: { a: 1 } })
    expect(await raw.next()).toEqual({ type: 'pong', payload: { a: 1 } })
    raw.send({ type: 'connection_init' })
    expect(await raw.next()).toEqual({ type: 'connection_ack' })
    raw.send({ type: 'ping' })
    expect(await raw.next()).toEqual({ type: 'pong' })
    await raw.close()
  })

  test('an error ends an operation: no complete follows', async () => {
    const raw = await RawSocket.ready(url())
    raw.subscribe('1', '{ nope }')
    expect(await raw.next()).toMatchObject({ id: '1', type: 'error' })
    expect(await raw.rest()).toEqual([])
    await raw.close()
  })

  test.each([
    ['subscription Some($on: Boolean!) { ticked @include(if: $on) { id } }', 'Subscription "Some"'],
    ['subscription { ticked @skip(if: false) { id } }', 'Anonymous Subscription'],
    [
      'subscription { ...A } fragment A on Subscription { ... @skip(if: true) { ticked { id } } ...A }',
      'Anonymous Subscription',
    ],
  ])('a conditional stream is not valid: %s', async (query, named) => {
    const raw = await RawSocket.ready(url())
    raw.send({ id: '1', type: 'subscribe', payload: { query, variables: { on: true } } })
    expect(await raw.next()).toMatchObject({
      type: 'error',
      payload: [
        {
          message: `${named} must not use \`@skip\` or \`@include\` directives in the top level selection.`,
          locations: [expect.anything()],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ],
    })
    expect(await ask(url(), query)).toMatchObject({
      status: 200,
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED', requestId: expect.anything() } }],
    })
    raw.subscribe('2', 'subscription ($on: Boolean = false) { ticked { id value @skip(if: $on) } }')
    await ticker.until(1)
    await raw.close()
  })

  test('a query is answered by next and complete', async () => {
    const raw = await RawSocket.ready(url())
    raw.subscribe('1', '{ now { value } }')
    expect(await raw.next()).toEqual({
      id: '1',
      type: 'next',
      payload: { data: { now: { value: 0 } } },
    })
    expect(await raw.next()).toEqual({ id: '1', type: 'complete' })
    await raw.close()
  })

  test('nothing follows the complete of a client, and its id is free again', async () => {
    const raw = await RawSocket.ready(url())
    raw.subscribe('1', TICKED)
    await ticker.until(1)
    raw.send({ id: '1', type: 'complete' })
    await ticker.until(0)
    ticker.tick(1)
    expect(await raw.rest()).toEqual([])
    raw.subscribe('1', '{ now { id } }')
    expect(await raw.next()).toMatchObject({ id: '1', type: 'next' })
    await raw.close()
  })
})

/** Message of an event to a client. A pong may overtake a subscription that opens. */
async function ticked(client: RawSocket): Promise<{ id: string }[]> {
  ticker.tick(1)
  return (await client.rest()) as { id: string }[]
}

test('a socket has a limited number of subscriptions, whose ends make room', async () => {
  const raw = await RawSocket.ready(url())
  for (const id of ['1', '2', '3', '4']) raw.subscribe(id, TICKED)
  expect(await raw.next()).toEqual({
    id: '4',
    type: 'next',
    payload: {
      errors: [
        {
          message: expect.stringContaining(
            'at most 3 open subscriptions (SUBSCRIPTION_MAX_PER_SOCKET)',
          ),
          extensions: {
            code: 'OVERLOADED',
            retryAfterSeconds: expect.any(Number),
            requestId: expect.any(String),
          },
        },
      ],
    },
  })
  expect(await raw.next()).toEqual({ id: '4', type: 'complete' })
  raw.subscribe('query', '{ now { value } }')
  expect(await raw.next()).toMatchObject({ id: 'query', type: 'next' })
  expect(await raw.next()).toEqual({ id: 'query', type: 'complete' })
  raw.send({ id: '1', type: 'complete' })
  raw.subscribe('4', TICKED)
  const ids = new Set<string>()
  while (!ids.has('4')) for (const { id } of await ticked(raw)) ids.add(id)
  expect([...ids].sort()).toEqual(['2', '3', '4'])
  await raw.close()
})

test('equal subscriptions share one upstream and get the same bytes', async () => {
  const before = ticker.opened()
  const clients = await Promise.all([1, 2, 3].map(() => RawSocket.ready(url())))
  for (const client of clients) client.subscribe('1', TICKED)
  await ticker.until(1)
  for (const client of clients) while ((await ticked(client)).length === 0);
  for (const client of clients) await client.rest()
  ticker.tick(7)
  const texts = await Promise.all(clients.map((client) => client.text()))
  expect(new Set(texts)).toEqual(
    new Set(['{"id":"1","type":"next","payload":{"data":{"ticked":{"id":"t7","value":7}}}}']),
  )
  expect(ticker.opened() - before).toBe(1)
  expect(ticker.open()).toBe(1)
  await Promise.all(clients.slice(1).map((client) => client.close()))
  ticker.tick(8)
  expect(await clients[0]?.next()).toMatchObject({ payload: { data: { ticked: { value: 8 } } } })
  await clients[0]?.close()
})

test('the official client gets what it asks for over one socket, and errors of subscriptions', async () => {
  const client = official()
  const ticks = client.iterate({ query: TICKED })
  const first = ticks.next()
  await ticker.until(1)
  ticker.tick(1)
  expect(await first).toEqual({
    done: false,
    value: { data: { ticked: { id: 't1', value: 1 } } },
  })
  await ticks.return?.()
  const refused = client.iterate({ query: 'subscription { refused }' })
  expect((await refused.next()).value).toMatchObject({
    errors: [{ extensions: { requestId: expect.any(String) } }],
  })
  await client.dispose()
})

test.each<[Record<string, string>, string]>([
  [{ 'sec-fetch-site': 'cross-site' }, '403'],
  [{ 'sec-fetch-site': 'same-site' }, '403'],
  [{ origin: 'http://evil.example' }, '403'],
])('a page of another site (%j) gets no socket', async (headers, status) => {
  const address = `${url().replace('http', 'ws')}/graphql`
  const socket = new WebSocket(address, 'graphql-transport-ws', { headers })
  const [error] = await once(socket, 'error')
  expect(error.message).toContain(status)
})

test('a page that its browser calls of the same origin gets a socket, behind a proxy that renames the host', async () => {
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'https://assay.example' }
  const raw = await RawSocket.open(url(), { headers })
  await raw.close()
})

test('a reload keeps a subscription whose plan is the same, and tells the others to subscribe again', async () => {
  const other = await startSubgraph({
    sdl: 'type Tick @key(fields: "id") { id: ID! note: String } type Subscription { noted: Int }',
    resolvers: { Tick: { note: ({ id }: { id: string }) => `note of ${id}` } },
  })
  const both = supergraphOf({ ticker, other })
  try {
    await gateway.replace(both)
    await gateway.process.says(/The supergraph was reloaded/)
    const raw = await RawSocket.ready(url())
    raw.subscribe('kept', TICKED)
    raw.subscribe('ended', 'subscription { ticked { note } }')
    await ticker.until(2)
    await gateway.replace(supergraphOf({ ticker }))
    expect(await raw.next()).toMatchObject({
      id: 'ended',
      type: 'error',
      payload: [{ extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } }],
    })
    ticker.tick(3)
    expect(await raw.next()).toMatchObject({
      id: 'kept',
      payload: { data: { ticked: { value: 3 } } },
    })
    await raw.close()
  } finally {
    await other.stop()
  }
})

test('SIGTERM lets a mutation end, and tells clients to come back', async () => {
  const second = await startFederatedGateway(supergraphOf({ ticker }), LIMITS)
  const busy = await RawSocket.ready(second.url)
  const watching = await RawSocket.ready(second.url)
  const held = ticker.held()
  busy.subscribe('1', 'mutation { wait }')
  await held
  watching.subscribe('1', TICKED)
  await ticker.until(1)
  second.process.signal('SIGTERM')
  expect(await watching.closed).toMatchObject({ code: 1012 })
  busy.subscribe('2', '{ now { id } }')
  expect(await busy.next()).toMatchObject({
    id: '2',
    type: 'error',
    payload: [{ extensions: { code: 'OVERLOADED' } }],
  })
  ticker.release()
  expect(await busy.next()).toMatchObject({ id: '1', payload: { data: { wait: 1 } } })
  expect(await busy.next()).toEqual({ id: '1', type: 'complete' })
  expect(await busy.closed).toMatchObject({ code: 1012 })
  await second.stop()
})

const official = () =>
  createClient({
    url: `${url().replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })

function frameOf(id: string, query: string): object {
  return { id, type: 'subscribe', payload: { query } }
}
