import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { pino } from 'pino'
import { createHttpServer } from '../../../gateway/http/server.ts'
import { GracePeriod } from '../../../subgraphs/platform/process/grace-period.ts'
import { closeGracefully } from '../../../subgraphs/platform/subgraph/close-gracefully.ts'

/** Longer than a test may take. */
const LONG_MS = 3_600_000
const LIMITS = {
  ...{ requests: 10, queries: 10, connections: 10, headerBytes: 1_000, shutdownDelaySeconds: 0 },
  ...{ headersTimeoutMs: LONG_MS, requestTimeoutMs: LONG_MS, keepAliveMs: LONG_MS },
}

test.each([
  ['of what was no request', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['of a request that did not arrive before a stop', 'GET / HTTP/1.1\r\n', /^HTTP\/1\.1 408 /],
])(
  'a client that keeps its side open behind a refusal %s keeps no server from closing',
  async (_, text, refusal) => {
    const server = createHttpServer(
      {
        ...{ limits: LIMITS, log: pino({ level: 'silent' }), socketsPath: '/graphql' },
        ...{ failureBodyOf: () => undefined, tls: undefined },
      },
      (_request, response) => response.end(),
    )
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
