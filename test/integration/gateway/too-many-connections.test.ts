import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'

let gateway: FederatedGateway
beforeAll(async () => {
  const books = { url: 'http://127.0.0.1:1/graphql', sdl: 'type Query { books: [String] }' }
  gateway = await startFederatedGateway(supergraphOf({ books }), { HTTP_MAX_CONNECTIONS: '2' })
})
afterAll(() => gateway?.stop())

async function open() {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'

test('a connection too many is told so, and closed; there is room again when one has closed', async () => {
  const first = await open()
  const second = await open()
  for (const headers of ['', UPGRADE]) {
    const third = await open()
    third.write(`GET /graphql HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`)
    const answer = await text(third)
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toMatch(/retry-after: 1\r\n/i)
    expect(answer).toMatch(/{"errors":\[{"message":".*HTTP_MAX_CONNECTIONS is 2/)
  }
  const silent = await open()
  expect(await text(silent)).toBe('')

  first.destroy()
  await gateway.process.says(/A connection too many was closed/)
  let answer = ''
  while (!answer.startsWith('HTTP/1.1 200')) {
    const again = await open()
    again.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    answer = await text(again)
  }
  second.destroy()
})
