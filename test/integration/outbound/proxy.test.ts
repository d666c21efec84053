import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { type Collector, startCollector } from '../../support/collector.ts'

let collector: Collector
let proxy: Server
/** Requests of the proxy. */
let asked: string[]
let port: number
/** Status that it answers instead of passing requests on. */
let refusal: number | null
let credentials: unknown

beforeEach(async () => {
  asked = []
  refusal = null
  collector = await startCollector()
  // Whatever the name, the receiver is the collector: names are the proxy's to resolve.
  proxy = createServer((message, response) => {
    asked.push(`${message.method} ${message.url}`)
    credentials = message.headers['proxy-authorization']
    if (refusal !== null) return void response.writeHead(refusal).end()
    const { method = '', headers, url = '' } = message
    const path = new URL(url).pathname
    const onward = request({ port: collector.port, host: '127.0.0.1', method, path, headers })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    message.pipe(onward)
  })
  proxy.on('connect', (message, socket) => {
    asked.push(`CONNECT ${message.url}`)
    if (refusal !== null) return void socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const onward = connect(collector.port, '127.0.0.1')
    for (const end of [socket, onward]) end.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.pipe(onward).pipe(socket)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  port = (proxy.address() as AddressInfo).port // it listens on TCP
})
afterEach(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await collector.stop()
})

const send = (url: string, address = '93.184.215.14', user = '') => {
  const outbound = createOutbound({
    allow: [],
    ownPorts: [],
    proxy: `http://${user}127.0.0.1:${port}`,
    resolve: async () => [address],
  })
  const given = { method: 'POST', url, body: 'hello', timeoutMs: 25_000 } as const
  return outbound.send(given, ({ status }) => status)
}

test('a request goes through the proxy, which gets the name', async () => {
  expect(await send('http://receiver.example/hook', undefined, 'me:secret@')).toBe(204)
  expect(asked).toEqual(['POST http://receiver.example/hook'])
  expect(credentials).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`)
  expect(collector.requests).toMatchObject([
    { method: 'POST', path: '/hook', body: 'hello', headers: { host: 'receiver.example' } },
  ])
  expect(collector.requests[0]?.headers).not.toHaveProperty('authorization')
})

test('TLS goes through a tunnel to the receiver', async () => {
  await expect(send('https://receiver.example/hook')).rejects.toMatchObject({
    name: 'OutboundError',
    message: expect.stringMatching(/does not speak TLS/),
  })
  expect(asked).toEqual(['CONNECT receiver.example:443'])
})

test.each([
  ['a name that leads to a private address', 'http://receiver.example/', '10.0.0.1'],
  ['a name that leads to this machine', 'https://receiver.example/', '127.0.0.1'],
  ['a private address', 'http://192.168.0.1/', undefined],
  ['a metadata service', 'http://169.254.169.254/latest', undefined],
])('%s is refused before the proxy sees it', async (_, url, address) => {
  await expect(send(url, address)).rejects.toMatchObject({ reason: 'FORBIDDEN' })
  expect(asked).toEqual([])
})

test.each([403, 407, 502])(
  'a tunnel that the proxy answers with %i is its refusal',
  async (status) => {
    refusal = status
    await expect(send('https://receiver.example/')).rejects.toMatchObject({
      reason: 'UNREACHABLE',
      message: `The proxy of the operator (OUTBOUND_PROXY) did not connect: it answered ${status}`,
    })
  },
)

test('a proxy that wants a sign-in is named, and so is one that is away', async () => {
  refusal = 407
  await expect(send('http://receiver.example/')).rejects.toThrow(/OUTBOUND_PROXY.*407/)
  proxy.closeAllConnections()
  proxy.close()
  await once(proxy, 'close')
  await expect(send('http://receiver.example/')).rejects.toThrow(/OUTBOUND_PROXY.*refused/)
})
