import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'
import { type SlowNetwork, startSlowNetwork } from '../../support/gateway/slow-network.ts'
import { startTicker, type Ticker } from '../../support/gateway/ticker.ts'

const KEEP_ALIVE_MS = 2_000
const STALL_MS = 1_500
const BYTES_PER_SECOND = 300_000

const LIMITS = {
  OPERATION_MAX_BYTES: `${10 * BYTES_PER_SECOND}`, // a message that takes seconds
  SUBSCRIPTION_KEEP_ALIVE_MS: `${KEEP_ALIVE_MS}`,
  SUBSCRIPTION_BUFFER_BYTES: '100000',
  SUBSCRIPTION_STALL_MS: `${STALL_MS}`,
}

// Each side is given up after a short time, in which a machine that pauses may not get to answer: so tests of who is there
// are repeated until nothing paused.
const SLOW = { code: 1013, reason: expect.stringContaining('Slow consumer') }

let ticker: Ticker
let gateway: FederatedGateway
let network: SlowNetwork
beforeAll(async () => {
  ticker = await startTicker()
  gateway = await startFederatedGateway(supergraphOf({ ticker }), LIMITS)
  network = await startSlowNetwork(gateway.url, BYTES_PER_SECOND)
})
afterEach(() => ticker.until(0))
afterAll(async () => {
  await network?.stop()
  await gateway?.stop()
  await ticker?.stop()
})

const TICKED = 'subscription { ticked { id value } }'
const url = () => gateway.url

test('a quiet socket is pinged; a client that does not answer is gone', async () => {
  const raw = await RawSocket.ready(url())
  raw.subscribe('1', TICKED)
  await once(raw.socket, 'ping')
  await ticker.until(1)
  raw.socket.pause()
  await ticker.until(0)
  raw.socket.resume()
  expect(await raw.closed).toMatchObject({ code: 1006 })
})

test('a client whose message is on its way for long is there', async () => {
  await eventually(async () => {
    const raw = await RawSocket.ready(network.url)
    const pad = 'x'.repeat(5 * BYTES_PER_SECOND)
    raw.send({
      id: '1',
      type: 'subscribe',
      payload: { query: '{ now { id } }', extensions: { pad } },
    })
    expect(await raw.next()).toMatchObject({ id: '1', type: 'next' })
    await raw.close()
  })
})

test('a client that is reading a large answer, and gets to the ping behind it late, is there', async () => {
  await eventually(async () => {
    const raw = await RawSocket.ready(network.url)
    raw.subscribe('1', `{ text(bytes: ${5 * BYTES_PER_SECOND}) }`)
    expect(await raw.next()).toMatchObject({ id: '1', type: 'next' })
    expect(await raw.rest()).toEqual([{ id: '1', type: 'complete' }])
    await raw.close()
  })
})

test('a client is there whose pong stands behind more mutations than run at a time', async () => {
  await eventually(async () => {
    const raw = await RawSocket.ready(url(), { autoPong: false })
    raw.socket.on('ping', (payload) => setTimeout(() => raw.socket.pong(payload), 100))
    await once(raw.socket, 'ping')
    for (let id = 0; id < 33; id++) raw.subscribe(`${id}`, 'mutation { wait }')
    await delay(3 * KEEP_ALIVE_MS)
    const releasing = setInterval(() => ticker.release(), 50).unref()
    for (let frame = 0; frame < 66; frame++)
      expect(await raw.text()).toMatch(/^\{"id":"\d+","type":"(next|complete)"/)
    clearInterval(releasing)
    await raw.close()
  })
})

test('a client that does not read is closed with a code that says so, and others go on', async () => {
  await eventually(async () => {
    const raw = await RawSocket.ready(url())
    raw.subscribe('1', 'subscription { flood(bytes: 500000) }')
    await raw.next()
    raw.socket.pause()
    await ticker.until(0)
    raw.socket.resume()
    expect(await raw.closed).toEqual(SLOW)
  })
})

test('a client that asks again and again and reads nothing is closed alike, and not answered any more', async () => {
  const raw = await RawSocket.ready(url())
  raw.socket.pause()
  const before = ticker.requests.length
  const askMore = (from: number) => {
    for (let id = from; id < from + 300; id++)
      raw.subscribe(`${id}`, `{ text(bytes: ${200_000 + id}) }`)
  }
  askMore(0)
  while (ticker.requests.length === before) await delay(20)
  await delay(STALL_MS * 3)
  const answered = () => ticker.requests.length - before
  expect(answered()).toBeLessThan(150)
  askMore(300)
  await delay(STALL_MS * 3)
  expect(answered()).toBeLessThan(150)
  raw.socket.resume()
  expect(await raw.closed).toEqual(SLOW)
})

test('a client that reads nothing is closed alike, whatever it sends meanwhile', async () => {
  const raw = await RawSocket.ready(url())
  raw.socket.pause()
  for (let id = 0; id < 130; id++) raw.subscribe(`${id}`, `{ text(bytes: ${75_000 + id}) }`)
  for (const until = performance.now() + 8 * STALL_MS; performance.now() < until; ) {
    raw.socket.pong()
    await delay(STALL_MS / 4)
  }
  raw.socket.resume()
  expect(await raw.closed).toEqual(SLOW)
})

test('a client that reads gets everything, however much it asks for at once', async () => {
  await eventually(async () => {
    const raw = await RawSocket.ready(url())
    for (let id = 0; id < 30; id++) raw.subscribe(`${id}`, `{ text(bytes: ${500_000 + id}) }`)
    for (let frame = 0; frame < 60; frame++)
      expect(await raw.text()).toMatch(/^\{"id":"\d+","type":"(next|complete)"/)
    await raw.close()
  })
})

test('a client that reads slowly is not taken for one that is gone', async () => {
  await eventually(async () => {
    const raw = await RawSocket.ready(url())
    const until = performance.now() + 3 * KEEP_ALIVE_MS
    // One short pause at a time: several in a row without reading in between would be a stall.
    raw.socket.on('message', () => {
      if (raw.socket.isPaused || performance.now() > until) return
      raw.socket.pause()
      setTimeout(() => raw.socket.resume(), STALL_MS / 10)
    })
    for (let id = 0; id < 30; id++) raw.subscribe(`${id}`, `{ text(bytes: ${2_000_000 + id}) }`)
    for (let frame = 0; frame < 60; frame++)
      expect(await raw.text()).toMatch(/^\{"id":"\d+","type":"(next|complete)"/)
    await raw.close()
  })
})
