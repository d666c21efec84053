import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '../../support/eventually.ts'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'

/** Address that clients do not read. */
const INTERNAL = 'http://10.1.2.3:5432/books'
const BOOKS = {
  sdl: `type Query { books: [Book!]! }
    type Book @key(fields: "id") { id: ID! title: String }
    type Subscription { ticked: Int failed: Int }`,
  resolvers: {
    Query: { books: () => [{ id: 'b1', title: 'Emma' }] },
    Subscription: {
      failed: {
        async *subscribe() {
          yield {}
        },
        resolve() {
          throw new Error(`no answer of ${INTERNAL}`)
        },
      },
    },
  },
}
const SALES = {
  sdl: 'type Query { total: Int } type Book @key(fields: "id") { id: ID! sold: Int }',
  resolvers: {},
}

let books: SubgraphServer
let sales: SubgraphServer
let gateway: FederatedGateway
beforeAll(async () => {
  books = await startSubgraph(BOOKS)
  sales = await startSubgraph(SALES)
  gateway = await startFederatedGateway(supergraphOf({ books, sales }))
})
afterAll(async () => {
  await gateway?.stop()
  await books?.stop()
  await sales?.stop()
})

test('the body and the address of a subgraph that answers with no GraphQL stay inside', async () => {
  let status = 500
  const broken = createServer((_request, response) =>
    response
      .writeHead(status)
      .end('<pre>TypeError at /srv/secret.js:7 http://inside.example</pre>'),
  ).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/graphql`
  const second = await startFederatedGateway(supergraphOf({ books, sales: { ...sales, url } }))
  try {
    const { data, errors } = await ask(second.url, 'query Sold { books { title sold } }')
    expect(data).toEqual({ books: [{ title: 'Emma', sold: null }] })
    expect(errors).toEqual([
      {
        message: 'The subgraph sales answered with the HTTP status 500 and no GraphQL response',
        path: ['books'],
        extensions: { code: 'DOWNSTREAM_HTTP_ERROR', requestId: expect.any(String) },
      },
    ])
    await second.process.says(/"msg":"Fetch failed"/)
    const lines = second.process.output().split('\n')
    const failed = lines.filter((line) => line.includes('"msg":"Fetch failed"'))
    expect(failed.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 40,
        subgraph: 'sales',
        operation: 'Sold__sales__1',
        code: 'DOWNSTREAM_HTTP_ERROR',
        status: 500,
        cause: expect.stringContaining('500'),
        requestId: errors?.[0]?.extensions.requestId,
      }),
    ])
    const metrics = await (await fetch(`${second.url}/metrics`)).text()
    expect(metrics).toContain('{subgraph="sales",kind="query",outcome="http_error"} 1')
    status = 401
    // One that is too late with its answer counts as down.
    await eventually(async () => {
      const ready = await fetch(`${second.url}/readyz`)
      expect(await ready.json()).toMatchObject({ subgraphs: { books: 'up', sales: 'up' } })
    })
  } finally {
    await second.stop()
    broken.close()
    broken.closeAllConnections()
  }
})

/** All that a subscription brings, as text. */
async function subscribed({ url }: FederatedGateway, query: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
  })
  return response.text()
}

test('the log says why a subscription failed at its subgraph', async () => {
  const withoutSockets = createServer((_request, response) => response.writeHead(404).end())
  withoutSockets.listen(0, '127.0.0.1')
  await once(withoutSockets, 'listening')
  const url = `http://127.0.0.1:${(withoutSockets.address() as AddressInfo).port}/graphql`
  const second = await startFederatedGateway(supergraphOf({ books: { ...books, url }, sales }))
  try {
    expect(await subscribed(second, 'subscription Ticks { ticked }')).toContain(
      'DOWNSTREAM_HTTP_ERROR',
    )
    await second.process.says(
      /"subgraph":"books".*"operation":"Ticks__books__0".*response: 404".*"msg":"Fetch failed"/,
    )
  } finally {
    await second.stop()
    withoutSockets.close()
    withoutSockets.closeAllConnections()
  }
})

test('of the error of an event, clients read no address, and the log has it whole', async () => {
  expect(await subscribed(gateway, 'subscription { failed }')).toContain('no answer of [url]')
  await gateway.process.says(
    new RegExp(`"subgraph":"books".*"said":"no answer of ${INTERNAL}","msg":"A subgraph revealed`),
  )
})
