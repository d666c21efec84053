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
afterAll(async () => {
  await gateway?.stop()
  await ticker?.stop()
})

/** As JSON, of about so many bytes. */
const list = (element: string, bytes: number): string =>
  `[${`${element},`.repeat(bytes / (element.length + 1))}${element}]`

const frame = (type: string, inner: string): string =>
  `{"id":"1","type":"${type}","payload":{"query":"{ now { id } }","extensions":{"a":${inner}}}}`

test.each(['connection_init', 'ping', 'subscribe'])(
  'before the acknowledgement, a %s of more than STRANGER_MAX_BYTES closes the socket',
  async (type) => {
    const raw = await RawSocket.open(gateway.url)
    raw.send(frame(type, list('{}', 66_000)))
    expect(await raw.closed).toEqual({
      code: 1009,
      reason: expect.stringContaining('STRANGER_MAX_BYTES'),
    })
  },
)

test.each([
  ['many values', 'subscribe', list('0', 900_000), 'MAX_BODY_VALUES'],
  ['many exact numbers', 'subscribe', list('1e400', 400_000), 'MAX_EXACT_NUMBERS'],
  ['deep values', 'subscribe', '['.repeat(40_000) + ']'.repeat(40_000), 'MAX_BODY_DEPTH'],
  ['many bytes', 'subscribe', `"${'x'.repeat(2 ** 20)}"`, 'OPERATION_MAX_BYTES'],
  ['a large ping', 'ping', list('{}', 66_000), 'PING_MAX_BYTES'],
  ['a large pong', 'pong', list('{}', 66_000), 'PING_MAX_BYTES'],
])('who may do something is closed for %s', async (_, type, inner, limit) => {
  const raw = await RawSocket.ready(gateway.url)
  raw.send(frame(type, inner))
  expect(await raw.closed).toEqual({ code: 1009, reason: expect.stringContaining(limit) })
})

test('who may do something sends as much as over HTTP', async () => {
  const raw = await RawSocket.ready(gateway.url)
  raw.send(frame('subscribe', `"${'x'.repeat(900_000)}"`))
  expect(await raw.next()).toMatchObject({ type: 'next', payload: { data: { now: {} } } })
  await raw.close()
})

test.each(['"{\\"type\\":\\"ping\\"}"', '[]', 'null', '1'])(
  'JSON that is no object closes the socket: %s',
  async (text) => {
    const raw = await RawSocket.open(gateway.url)
    raw.send(text)
    expect(await raw.closed).toMatchObject({ code: 4400 })
  },
)
