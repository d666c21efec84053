import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'
import { askOverTls, certFile, certOf, keyFile } from '../../support/tls.ts'

const LOADED = /"msg":"TLS certificate loaded"/
const REFUSED = /"msg":"TLS files cannot be used; the keys before stay"/

let folder: string
let subgraph: SubgraphServer
let gateway: FederatedGateway
const cert = () => join(folder, 'cert.pem')
const key = () => join(folder, 'key.pem')
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-tls-'))
  await copyFile(certFile('first'), cert())
  await copyFile(keyFile('first'), key())
  subgraph = await startSubgraph({
    sdl: 'type Query { seven: Int }',
    resolvers: { Query: { seven: () => 7 } },
  })
  gateway = await startFederatedGateway(supergraphOf({ subgraph }), {
    TLS_CERT_FILE: cert(),
    TLS_KEY_FILE: key(),
  })
})
afterAll(async () => {
  await gateway?.stop()
  await subgraph?.stop()
  await rm(folder, { recursive: true })
})

const QUERY = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"query":"{ seven }"}',
}
const SEVEN = { data: { seven: 7 } }

test('the printed address is https, and answers over TLS', async () => {
  expect(gateway.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const { status, body, certificate } = await askOverTls(`${gateway.url}/graphql`, QUERY)
  expect([status, JSON.parse(body)]).toEqual([200, SEVEN])
  expect(certificate.subject.CN).toBe('first.assay.test')
})

test('WebSockets are served over TLS', async () => {
  class Trusting extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol, { ca: [certOf('first'), certOf('second')] })
    }
  }
  const url = `${gateway.url.replace('https', 'wss')}/graphql`
  const client = createClient({ url, webSocketImpl: Trusting, retryAttempts: 0 })
  const results = client.iterate({ query: '{ seven }' })
  expect(await results.next()).toMatchObject({ value: SEVEN })
  await client.dispose()
})

test('a request in plain HTTP is not answered, and harms nothing', async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await text(socket)).not.toContain('200')
  expect((await askOverTls(`${gateway.url}/healthz`)).status).toBe(200)
})

test('a handshake that does not come is given up', async () => {
  const impatient = await startFederatedGateway(supergraphOf({ subgraph }), {
    TLS_CERT_FILE: cert(),
    TLS_KEY_FILE: key(),
    HTTP_HEADERS_TIMEOUT_SECONDS: '1',
  })
  const socket = connect(Number(new URL(impatient.url).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'close')
  await impatient.stop()
})

test('changed files are loaded without a restart; unusable ones leave the keys as they were', async () => {
  await writeFile(cert(), 'nothing of use')
  gateway.process.signal('SIGHUP')
  await gateway.process.says(REFUSED)
  expect((await askOverTls(`${gateway.url}/healthz`)).certificate.subject.CN).toBe(
    'first.assay.test',
  )
  await copyFile(keyFile('second'), key())
  await copyFile(certFile('second'), cert())
  await gateway.process.says(LOADED)
  expect((await askOverTls(`${gateway.url}/healthz`)).certificate.subject.CN).toBe(
    'second.assay.test',
  )
})
