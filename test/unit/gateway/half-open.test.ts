import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { pino } from 'pino'
import { AppError } from '../../../formats/errors.ts'
import { createHttpServer } from '../../../gateway/http/server.ts'
import { readTls } from '../../../gateway/http/tls.ts'
import { GracePeriod } from '../../../platform/process/grace-period.ts'
import { closeGracefully } from '../../../platform/subgraph/close-gracefully.ts'
import { certFile, keyFile } from '../../support/tls.ts'

/** Longer than a test may take. */
const LONG_MS = 3_600_000
const LIMITS = {
  ...{ requests: 10, queries: 10, connections: 10, headerBytes: 1_000, shutdownDelaySeconds: 0 },
  ...{ headersTimeoutMs: LONG_MS, requestTimeoutMs: LONG_MS, keepAliveMs: LONG_MS },
}
const OPTIONS = {
  ...{ limits: LIMITS, log: pino({ level: 'silent' }), socketsPath: '/graphql' },
  tls: undefined,
  failures: {
    failureBodyOf: () => undefined,
    notOffered: () => new AppError('METHOD_NOT_ALLOWED', 'It is not offered'),
  },
}
const TLS = readTls({ cert: certFile('first'), key: keyFile('first') })

test.each([
  ['of what was no request', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['of a request that did not arrive before a stop', 'GET / HTTP/1.1\r\n', /^HTTP\/1\.1 408 /],
])(
  'a client that keeps its side open behind a refusal %s keeps no server from closing',
  async (_, text, refusal) => {
    const server = createHttpServer(OPTIONS, (_request, response) => response.end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const accepted = once(server, 'connection')
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const answered = once(client, 'data')
    client.write(text)
    await accepted
    const closed = closeGracefully(server, new GracePeriod(LONG_MS))
    expect(String(await answered)).toMatch(refusal)
    await closed
    client.destroy()
  },
)

test.each([
  ['TCP', undefined, connect],
  ['TLS', TLS, (to: { port: number; host: string }) => connectTls({ ...to, ca: TLS.cert })],
])(
  'a client that closes its side behind its requests gets every answer, and its connection ends, over %s',
  async (_, tls, open: (to: { port: number; host: string; allowHalfOpen: true }) => Socket) => {
    const server = createHttpServer({ ...OPTIONS, tls }, ({ socket, url }, response) => {
      const answer = () => response.end(`[${url}]`)
      if (socket.readableEnded) answer()
      else socket.once('end', answer)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const ended = once(server, tls ? 'secureConnection' : 'connection').then(([socket]) =>
      once(socket, 'close'),
    )
    const client = open({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.end(
      ['/a', '/b'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''),
    )
    expect((await text(client)).match(/\[.*?\]/g)).toEqual(['[/a]', '[/b]'])
    await ended
    await closeGracefully(server)
  },
)
