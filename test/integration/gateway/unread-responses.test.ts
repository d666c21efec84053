import { readUntil } from '../../conformance/calls.ts'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'
import { startTicker, type Ticker } from '../../support/gateway/ticker.ts'

/** Asked at the same time it is one request to the subgraph, and an answer for each. */
const LARGE = '{ text(bytes: 30000000) }'
/** Number of such responses that exceeds the memory of a process for its clients. */
const MANY = 12

/** No connection waits for the next request: one that waits while the gateway is busy may be closed under it. */
const ALONE = { connection: 'close' }

let ticker: Ticker
let gateway: FederatedGateway
beforeAll(async () => {
  ticker = await startTicker()
  gateway = await startFederatedGateway(supergraphOf({ ticker }), {
    SUBSCRIPTION_STALL_MS: '600000', // only the bound of the memory closes a socket here
    SUBSCRIPTION_KEEP_ALIVE_MS: '600000',
  })
})
afterAll(async () => {
  await gateway?.stop()
  await ticker?.stop()
})

async function metric(name: string): Promise<number> {
  const metrics = await (await fetch(`${gateway.url}/metrics`, { headers: ALONE })).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1])
}
const connections = () => metric('assay_http_connections')

async function expectServed(): Promise<void> {
  const { data } = await ask(gateway.url, LARGE, ALONE)
  expect(data.text.length).toBe(30_000_000)
}

test('a client that leaves large answers over a WebSocket unread is closed, and others go on', async () => {
  const other = await RawSocket.ready(gateway.url)
  const slow = await RawSocket.ready(gateway.url)
  slow.socket.pause()
  const before = await connections()
  for (let id = 0; id < MANY; id++) slow.subscribe(`${id}`, LARGE)
  await readUntil(connections, (now) => now < before)
  slow.socket.resume()
  expect(await slow.closed).toMatchObject({ code: 1006 })
  other.subscribe('1', LARGE)
  expect((await other.text()).length).toBeGreaterThan(30_000_000)
  expect(await other.next()).toEqual({ id: '1', type: 'complete' })
  await expectServed()
  await other.close()
})

test('of Server-Sent Events that are left unread, the oldest are given up, and others go on', async () => {
  const responses = await Promise.allSettled(
    Array.from({ length: MANY }, () =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...ALONE, accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query: LARGE }),
      }),
    ),
  )
  // The request for the metrics is one of them.
  await readUntil(
    () => metric('assay_http_requests_in_flight'),
    (now) => now <= MANY,
  )
  const read = await Promise.allSettled(
    responses.map((response) =>
      response.status === 'fulfilled' ? response.value.text() : Promise.reject(response.reason),
    ),
  )
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
  await expectServed()
})
