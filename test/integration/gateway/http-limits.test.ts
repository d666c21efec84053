import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from '../../support/eventually.ts'
import { announceBody } from '../../support/expect-continue.ts'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'

/** Lets the subgraph answer. */
let release = () => {}
const released = new Promise<void>((resolve) => {
  release = resolve
})

let slow: SubgraphServer
let gateway: FederatedGateway
/** One that waits for so short a time that a slow machine may miss it. */
let impatient: FederatedGateway
beforeAll(async () => {
  slow = await startSubgraph({
    sdl: 'type Query { slow: Int }',
    resolvers: { Query: { slow: () => released.then(() => 7) } },
  })
  gateway = await startFederatedGateway(supergraphOf({ slow }), {
    HTTP_MAX_REQUESTS: '2',
    HTTP_MAX_HEADER_BYTES: '2000',
    OPERATION_MAX_BYTES: '100000',
  })
  impatient = await startFederatedGateway(supergraphOf({ slow }), {
    HTTP_HEADERS_TIMEOUT_SECONDS: '1',
    HTTP_REQUEST_TIMEOUT_SECONDS: '2',
    HTTP_KEEP_ALIVE_SECONDS: '1',
  })
})
afterAll(async () => {
  release()
  await gateway?.stop()
  await impatient?.stop()
  await slow?.stop()
})

const send = (...pieces: string[]) => sendTo(gateway, ...pieces)

async function sendTo({ url }: FederatedGateway, ...pieces: string[]): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await once(socket, 'connect')
  for (const piece of pieces) socket.write(piece)
  return socket
}

/** All that comes until the server closes the connection. */
const answerOn = (socket: Socket) => text(socket)

const HEAD = 'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

test('headers that never end are given up', async () => {
  const answer = await answerOn(
    await sendTo(impatient, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('HTTP_HEADERS_TIMEOUT_SECONDS is 1')
  expect(answer).toContain('"code":"REQUEST_TIMEOUT"')
})

test('a connection without a request stays open for as long as set', async () => {
  const ping = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const answer = await answerOn(await sendTo(impatient, ping))
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nKeep-Alive: timeout=1\r\n/)
  const standard = await send(ping)
  const [first] = await once(standard, 'data')
  expect(String(first)).toContain('\r\nKeep-Alive: timeout=65\r\n')
  standard.destroy()
})

test('a body that never ends is given up', async () => {
  const part = `${HEAD}Content-Length: 1000\r\n\r\n{"query"`
  // A gateway that pauses sees the headers too late.
  await eventually(async () => {
    const answer = await answerOn(await sendTo(impatient, part))
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('HTTP_REQUEST_TIMEOUT_SECONDS is 2')
  })
})

test('headers that are too large are refused with the limit', async () => {
  const headers = { padding: 'x'.repeat(3_000) }
  const response = await fetch(`${gateway.url}/healthz`, { headers })
  expect(response.status).toBe(431)
  const requestId = response.headers.get('x-request-id')
  expect(await response.json()).toEqual({
    timestamp: expect.any(String),
    status: 431,
    error: 'Request Header Fields Too Large',
    message: expect.stringMatching(/HTTP_MAX_HEADER_BYTES/),
    path: '/healthz',
    code: 'HEADERS_TOO_LARGE',
    requestId,
  })
})

test('a client that offers HTTP/2 is answered over HTTP/1.1', async () => {
  const offer =
    'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  const answer = await answerOn(
    await send(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n`),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('so is one that offers a WebSocket where there are none', async () => {
  const offer =
    'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const answer = await answerOn(
    await send(`GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n`),
  )
  expect(answer).toMatch(/^HTTP\/1\.1 404 /)
})

test('a request without Host, or with two, is refused in the common shape, and an unknown expectation is ignored', async () => {
  const nobody = await answerOn(await send('GET /healthz HTTP/1.1\r\n\r\n'))
  expect(nobody).toMatch(/^HTTP\/1\.1 400 /)
  expect(nobody).toContain('"message":"The header Host is missing","path":"/healthz"')
  const twice = await answerOn(
    await send('GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n'),
  )
  expect(twice).toMatch(/^HTTP\/1\.1 400 /)
  expect(twice).toContain('"message":"The header Host comes twice"')
  const expecting = await answerOn(
    await send(
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\nConnection: close\r\n\r\n',
    ),
  )
  expect(expecting).toMatch(/^HTTP\/1\.1 200 /)
})

test('what is no HTTP is refused', async () => {
  const answer = await answerOn(await send('EHLO example.com\r\n\r\n'))
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"code":"BAD_USER_INPUT"')
})

test.each([
  ['1', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 50000 80\r\n')],
  ['2', Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000201c0000202c3500050', 'hex')],
])('version %s of the PROXY protocol is named, with what to do', async (_, preface) => {
  const socket = await send('')
  socket.write(Buffer.concat([preface, Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')]))
  expect(await answerOn(socket)).toMatch(/^HTTP\/1\.1 400 .*PROXY protocol.*turn it off there/s)
})

test('a method that is unknown is refused like others that are not offered', async () => {
  const request = (line: string) => send(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [head, body = ''] = (await answerOn(await request('FOO /graphql'))).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, POST, OPTIONS\r\n/)
  expect(JSON.parse(body)).toMatchObject({
    errors: [{ message: 'FOO is not offered here; use GET, POST, OPTIONS' }],
  })
  expect(await answerOn(await request('FOO /nowhere'))).toMatch(/^HTTP\/1\.1 404 /)
})

test('OPTIONS of the server as a whole is answered', async () => {
  const rest = 'Host: localhost\r\nConnection: close\r\n\r\n'
  expect(await answerOn(await send(`OPTIONS * HTTP/1.1\r\n${rest}`))).toMatch(/^HTTP\/1\.1 204 /)
})

test.each([
  ['a line break in its header', 'Authorization: Basic c2Vj\ncmV0', /line break.*base64 -w0/],
  ['the same with CR', 'Authorization: Basic c2Vj\r\ncmV0', /line break.*base64 -w0/],
  ['a folded header', 'Authorization: Basic\r\n c2VjcmV0', /line break/],
  ['a control character', 'Authorization: Basic c2Vj\x01cmV0', /control character/],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 2', /send one Content-Length/],
  [
    'both ways to end it',
    'Content-Length: 2\r\nTransfer-Encoding: chunked',
    /send one Content-Length/,
  ],
])('a request with %s fails in the shape of its address', async (_, header, message) => {
  const socket = await send(`${HEAD}${header}\r\n\r\n{}`)
  const [head, body = ''] = (await answerOn(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(body)).toMatchObject({ errors: [{ message: expect.stringMatching(message) }] })
  expect(body).not.toMatch(/c2Vj|cmV0/)
})

test('one that is sent together with another is refused in the common shape', async () => {
  const socket = await send(
    `GET /graphql?query={__typename} HTTP/1.1\r\nHost: localhost\r\n\r\n${HEAD}A: \x01\r\n\r\n`,
  )
  expect(await answerOn(socket)).toContain('control character","path":"","code":"BAD_USER_INPUT"')
})

test.each([
  ['cut off', 'Content-Length: 100\r\n\r\n{"query":'],
  ['in malformed chunks', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('a body that is %s is named as such, in the shape of its address', async (_, rest) => {
  const socket = await send(HEAD, rest)
  socket.end()
  const [head, body = ''] = (await answerOn(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(body)).toMatchObject({
    errors: [{ message: 'The request body is cut off, or its chunks are malformed' }],
  })
})

test('an endless body in chunks is refused at the limit, and the connection closed soon', async () => {
  const socket = await send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
  const chunk = `${(50_000).toString(16)}\r\n${' '.repeat(50_000)}\r\n`
  const more = () => {
    while (socket.writable && socket.write(chunk));
  }
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('drain', more)
  more()
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('OPERATION_MAX_BYTES allows 100000')
})

test('more requests than may be in flight are told to come back, and health is told all the same', async () => {
  // Earlier requests may be in flight for a moment longer.
  const admitted = async (query: string) => {
    for (;;) {
      const answer = await ask(gateway.url, query)
      if (answer.status !== 503) return answer
    }
  }
  const held = [admitted('{ a: slow }'), admitted('{ b: slow }')]
  while (slow.requests.length < held.length) await new Promise(setImmediate)

  const graphql = await fetch(`${gateway.url}/graphql?query={__typename}`)
  expect(graphql.status).toBe(503)
  expect(Number(graphql.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await graphql.json()).toEqual({
    errors: [
      {
        message: expect.stringContaining('HTTP_MAX_REQUESTS is 2'),
        extensions: { code: 'OVERLOADED', retryAfterSeconds: 2, requestId: expect.any(String) },
      },
    ],
  })
  const rest = await fetch(`${gateway.url}/api/testcase`)
  expect(await rest.json()).toMatchObject({
    status: 503,
    code: 'OVERLOADED',
    path: '/api/testcase',
  })
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  const early = { 'content-type': 'application/json' }
  expect(await announceBody(`${gateway.url}/graphql`, early)).toEqual({
    continued: false,
    status: 503,
  })

  release()
  for (const { data } of await Promise.all(held)) expect(Object.values(data)).toEqual([7])
  expect((await admitted('{ __typename }')).status).toBe(200)
})
