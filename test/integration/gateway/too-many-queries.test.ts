import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'

let release = () => {}
const released = new Promise<void>((resolve) => {
  release = resolve
})
let isAsked = () => {}
const asked = new Promise<void>((resolve) => {
  isAsked = resolve
})

let slow: SubgraphServer
let gateway: FederatedGateway
beforeAll(async () => {
  slow = await startSubgraph({
    sdl: 'type Query { slow: Int quick: Int } type Mutation { change: Int }',
    resolvers: {
      Query: {
        slow() {
          isAsked()
          return released.then(() => 7)
        },
        quick: () => 8,
      },
      Mutation: { change: () => 9 },
    },
  })
  gateway = await startFederatedGateway(supergraphOf({ slow }), { HTTP_MAX_QUERIES: '1' })
})
afterAll(async () => {
  release()
  await gateway?.stop()
  await slow?.stop()
})

test('more queries than may run are refused, over HTTP and WebSocket; mutations are not', async () => {
  const held = ask(gateway.url, '{ slow }')
  await asked
  const refused = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ quick }' }),
  })
  const error = {
    message: expect.stringContaining('HTTP_MAX_QUERIES is 1'),
    extensions: { code: 'OVERLOADED', retryAfterSeconds: 1 },
  }
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ errors: [error] })
  const url = `${gateway.url.replace('http', 'ws')}/graphql`
  const client = createClient({ url, webSocketImpl: WebSocket })
  const socket = client.iterate({ query: '{ quick }' })
  expect((await socket.next()).value).toMatchObject({ errors: [error] })
  expect((await ask(gateway.url, 'mutation { change }')).data).toEqual({ change: 9 })
  release()
  expect((await held).data).toEqual({ slow: 7 })
  expect((await client.iterate({ query: '{ quick }' }).next()).value.data).toEqual({ quick: 8 })
  await client.dispose()
})
