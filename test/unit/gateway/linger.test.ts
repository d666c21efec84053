import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { lingerBehind } from '../../../gateway/http/server.ts'

const BODY_BYTES = 4_000_000
/** Time enough to send a body on a machine that is busy with other tests. */
const LIMITS = { ms: 3_000, bytes: 8_000_000 }

/** Answers at once, whatever is still to come. */
const server = createServer((request, response) => {
  lingerBehind(request, response, LIMITS)
  if (request.headers['x-read'] === 'some') request.on('data', () => {}).pause()
  response.writeHead(413).end('too large')
})
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close().closeAllConnections())

async function begin(announced: number, ...headers: string[]) {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const seen = { text: '', error: undefined as Error | undefined }
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    seen.text += text
  })
  socket.on('error', (error) => {
    seen.error = error
  })
  const lines = ['POST / HTTP/1.1', 'Host: a', `Content-Length: ${announced}`, ...headers, '', 'x']
  socket.write(lines.join('\r\n'))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'data')
  return { socket, seen, closed }
}

/** As far as the server takes it. */
async function write(socket: Socket, bytes: number): Promise<void> {
  for (let left = bytes; left > 0 && socket.writable; left -= 100_000) {
    if (!socket.write('x'.repeat(Math.min(left, 100_000))))
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
  }
}

test.each([
  ['kept', []],
  ['kept, and was read in part', ['X-Read: some']],
  ['not kept', ['Connection: close']],
  ['not kept, and was read in part', ['Connection: close', 'X-Read: some']],
])(
  'a client that goes on writing behind the answer reads it; the connection is %s',
  async (_, headers) => {
    const { socket, seen, closed } = await begin(BODY_BYTES, ...headers)
    await delay(50)
    await write(socket, BODY_BYTES - 1)
    if (headers.includes('Connection: close')) {
      socket.end()
      await closed
    } else {
      // Longer than a client may take to finish: it has finished.
      await delay(LIMITS.ms + 100)
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      await once(socket, 'end')
      socket.end()
      await closed
      expect(seen.text.match(/too large/g)).toHaveLength(2)
    }
    expect(seen.text).toMatch(/^HTTP\/1\.1 413 .*too large/s)
    expect(seen.error).toBeUndefined()
  },
)

test('a connection that is answered early many times keeps no listeners of these answers', async () => {
  const accepted = once(server, 'connection')
  const { socket } = await begin(2)
  const [served] = await accepted
  const listeners = () => served.listenerCount('close')
  socket.write('y')
  const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx'
  const counts = []
  for (let round = 0; round < 3; round++) {
    socket.write(request)
    await once(socket, 'data')
    counts.push(listeners())
    socket.write('y')
  }
  expect(new Set(counts).size).toBe(1)
  socket.destroy()
})

test.each([
  ['kept', []],
  ['not kept', ['Connection: close']],
])('a client that never ends is closed after a while; the connection is %s', async (_, headers) => {
  const accepted = once(server, 'connection')
  const { socket } = await begin(BODY_BYTES, ...headers)
  const [served] = await accepted
  if (!served.destroyed) await once(served, 'close')
  socket.destroy()
})

test('a client that sends too much is closed', async () => {
  const { socket, closed } = await begin(10 * LIMITS.bytes, 'Connection: close')
  await write(socket, 9 * LIMITS.bytes)
  await closed
  expect(socket.bytesWritten).toBeLessThan(9 * LIMITS.bytes)
})
