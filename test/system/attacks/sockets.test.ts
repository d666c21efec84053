import { startTarget, withstands } from '../../support/attacks/target.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'

const SOCKETS = 30
const MEGABYTE = 2 ** 20
const ACCEPTED_BYTES = 64_000
const SUBSCRIPTIONS = 10_000

let target: Awaited<ReturnType<typeof startTarget>>

beforeAll(async () => {
  target = await startTarget()
  await (await RawSocket.ready(target.url)).close()
})

afterAll(() => target?.stop())

const frame = (type: string, element: string, bytes: number): string =>
  `{"type":"${type}","payload":{"a":[${`${element},`.repeat(bytes / (element.length + 1) - 20)}0]}}`

test.each([
  ['ping', '0', MEGABYTE, 1009],
  ['ping', '{}', MEGABYTE, 1009],
  ['ping', '0', ACCEPTED_BYTES, 'pong'],
  ['connection_init', '{}', MEGABYTE, 1009],
  ['connection_init', '{}', ACCEPTED_BYTES, 'connection_ack'],
])(
  '30 sockets without a sign-in, each with a %s of [%s, …] of %s bytes: %s',
  async (type, element, bytes, outcome) => {
    const text = frame(type, element, bytes)
    await withstands(target, `${type} [${element}, …] ${bytes}`, async () => {
      const sockets = await Promise.all(
        Array.from({ length: SOCKETS }, () => RawSocket.open(target.url)),
      )
      for (const socket of sockets) socket.send(text)
      const outcomes = await Promise.all(
        sockets.map(async (socket) =>
          typeof outcome === 'number'
            ? (await socket.closed).code
            : ((await socket.next()) as { type: string }).type,
        ),
      )
      await Promise.all(sockets.map((socket) => socket.close()))
      expect(new Set(outcomes)).toEqual(new Set([outcome]))
    })
  },
)

test('10000 subscriptions over one socket without a sign-in', async () => {
  const query = 'subscription ($id: ID!) { executionUpdated(id: $id) { cursor } }'
  await withstands(target, '10000 subscriptions', async () => {
    const socket = await RawSocket.ready(target.url)
    for (let at = 0; at < SUBSCRIPTIONS; at++) {
      const variables = { id: `01a2161d-67c7-70f0-bb81-${String(at).padStart(12, '0')}` }
      socket.send({ id: `s${at}`, type: 'subscribe', payload: { query, variables } })
    }
    for (let ended = 0; ended < SUBSCRIPTIONS; )
      if (/"type":"(complete|error)"/.test(await socket.text())) ended++
    await socket.close()
  })
})
