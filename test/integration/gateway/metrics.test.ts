import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { eventually } from '../../support/eventually.ts'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'

let books: SubgraphServer
let gateway: FederatedGateway
beforeAll(async () => {
  books = await startSubgraph({
    sdl: `type Query { book: String broken: String! }
      type Subscription { waited: Int }`,
    resolvers: {
      Query: {
        book: () => 'Emma',
        broken: () => {
          throw new Error('broken')
        },
      },
      Subscription: {
        waited: {
          async *subscribe() {
            yield { waited: 1 }
            await new Promise(() => {})
          },
        },
      },
    },
  })
  gateway = await startFederatedGateway(supergraphOf({ books }))
})
afterAll(async () => {
  await gateway?.stop()
  await books?.stop()
})

/** The value of a sample, written as Prometheus reads it. */
async function sampleOf(sample: string): Promise<number | undefined> {
  const lines = (await scrape()).split('\n')
  const line = lines.find((each) => each.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

async function scrape(): Promise<string> {
  const response = await fetch(`${gateway.url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return response.text()
}

const count = (metric: string, labels: string) => sampleOf(`${metric}_count{${labels}}`)

test('operations are counted by name, kind and outcome; plans and fetches, too', async () => {
  for (let time = 0; time < 3; time++) await ask(gateway.url, 'query Read { book }')
  await ask(gateway.url, 'query Fail { broken }')

  const operations = 'assay_graphql_operation_duration_seconds'
  const fetches = 'assay_subgraph_request_duration_seconds'
  const requests = 'assay_http_request_duration_seconds'
  // An answered request may be counted a moment later.
  await eventually(async () => {
    expect(await count(operations, 'name="Read",kind="query",outcome="ok"')).toBe(3)
    expect(await count(operations, 'name="Fail",kind="query",outcome="failed"')).toBe(1)
    expect(await sampleOf('assay_graphql_plan_duration_seconds_count')).toBe(2)
    expect(await sampleOf('assay_graphql_plan_cache_hits_total')).toBeGreaterThanOrEqual(2)
    expect(await count(fetches, 'subgraph="books",kind="query",outcome="ok"')).toBe(3)
    expect(await count(fetches, 'subgraph="books",kind="query",outcome="errors"')).toBe(1)
    expect(await count(requests, 'method="POST",route="/graphql",status="200"')).toBe(4)
  })
})

test('operations that a reload has prepared ahead count as prepared already', async () => {
  const plans = 'assay_graphql_plan_duration_seconds_count'
  const hits = 'assay_graphql_plan_cache_hits_total'
  await ask(gateway.url, 'query Warmed { book }')
  const before = { plans: await sampleOf(plans), hits: await sampleOf(hits) }
  await gateway.replace(`${supergraphOf({ books })}\n# another`)
  await gateway.process.says(/The supergraph was reloaded/)
  await ask(gateway.url, 'query Warmed { book }')
  expect({ plans: await sampleOf(plans), hits: await sampleOf(hits) }).toEqual({
    plans: before.plans,
    hits: Number(before.hits) + 1,
  })
})

test('operations over a limit are counted once, by the limit, whichever way they come', async () => {
  const query = `{ ${'book '.repeat(16_000)} }`
  const json = { 'content-type': 'application/json' }
  const nested = '{a'.repeat(300)
  await ask(gateway.url, query)
  await ask(gateway.url, query, { 'content-type': 'application/json ; charset=utf-8' })
  await ask(gateway.url, nested)
  await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query: nested })}`)
  const sse = { method: 'POST', headers: { ...json, accept: 'text/event-stream' } }
  await fetch(`${gateway.url}/graphql`, { ...sse, body: JSON.stringify({ query: nested }) })
  const client = createClient({
    url: `${gateway.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })
  await expect(client.iterate({ query: nested }).next()).rejects.toBeDefined()
  await client.dispose()
  const refusals = (limit: string) =>
    sampleOf(`assay_graphql_limit_refusals_total{limit="${limit}"}`)
  await eventually(async () => {
    expect(await refusals('OPERATION_MAX_TOKENS')).toBe(2)
    expect(await refusals('nesting')).toBe(4)
  })
})

test('subscriptions of clients, streams of subgraphs and connections are counted while they are open', async () => {
  const subscriptions = () => sampleOf('assay_graphql_subscriptions{name="Wait"}')
  const streams = () => sampleOf('assay_subgraph_streams{subgraph="books"}')
  const clients = [1, 2].map(() =>
    createClient({
      url: `${gateway.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    }),
  )
  const ended = clients.map((client) =>
    client
      .iterate({ query: 'subscription Wait { waited }' })
      .next()
      .catch(() => {}),
  )
  while ((await subscriptions()) !== 2);
  while ((await streams()) !== 1); // equal subscriptions share one
  expect(await sampleOf('assay_http_connections')).toBeGreaterThanOrEqual(2)
  expect(await sampleOf('assay_http_requests_in_flight')).toBeGreaterThanOrEqual(0)

  for (const client of clients) await client.dispose()
  await Promise.all(ended)
  while ((await subscriptions()) !== 0 || (await streams()) !== 0);
})

test('clients cannot make labels: names beyond the first 200, paths and methods are counted together', async () => {
  for (let name = 0; name < 210; name++) await ask(gateway.url, `query N${name} { __typename }`)
  await fetch(`${gateway.url}/nothing/at-all`, { method: 'PROPFIND' })
  await eventually(async () => {
    const text = await scrape()
    expect(new Set(text.match(/name="N\d+"/g)).size).toBeLessThanOrEqual(200)
    expect(text).toMatch(/name="other",kind="query",outcome="ok"/)
    expect(text).toMatch(/method="other",route="other",status="404"/)
    expect(text).not.toContain('at-all')
  })
})

test.each([
  [
    'in connection_init',
    {},
    { 'graphql-client-name': 'wall', 'graphql-client-version': '1' },
    'wall',
  ],
  ['below its headers', {}, { headers: { 'apollographql-client-name': 'page' } }, 'page'],
  ['in the handshake', { 'graphql-client-name': 'job' }, {}, 'job'],
])(
  'operations of a WebSocket are counted by the client that names itself %s',
  async (_, headers, connectionParams, client) => {
    class Named extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { headers })
      }
    }
    const url = `${gateway.url.replace('http', 'ws')}/graphql`
    const socket = createClient({ url, webSocketImpl: Named, connectionParams, retryAttempts: 0 })
    expect((await socket.iterate({ query: '{ book }' }).next()).value).toEqual({
      data: { book: 'Emma' },
    })
    await socket
      .iterate({ query: '{ nothing }' })
      .next()
      .catch(() => {})
    await socket.dispose()
    const version = client === 'wall' ? '1' : ''
    for (const status of ['200', '400'])
      expect(
        await sampleOf(
          `assay_graphql_client_requests_total{client="${client}",version="${version}",status="${status}"}`,
        ),
      ).toBe(1)
  },
)
