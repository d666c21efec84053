import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { ClientSocket } from '../../../gateway/http/websocket/client-socket.ts'
import { OperationIds } from '../../../gateway/http/websocket/operation-ids.ts'

let server: WebSocketServer
beforeAll(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0, WebSocket: ClientSocket })
  await once(server, 'listening')
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

test.each([
  ['a reason that fits stays', 'a'.repeat(123), 'a'.repeat(123)],
  ['a longer one is cut', 'a'.repeat(124), `${'a'.repeat(120)}…`],
  ['no character is cut', 'ä'.repeat(30).padStart(131, '漢'), /^漢+ä*…$/],
  ['none stays none', undefined, ''],
])('of a closed socket, %s', async (_rule, reason, expected) => {
  const connected = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [socket] = (await connected) as [ClientSocket]
  const closed = once(client, 'close')
  socket.close(4409, reason)
  const [code, text] = (await closed) as [number, Buffer]
  expect([code, String(text)]).toEqual([
    4409,
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  ])
})

test('an id that waits already is named as the protocol says', async () => {
  const close: unknown[] = []
  const socket = { closed: false, close: (...reason: unknown[]) => void close.push(reason) }
  const ids = new OperationIds(socket, () => new Promise(() => {}))
  const subscribe = { type: 'subscribe', id: '1' }
  void ids.give(subscribe)
  void ids.give({ type: 'complete', id: '1' })
  await ids.give({ ...subscribe })
  await ids.give({ ...subscribe })
  expect(close).toEqual([[4409, 'Subscriber for 1 already exists']])
})
