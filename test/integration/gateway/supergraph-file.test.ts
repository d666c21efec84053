import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jest } from '@jest/globals'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { forwardedHeaders } from '../../../gateway/federation/links/introduction.ts'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import { remoteLink } from '../../../gateway/federation/links/remote-link.ts'
import type { NamedSubgraph } from '../../../gateway/federation/supergraph/subgraphs.ts'
import {
  fileSource,
  openSupergraphFile,
} from '../../../gateway/federation/supergraph/supergraph-file.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { callTool, mcp } from '../../support/e2e/mcp.ts'
import { eventually } from '../../support/eventually.ts'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'
import { spawnProduct } from '../../support/product-process.ts'

/** Ends the field that takes long. */
const slow = Promise.withResolvers<number>()

const BOOKS = {
  sdl: `type Query { books: [Book!]!  slow: Int }
    type Book @key(fields: "id") { id: ID! title: String }
    type Subscription { ticked: Int counted(from: Int, after: String): Count }
    type Count { cursor: ID! of: Int }`,
  resolvers: {
    Query: { books: () => [{ id: 'b1', title: 'Emma' }], slow: () => slow.promise },
    Subscription: {
      ticked: {
        async *subscribe() {
          yield { ticked: 1 }
        },
      },
      counted: {
        async *subscribe(_: unknown, { from, after }: { from: number; after?: string }) {
          const nth = Number(after ?? from) + 1
          yield { counted: { cursor: nth, of: from } }
          await new Promise(() => {})
        },
      },
    },
  },
}
const SALES = {
  sdl: 'type Query { total: Int } type Book @key(fields: "id") { id: ID! sold: Int }',
  resolvers: { Book: { sold: ({ id }: { id: string }) => (id === 'b1' ? 7 : null) } },
}
/** Nothing listens there. */
const DOWN = 'http://127.0.0.1:1/graphql'

const DOCUMENTS = {
  list: '"Lists the books." query list_books { books { title sold } }',
  slow: '# Takes long.\nquery take_long { slow }',
  other: 'query other { books { id } }',
}

const RULES = 'all: { headers: { request: [{ insert: x-by, value: assay }] } }'

let books: SubgraphServer
let sales: SubgraphServer
let gateway: FederatedGateway
const documents = join(tmpdir(), `assay-documents-${process.pid}.json`)
const settings = join(tmpdir(), `assay-gateway-${process.pid}.yaml`)
beforeAll(async () => {
  await writeFile(settings, RULES)
  await writeFile(documents, JSON.stringify(DOCUMENTS))
  books = await startSubgraph(BOOKS)
  sales = await startSubgraph(SALES)
  gateway = await startFederatedGateway(supergraphOf({ books, sales: { ...sales, url: DOWN } }), {
    FORWARD_HEADERS: 'Authorization, x-tenant',
    GATEWAY_CONFIG: settings,
    SUBGRAPH_PIPELINING: 'sales',
    QUERY_PLANS: 'true',
    ...{ MCP: 'on', MCP_TOOL_SECONDS: '20', MCP_MAX_CALLS: '1', TRUSTED_DOCUMENTS: documents },
  })
})
afterAll(async () => {
  await gateway?.stop()
  await books?.stop()
  await sales?.stop()
})

test('trusted documents with a description are tools of assistants, with what their subgraphs lack', async () => {
  const { result } = await mcp(gateway.url, 'tools/list')
  expect(result.tools).toMatchObject([
    { name: 'list_books', description: 'Lists the books.', annotations: { readOnlyHint: true } },
    { name: 'take_long', inputSchema: { properties: {} } },
  ])
  const { data, errors } = await callTool(gateway.url, 'list_books', {})
  expect(data).toEqual({ books: [{ title: 'Emma', sold: null }] })
  expect(errors).toMatchObject([{ message: expect.stringContaining('DOWNSTREAM_UNREACHABLE') }])
})

test('a tool that takes long is an error in time, and keeps its place until it has ended', async () => {
  const { url } = gateway
  const left = mcp(url, 'tools/call', { name: 'take_long' }, {}, AbortSignal.timeout(200))
  await expect(left).rejects.toThrow(/aborted|timeout/)
  await expect(callTool(url, 'list_books', {})).rejects.toThrow(
    /MCP_MAX_CALLS is 1\) \(OVERLOADED, request .*Wait 20 s, then call again/,
  )
  slow.resolve(1)
  await eventually(async () => {
    const { data } = await callTool(url, 'list_books', {})
    expect(data.books).toHaveLength(1)
  })
})

test('it starts while a subgraph is down, which takes down its own fields only', async () => {
  const { data, errors } = await ask(gateway.url, '{ books { title sold } }')
  expect(data).toEqual({ books: [{ title: 'Emma', sold: null }] })
  expect(errors).toMatchObject([
    {
      path: ['books'],
      extensions: {
        code: 'DOWNSTREAM_UNREACHABLE',
        retryAfterSeconds: 2,
        requestId: expect.any(String),
      },
    },
  ])
  expect(JSON.stringify(errors)).not.toContain('127.0.0.1')
})

test('of a subgraph that is down, every root field is named that it leaves out', async () => {
  const { data, errors } = await ask(gateway.url, '{ sum: total books { title } total }')
  expect(data).toEqual({ sum: null, books: [{ title: 'Emma' }], total: null })
  expect(errors).toMatchObject([
    { path: ['sum'], extensions: { code: 'DOWNSTREAM_UNREACHABLE' } },
    { path: ['total'], extensions: { code: 'DOWNSTREAM_UNREACHABLE' } },
  ])
})

test('a setting that was removed is one WARN', async () => {
  await gateway.process.says(/"level":40,.*"setting":"SUBGRAPH_PIPELINING".*was removed; unset it/)
})

test('it tells which subgraphs are up, and has no REST', async () => {
  await eventually(async () => {
    const ready = await fetch(`${gateway.url}/readyz`)
    expect(ready.status).toBe(200)
    expect(await ready.json()).toEqual({
      status: 'degraded',
      subgraphs: { books: 'up', sales: 'down' },
    })
  })
  const rest = await fetch(`${gateway.url}/api/testcases`)
  expect(rest.status).toBe(404)
  expect(await rest.json()).toMatchObject({ code: 'NOT_FOUND' })
})

test('the schema is a document with an entity tag', async () => {
  const first = await fetch(`${gateway.url}/graphql/schema`)
  expect(first.headers.get('content-type')).toBe('application/graphql; charset=utf-8')
  expect(await first.text()).toMatch(
    /type Book \{\n {2}id: ID!\n {2}title: String\n {2}sold: Int\n\}/,
  )
  const headers = { 'if-none-match': `W/${first.headers.get('etag')}` }
  expect((await fetch(`${gateway.url}/graphql/schema`, { headers })).status).toBe(304)
})

test('the plan of an operation is shown beside its result, or in its place', async () => {
  const plan = {
    text: expect.stringMatching(
      /Sequence \{[\s\S]*service: "books"[\s\S]*Flatten\(path: "\.books\.@"\)/,
    ),
    json: { kind: 'QueryPlan', node: { kind: 'Sequence' } },
  }
  const asked = books.requests.length
  const planned = (wish: string, query: string, accept = 'application/json') =>
    ask(gateway.url, query, { 'x-assay-query-plan': wish, accept })
  expect(await planned('only', '{ books { sold } }', 'text/event-stream')).toMatchObject({
    data: null,
    extensions: { queryPlan: plan },
  })
  expect(await planned('true', 'subscription { ticked }')).toMatchObject({
    data: null,
    extensions: { queryPlan: { json: { node: { kind: 'Subscription' } } } },
  })
  expect(await planned('only', '{ __typename }')).toMatchObject({
    extensions: { queryPlan: { text: 'QueryPlan {}', json: { kind: 'QueryPlan' } } },
  })
  expect(books.requests.length).toBe(asked)
  expect(await planned('true', '{ books { title sold } }')).toMatchObject({
    data: { books: [{ title: 'Emma', sold: null }] },
    errors: [{ path: ['books'] }],
    extensions: { queryPlan: plan },
  })
  expect(await planned('true', '{ books { title } }')).toMatchObject({
    data: { books: [{ title: 'Emma' }] },
    extensions: { queryPlan: { text: expect.stringContaining('service: "books"') } },
  })
  expect(await planned('yes', '{ books { title } }')).toMatchObject({
    status: 400,
    errors: [{ message: 'X-Assay-Query-Plan: expected true or only' }],
  })
})

test('headers reach subgraphs by the rules of the file of settings, too', async () => {
  await ask(gateway.url, '{ books { id } }', { 'x-by': 'a client' })
  expect(books.requests.at(-1)).toMatchObject({ 'x-by': 'assay' })
})

test('headers reach subgraphs by the list of the operator alone', async () => {
  await ask(gateway.url, '{ books { id } }', { authorization: 'Bearer x', cookie: 'a=b' })
  const { authorization, cookie, 'x-request-id': requestId } = books.requests.at(-1) ?? {}
  expect({ authorization, cookie }).toEqual({ authorization: 'Bearer x', cookie: undefined })
  expect(requestId).toEqual(expect.any(String))
})

/** Everything that an operation over a WebSocket yields. */
async function overSocket(
  query: string,
  headers: Record<string, string>,
  connectionParams: Record<string, unknown> = {},
): Promise<unknown[]> {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, { headers })
    }
  }
  const url = `${gateway.url.replace('http', 'ws')}/graphql`
  const client = createClient({ url, webSocketImpl: Socket, connectionParams, retryAttempts: 0 })
  const results: unknown[] = []
  for await (const { data } of client.iterate({ query })) results.push(data)
  await client.dispose()
  return results
}

test('headers reach subgraphs in what opens a WebSocket, one for each caller', async () => {
  const ticks = (tenant: string) =>
    overSocket('subscription { ticked }', { 'x-tenant': tenant, cookie: 'a=b' })
  expect(await Promise.all([ticks('one'), ticks('two')])).toEqual([
    [{ ticked: 1 }],
    [{ ticked: 1 }],
  ])
  expect(books.sockets.map((headers) => headers['x-tenant']).sort()).toEqual(['one', 'two'])
  expect(books.sockets.map(({ cookie }) => cookie)).toEqual([undefined, undefined])
})

test.each([
  ['subscription { counted(from: 4) { of } }', {}, 4],
  [
    'subscription ($from: Int, $after: String) { counted(from: $from, after: $after) { of } }',
    { from: 4, after: '6' },
    4,
  ],
])(
  'a stream goes on behind its last event where its subgraph is lost: %s',
  async (query, variables, from) => {
    const url = `${gateway.url.replace('http', 'ws')}/graphql`
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
    const stream = client.iterate({ query: query.replace('{ of }', '{ cursor of }'), variables })
    const cursors: unknown[] = []
    for await (const { data, errors } of stream) {
      expect({ errors, of: Object(data?.counted).of }).toEqual({ errors: undefined, of: from })
      cursors.push(Object(data?.counted).cursor)
      if (cursors.length === 3) break
      books.drop()
    }
    const first = 'after' in variables ? 7 : 5
    expect(cursors).toEqual([first, first + 1, first + 2].map(String))
    await client.dispose()
  },
)

test('headers that the initialisation of a WebSocket brings count like those of its request', async () => {
  const before = books.sockets.length
  const given = [
    { Authorization: 'Bearer one', cookie: 'a=b', headers: { 'X-Tenant': 'three', host: 'x' } },
    { authorization: 'Bearer two', 'x-tenant': 4 },
    { authorization: 'Bearer\r\nthree', headers: 'x-tenant: five' },
  ]
  await Promise.all(given.map((params) => overSocket('subscription { ticked }', {}, params)))
  const told = books.sockets
    .slice(before)
    .map(({ authorization, cookie, 'x-tenant': tenant }) => ({ authorization, cookie, tenant }))
  expect(
    told.sort((a, b) => String(a.authorization).localeCompare(String(b.authorization))),
  ).toEqual([{ authorization: 'Bearer one', tenant: 'three' }, { authorization: 'Bearer two' }, {}])

  const [params = {}] = given
  await overSocket('{ books { id } }', { 'x-tenant': 'of the request' }, params)
  expect(books.requests.at(-1)).toMatchObject({
    authorization: 'Bearer one',
    'x-tenant': 'of the request',
  })
})

test('a new file takes the place of the old one; one that cannot be used does not', async () => {
  await gateway.replace('type Query { nothing: Int }')
  await gateway.process.says(/"level":50.*cannot be used; the one before stays/)
  expect(await ask(gateway.url, '{ books { id } }')).toMatchObject({
    data: { books: [{ id: 'b1' }] },
  })

  await gateway.replace(supergraphOf({ books, sales }))
  await gateway.process.says(/The supergraph was reloaded/)
  const { data, errors } = await ask(gateway.url, '{ books { title sold } }')
  expect({ data, errors }).toEqual({ data: { books: [{ title: 'Emma', sold: 7 }] } })
})

test('SIGHUP reads the file at once', async () => {
  await writeFile(gateway.file, supergraphOf({ books }))
  gateway.process.signal('SIGHUP')
  await gateway.process.says(/The supergraph was reloaded[\s\S]*The supergraph was reloaded/)
  expect(await ask(gateway.url, '{ books { sold } }')).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  })
})

test('with PROCESSES, several serve one port, load a change each, and show the metrics of all', async () => {
  const several = await startFederatedGateway(supergraphOf({ books }), { PROCESSES: '2' })
  expect(await ask(several.url, '{ books { id } }')).toMatchObject({
    data: { books: [{ id: 'b1' }] },
  })
  const metrics = await (await fetch(`${several.url}/metrics`)).text()
  for (const process of [1, 2])
    expect(metrics).toMatch(new RegExp(`^assay_build_info\\{.*process="${process}"\\} 1$`, 'm'))
  await writeFile(several.file, supergraphOf({ books, sales }))
  several.process.signal('SIGHUP')
  for (const process of [1, 2])
    await several.process.says(new RegExp(`"process":${process},.*The supergraph was reloaded`))
  await several.stop()
})

test('links that a reload leaves serve what began before it, for however long, and stop then', async () => {
  const file = `${gateway.file}.reloaded`
  await writeFile(file, supergraphOf({ books, sales }))
  const { promise: answered, resolve: letAnswer } = Promise.withResolvers<void>()
  const stopped: string[] = []
  const linkTo = (subgraph: NamedSubgraph): SubgraphLink => {
    const link = remoteLink({ ...subgraph, introduction: forwardedHeaders })
    return {
      ...link,
      async execute(request, context) {
        if (subgraph.name === 'books') await answered
        return link.execute(request, context)
      },
      async stop() {
        stopped.push(subgraph.name)
        await link.stop()
      },
    }
  }
  jest.useFakeTimers({ doNotFake: ['setImmediate'] }) // turns of the event loop go on
  const supergraph = await openSupergraphFile(
    { source: fileSource(file, linkTo) }, // no thread waits for a clock that stands still
    createLogger('silent'),
  )
  try {
    const operation = await supergraph.prepare('{ books { sold } }')
    if (!('run' in operation)) throw operation[0]
    const running = operation.run({}, { caller: openCaller('test') })
    await writeFile(file, supergraphOf({ books, sales: { ...sales, url: DOWN } }))
    await supergraph.reload()
    await jest.advanceTimersByTimeAsync(600_000)
    expect(stopped).toEqual([])
    letAnswer()
    expect(await running).toEqual({ data: { books: [{ sold: 7 }] } })
    await jest.advanceTimersByTimeAsync(60_000)
    expect(stopped).toEqual(['sales'])
  } finally {
    jest.useRealTimers()
    await supergraph.stop()
  }
})

test.each([
  ['no file', '/nowhere/supergraph.graphql', /SUPERGRAPH=\/nowhere\/supergraph.graphql cannot be/],
  ['no supergraph', import.meta.filename, /SUPERGRAPH=.* cannot be used: Syntax Error/],
])('%s stops the start with one message', async (_what, file, message) => {
  const process = spawnProduct('gateway', ['gateway.js', '--remote'], { SUPERGRAPH: file }, '/')
  expect(await process.exited).toEqual({ code: 1, signal: null })
  expect(process.output()).toMatch(message)
  expect(process.output()).not.toMatch(/^ +at /m)
})

test('a subgraph without an address, or a header that is not for subgraphs, stops the start', async () => {
  const text = supergraphOf({ books: { ...books, url: '' } })
  await writeFile(`${gateway.file}.faulty`, text)
  const faulty = (env: Record<string, string>) =>
    spawnProduct('gateway', ['gateway.js', '--remote'], env, '/')
  const unreachable = faulty({ SUPERGRAPH: `${gateway.file}.faulty` })
  const hopByHop = faulty({ SUPERGRAPH: gateway.file, FORWARD_HEADERS: 'connection' })
  expect([await unreachable.exited, await hopByHop.exited]).toMatchObject([
    { code: 1 },
    { code: 1 },
  ])
  expect(unreachable.output()).toContain('no http or https address for: books')
  expect(hopByHop.output()).toContain('FORWARD_HEADERS must be names with commas')
})
