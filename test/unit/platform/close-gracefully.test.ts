import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { GracePeriod } from '../../../platform/process/grace-period.ts'
import { CLOSABLE, closeGracefully } from '../../../platform/subgraph/close-gracefully.ts'

/** Longer than a test may take. */
const LONG = new GracePeriod(3_600_000)

test.each([
  ['without a byte', ''],
  ['with the begin of a request', 'GET / HTTP/1.1\r\nHost:'],
  ['after an answer', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
])('a connection %s keeps no server from closing', async (_name, text) => {
  const server = createServer(CLOSABLE, (_request, response) => response.end())
  server.keepAliveTimeout = 3_600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const closed = once(client.resume(), 'close')
  await accepted
  client.write(text)
  if (text.endsWith('\r\n\r\n')) await once(server, 'request')
  await closeGracefully(server, LONG)
  await closed
})
