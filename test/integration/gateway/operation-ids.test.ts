import { setTimeout as delay } from 'node:timers/promises'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'
import { startTicker, type Ticker } from '../../support/gateway/ticker.ts'

let ticker: Ticker
let gateway: FederatedGateway
beforeAll(async () => {
  ticker = await startTicker()
  gateway = await startFederatedGateway(supergraphOf({ ticker }))
})
afterEach(() => ticker.until(0))
afterAll(async () => {
  await gateway?.stop()
  await ticker?.stop()
})

const TICKED = 'subscription { ticked { id value } }'

test('an id that is in use closes the socket with 4409', async () => {
  const raw = await RawSocket.ready(gateway.url)
  raw.subscribe('1', TICKED)
  await ticker.until(1)
  raw.subscribe('1', TICKED)
  expect(await raw.closed).toMatchObject({ code: 4409 })
})

test.each([0, 20, 100])(
  'an id that is used again %s ms later belongs to the last subscription, which can be ended',
  async (ms) => {
    const raw = await RawSocket.ready(gateway.url)
    raw.subscribe('1', TICKED)
    for (let round = 0; round < 5; round++) {
      await delay(ms)
      raw.send({ type: 'complete', id: '1' })
      raw.subscribe('1', TICKED)
    }
    const frames: unknown[] = []
    for (let value = 1; frames.length === 0; value++) {
      ticker.tick(value)
      await delay(20)
      frames.push(...(await raw.rest()))
    }
    await delay(100)
    frames.push(...(await raw.rest()))
    expect(new Set(frames.map((frame) => JSON.stringify(frame))).size).toBe(frames.length)
    raw.send({ type: 'complete', id: '1' })
    await ticker.until(0)
    expect(await raw.rest()).toEqual([])
    await raw.close()
  },
)

test('an operation that is completed while it waits for its id never runs', async () => {
  const raw = await RawSocket.ready(gateway.url)
  raw.subscribe('1', TICKED)
  await ticker.until(1)
  const before = ticker.opened()
  // Read later, the second `complete` could find the stream opened already.
  raw.together(() => {
    raw.send({ type: 'complete', id: '1' })
    raw.subscribe('1', 'subscription { ticked { value } }')
    raw.send({ type: 'complete', id: '1' })
    raw.subscribe('1', '{ __typename }')
  })
  expect(await raw.next()).toMatchObject({
    type: 'next',
    payload: { data: { __typename: 'Query' } },
  })
  expect(await raw.next()).toEqual({ id: '1', type: 'complete' })
  await ticker.until(0)
  expect(ticker.opened()).toBe(before)
  await raw.close()
})

test('a third use of an id that is waited for closes the socket with 4409', async () => {
  const raw = await RawSocket.ready(gateway.url)
  raw.together(() => {
    raw.subscribe('1', TICKED)
    raw.send({ type: 'complete', id: '1' })
    raw.subscribe('1', TICKED)
    raw.subscribe('1', TICKED)
  })
  expect(await raw.closed).toMatchObject({ code: 4409 })
})
