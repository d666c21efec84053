import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Connections } from '../../../gateway/federation/links/http/connections.ts'
import { eventually } from '../../support/eventually.ts'
import { certOf, keyFile } from '../../support/tls.ts'

const LIMITS = { most: 64, silenceMs: 60_000, maxBody: 2 ** 24 }

let given: Connections | undefined
let server: Pick<Server, 'close'> | undefined
let sockets: Set<Socket>

beforeEach(() => {
  sockets = new Set()
})
afterEach(() => {
  given?.stop()
  server?.close()
  for (const socket of sockets) socket.destroy()
  given = server = undefined
})

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

const echo: Listener = async (request, response) => response.end(await buffer(request))

/** @returns the address of a server with this listener */
async function listening(made: Server): Promise<URL> {
  server = made
  made.on('connection', (socket: Socket) => void sockets.add(socket))
  made.listen(0, '127.0.0.1')
  await once(made, 'listening')
  return new URL(`http://127.0.0.1:${(made.address() as AddressInfo).port}/graphql?a=b`)
}

const connect = (url: URL, limits: Partial<typeof LIMITS> = {}) => {
  given = new Connections({ url, ...LIMITS, ...limits })
  return given
}

async function post(
  connections: Connections,
  body: string,
  {
    headers = {},
    isRepeatable = true,
  }: { headers?: Record<string, string>; isRepeatable?: boolean } = {},
): Promise<string> {
  const exchange = connections.exchangeOf(headers, body, { isRepeatable })
  connections.send(exchange)
  await exchange.begun
  await exchange.whole
  return exchange.body
}

test('a request goes out as it is given, whatever bytes its headers and its body have', async () => {
  const seen: unknown[] = []
  const url = await listening(
    createServer((request, response) => {
      seen.push(request.method, request.url, request.headers.host, request.headers['x-name'])
      void echo(request, response)
    }),
  )
  const answer = await post(connect(url), '{"größe":"€ 𝄞"}', { headers: { 'x-name': 'Zoë' } })
  expect(answer).toBe('{"größe":"€ 𝄞"}')
  expect(seen).toEqual(['POST', '/graphql?a=b', url.host, 'Zoë'])
})

test('a header cannot hold another one', async () => {
  const connections = connect(new URL('http://127.0.0.1:9'))
  const hostile: Record<string, string>[] = [
    { 'x-name': 'a\r\nb: c' },
    { 'x-name': 'a\nb' },
    { 'x\r\na': 'b' },
  ]
  for (const headers of hostile)
    expect(() => connections.exchangeOf(headers, '')).toThrow('is not allowed in HTTP')
})

test('as many requests are under way as there may be connections; the others wait', async () => {
  let [now, most] = [0, 0]
  const url = await listening(
    createServer(async (request, response) => {
      most = Math.max(most, ++now)
      await delay(5)
      now--
      void echo(request, response)
    }),
  )
  const connections = connect(url, { most: 10 })
  const bodies = Array.from({ length: 100 }, (_, index) => `body ${index}`)
  expect(await Promise.all(bodies.map((body) => post(connections, body)))).toEqual(bodies)
  expect(most).toBe(10)
  expect(sockets.size).toBe(10)
})

test('a long body arrives in one piece', async () => {
  const url = await listening(createServer(echo))
  const long = 'ü'.repeat(3_000_000)
  expect((await post(connect(url), long)) === long).toBe(true)
})

test('an idle connection is used again, but not up to the time at which its server closes it', async () => {
  // A slow machine may take longer than the server keeps a connection.
  await eventually(async () => {
    sockets.clear()
    const http = createServer(echo)
    http.keepAliveTimeout = 2_000
    const connections = connect(await listening(http))
    try {
      await post(connections, 'one')
      await post(connections, 'two')
      expect(sockets.size).toBe(1)
      await delay(1_100)
      await post(connections, 'three')
      expect(sockets.size).toBe(2)
    } finally {
      connections.stop()
      http.close()
    }
  })
})

test('idle connections are closed', async () => {
  const http = createServer(echo)
  http.keepAliveTimeout = 1_000
  const connections = connect(await listening(http))
  await post(connections, 'one')
  const [socket] = sockets
  if (!socket?.destroyed) await once(socket as Socket, 'close')
  expect(sockets.size).toBe(1)
})

/** Answers the first request of each connection and, in answer to another one there, closes it without a word. */
function forgetful(): Promise<URL> {
  let all = 0
  const answered = new WeakSet<Socket>()
  return talking((socket) => {
    if (answered.has(socket)) socket.destroy()
    else socket.write(answer(`${++all}`))
    answered.add(socket)
  })
}

test('what meets the end of an idle connection is sent again, unless it changes something', async () => {
  const connections = connect(await forgetful())
  expect(await post(connections, 'one')).toBe('1')
  expect(await post(connections, 'two')).toBe('2')
  await expect(post(connections, 'three', { isRepeatable: false })).rejects.toThrow('closed')
})

test('a connection that ended is not used again', async () => {
  const http = createServer(echo)
  const connections = connect(await listening(http))
  await post(connections, 'one')
  http.closeIdleConnections()
  await delay(100)
  expect(await post(connections, 'two', { isRepeatable: false })).toBe('two')
})

test('a request that changes something is not sent where the connection just ended', async () => {
  const connections = connect(await listening(createServer(echo)))
  await post(connections, 'one')
  const [socket] = sockets
  await delay(10) // continues among the timers, behind which the event loop looks for news of sockets
  socket?.destroy()
  const news = performance.now() + 20
  while (performance.now() < news); // on its way, and not read
  expect(await post(connections, 'two', { isRepeatable: false })).toBe('two')
  expect(sockets.size).toBe(2)
})

/** @returns the address of a server that does this with what it reads of a connection */
async function talking(act: (socket: Socket, request: string) => unknown): Promise<URL> {
  const tcp = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('data', (bytes) => act(socket, String(bytes)))
  })
  server = tcp as unknown as Server
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  return new URL(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`)
}

const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test('a response without a request is not taken for the next one', async () => {
  const url = await talking((socket, request) =>
    socket.write(answer(request.slice(-3)) + answer('bad')),
  )
  const connections = connect(url, { most: 1 })
  const bodies = ['one', 'two', 'thr', 'fou']
  const answers = await Promise.all(bodies.map((body) => post(connections, body)))
  expect(answers).toEqual(bodies)
  expect(sockets.size).toBe(bodies.length)
})

test('nor is the beginning of such a response', async () => {
  const url = await talking((socket, request) =>
    socket.write(`${answer(request.slice(-3))}HTTP/1.1 200 OK\r\nx-other: `),
  )
  const connections = connect(url, { most: 1 })
  const bodies = ['one', 'two', 'thr']
  expect(await Promise.all(bodies.map((body) => post(connections, body)))).toEqual(bodies)
})

test('a response that comes before its request is refused, and the request is sent over another connection', async () => {
  let all = 0
  const url = await talking(async (socket, request) => {
    all++
    socket.write(answer(request.slice(-3)))
    await delay(20)
    socket.write(answer('bad'))
  })
  const connections = connect(url)
  expect(await post(connections, 'one')).toBe('one')
  const [socket] = sockets
  if (!socket?.destroyed) await once(socket as Socket, 'close')
  expect(await post(connections, 'two', { isRepeatable: false })).toBe('two')
  expect(all).toBe(2)
})

test('a connection that breaks in a body without length is not used again', async () => {
  const url = await talking((socket, request) => {
    if (!request.endsWith('one')) return socket.write(answer('next'))
    socket.write('HTTP/1.1 200 OK\r\n\r\nhalf')
    return setTimeout(() => socket.resetAndDestroy(), 20)
  })
  const connections = connect(url)
  await expect(post(connections, 'one')).rejects.toThrow()
  expect(await post(connections, 'two', { isRepeatable: false })).toBe('next')
})

test('a response without a request closes the connection', async () => {
  const url = await talking((socket) => socket.write(answer('a').repeat(2)))
  const connections = connect(url)
  expect(await post(connections, 'one')).toBe('a')
  const [socket] = sockets
  if (!socket?.destroyed) await once(socket as Socket, 'close')
  expect(await post(connections, 'two')).toBe('a')
  expect(sockets.size).toBe(2)
})

test('nothing is answered once it stops', async () => {
  const connections = connect(await listening(createServer(() => {})), { most: 1 })
  const both = Promise.allSettled([post(connections, 'one'), post(connections, 'two')])
  await delay(50)
  connections.stop()
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(post(connections, 'three')).rejects.toThrow('The gateway stops')
})

test('TLS needs a certificate that is trusted', async () => {
  const tls = createTlsServer({ cert: certOf('first'), key: readFileSync(keyFile('first')) }, echo)
  const { port } = await listening(tls as unknown as Server)
  const connections = connect(new URL(`https://localhost:${port}/`))
  await expect(post(connections, 'one')).rejects.toMatchObject({
    code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/),
  })
})
