import { once } from 'node:events'
import { mkdtemp, rename, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { remoteLink } from '../../../gateway/federation/links/remote-link.ts'
import { subgraphSse } from '../../../gateway/federation/links/subgraph-sse.ts'
import { openSupergraphFile } from '../../../gateway/federation/supergraph/supergraph-file.ts'
import { readSettingsFile } from '../../../gateway/settings-file/read-settings-file.ts'
import { SettledSource } from '../../../gateway/settings-file/settled-source.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { supergraphOf } from '../../support/gateway/federated-gateway.ts'
import { certFile, certOf, keyFile } from '../../support/tls.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@override"])\n'
const BOOKS = `${LINK}
type Query { books: [Book!]! moved: String }
type Book @key(fields: "id") { id: ID! }
type Subscription { ticked: Int! counted(after: String): Count }
type Count { cursor: String! }`
const SALES = `${LINK}
type Query { moved: String @override(from: "books", label: "new-sales") }
type Book @key(fields: "id") { id: ID! sold: Int }`

type Handle = (body: string, request: IncomingMessage, response: ServerResponse) => void

/** It never answers. */
const SLOW = `${LINK}type Query { slow: Int }`

const requests: Record<string, IncomingMessage['headers'][]> = { books: [], sales: [] }
const answers: Record<string, Handle> = {}
const listener = (name: string) => async (request: IncomingMessage, response: ServerResponse) => {
  if (request.url === '/slow') return
  requests[name]?.push(request.headers)
  answers[name]?.(await text(request), request, response)
}
const json = (response: ServerResponse, data: object, headers = {}) =>
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ data }))

/** It asks its clients for the second certificate. */
const books = createServer(
  {
    ...{ cert: certOf('first'), key: await keyOf('first'), ca: certOf('second') },
    requestCert: true,
  },
  listener('books'),
)
const sales = createPlainServer(listener('sales'))
const urlOf = (server: typeof books | typeof sales, scheme: string) =>
  `${scheme}://localhost:${(server.address() as AddressInfo).port}/graphql`

async function keyOf(name: 'first' | 'second') {
  const { readFile } = await import('node:fs/promises')
  return readFile(keyFile(name))
}

let folder: string
const path = (name: string) => join(folder, name)
const writeSettings = async (others = '') => {
  await writeFile(
    path('gateway.yaml.next'),
    `all:
  timeout: 20s
  retries: 0
  headers:
    request: [{ propagate: x-tenant }]
    response: [{ propagate: x-cost, combine: append }, { propagate: set-cookie, combine: append }]
subgraphs:
  slow: { timeout: 200ms }
  books:
    url: ${urlOf(books, 'https')}
    tls: { ca: ${certFile('first')}, certificate: ${certFile('second')}, key: ${keyFile('second')} }
    headers: { request: [{ remove: x-tenant }, { insert: x-user, claim: sub }] }
    subscriptions: { protocol: sse, path: /stream }
${others}`,
  )
  // In one step: the gateway may look at any time.
  await rename(path('gateway.yaml.next'), path('gateway.yaml'))
}

const open = async () => {
  const log = createLogger('silent')
  const source = new SettledSource({
    file: path('supergraph.graphql'),
    settingsFile: {
      path: path('gateway.yaml'),
      read: () => readSettingsFile(path('gateway.yaml'), {}),
    },
    forwardHeaders: [],
    remote: { token: undefined, folder, pollMs: 60_000 },
    signIn: { mode: 'none' },
    linkTo: (subgraph, settings) => remoteLink({ ...subgraph, ...settings }),
    log,
  })
  return { source, supergraph: await openSupergraphFile({ source }, log) }
}
let opened: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-settings-file-'))
  for (const server of [books, sales]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const nowhere = 'http://127.0.0.1:1/graphql'
  const graph = {
    books: { url: nowhere, sdl: BOOKS },
    sales: { url: urlOf(sales, 'http'), sdl: SALES },
    slow: { url: new URL('/slow', urlOf(sales, 'http')).href, sdl: SLOW },
  }
  await writeFile(path('supergraph.graphql'), supergraphOf(graph))
  await writeSettings()
  opened = await open()
})
afterAll(async () => {
  await opened?.supergraph.stop()
  for (const server of [books, sales]) {
    server.close()
    server.closeAllConnections()
  }
})

const CONTEXT = {
  caller: { ...openCaller('test'), claims: { sub: 'ada' } },
  headers: { 'x-tenant': 't1' },
}

async function run(query: string, { supergraph } = opened) {
  const operation = await supergraph.prepare(query)
  if (!('run' in operation)) throw operation[0]
  return operation.run({}, CONTEXT)
}

test('address, certificates and headers are those of the file, in both directions', async () => {
  answers.books = (_, request, response) => {
    const cookies = ['a=1', 'b=2']
    expect(request.socket).toMatchObject({ authorized: true })
    json(
      response,
      { books: [{ __typename: 'Book', id: 'b1' }] },
      { 'x-cost': '1', 'set-cookie': cookies, 'x-other': '9' },
    )
  }
  answers.sales = (_, __, response) =>
    json(response, { _entities: [{ sold: 7 }] }, { 'x-cost': '2', 'set-cookie': 'c=3' })
  const result = await run('{ books { sold } }')
  expect(result).toEqual({ data: { books: [{ sold: 7 }] } })
  expect(result.headers).toEqual({ 'x-cost': '1, 2', 'set-cookie': ['a=1', 'b=2', 'c=3'] })
  expect(requests.books?.at(-1)).toMatchObject({ 'x-user': 'ada' })
  expect(requests.books?.at(-1)).not.toHaveProperty('x-tenant')
  expect(requests.sales?.at(-1)).toMatchObject({ 'x-tenant': 't1' })
  expect(opened.source.forwarded().names).toEqual(['set-cookie', 'x-cost', 'x-tenant'].slice(2))
})

test('with headers for clients, equal queries share no fetch', async () => {
  const before = requests.books?.length ?? 0
  await Promise.all([run('{ books { id } }'), run('{ books { id } }')])
  expect(requests.books?.length).toBe(before + 2)
})

test('with cacheHints, caches may keep what all subgraphs of a query allow', async () => {
  const allowing = (control: string) => ({ 'cache-control': control })
  const answer = (control: object) => {
    answers.books = (_, __, response) =>
      json(response, { books: [{ __typename: 'Book', id: 'b1' }] }, allowing('max-age=60'))
    answers.sales = (_, __, response) => json(response, { _entities: [{ sold: 7 }] }, control)
  }
  await writeSettings('cacheHints: public')
  const hinted = await open()
  try {
    answer({ ...allowing('max-age=30'), age: '10' })
    expect((await run('{ books { sold } }', hinted)).headers).toEqual({
      'Cache-Control': 'private, max-age=20', // a header of the client and claims reached them
      Vary: 'Accept, Authorization, Cookie, Token, x-tenant',
    })
    for (const control of [allowing('no-store'), {}]) {
      answer(control)
      expect((await run('{ books { sold } }', hinted)).headers).toEqual({})
    }
    expect((await run('{ __typename }', hinted)).headers).toEqual({})
    expect((await run('{ slow }', hinted)).headers).toEqual({})
  } finally {
    await hinted.supergraph.stop()
    await writeSettings()
  }
})

test('a query ends with the timeout of the file', async () => {
  expect(await run('{ slow }')).toMatchObject({
    data: { slow: null },
    errors: [{ extensions: { code: 'DOWNSTREAM_TIMEOUT' } }],
  })
})

test('subscriptions go over Server-Sent Events, at the path of the file', async () => {
  let isClosed: Promise<unknown> = Promise.resolve()
  answers.books = (body, request, response) => {
    expect([request.url, request.headers.accept, JSON.parse(body).query]).toEqual([
      ...['/stream', 'text/event-stream', expect.stringMatching(/^subscription/)],
    ])
    isClosed = once(response, 'close')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = 'event: next\r\ndata: {"data":\r\ndata: {"ticked":1}}\r\n\r\n'
    response.write(`:\n\n${event.slice(0, 20)}`)
    setImmediate(() =>
      response.write(`${event.slice(20)}event: next\ndata: {"data":{"ticked":2}}\n\n`),
    )
  }
  const ticked = await subscribed('subscription { ticked }', 2)
  expect(ticked).toEqual([{ ticked: 1 }, { ticked: 2 }])
  await isClosed
})

test('a stream over Server-Sent Events goes on behind its last event where its subgraph is lost', async () => {
  const asked: string[] = []
  answers.books = (body, _request, response) => {
    asked.push(JSON.parse(body).query.replace(/\s+/g, ' '))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const data = JSON.stringify({ data: { counted: { cursor: `"${asked.length}"` } } })
    response.write(`event: next\ndata: ${data}\n\n`, () => response.destroy())
  }
  const [first, second] = await subscribed('subscription { counted { cursor } }', 2)
  expect([first, second]).toEqual([{ counted: { cursor: '"1"' } }, { counted: { cursor: '"2"' } }])
  expect(asked.slice(0, 2)).toEqual([
    'subscription{counted{cursor}}',
    expect.stringContaining('counted(after: "\\"1\\"")'),
  ])
})

test('a stream over Server-Sent Events that showed life and falls silent is lost', async () => {
  const url = urlOf(sales, 'http')
  const { subscribe, stop } = subgraphSse({
    ...{ url, introduction: { of: async () => ({}) }, silenceMs: 60_000, quietMs: 200 },
    ...{ maxBody: 1_000, json: JSON },
  })
  const request = { document: 'subscription { a }', variables: {}, kind: 'subscription' } as const
  answers.sales = (_, __, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  const stream = await subscribe(request, CONTEXT)
  await expect(stream.next()).rejects.toThrow('The stream fell silent')
  await stop()
})

test('a subgraph that answers a subscription otherwise is named with what it answered', async () => {
  answers.books = (_, __, response) => json(response, { ticked: 1 })
  await expect(subscribed('subscription { ticked }', 1)).rejects.toMatchObject({
    message: expect.stringMatching(/books serves no subscriptions \(status 200, application\/json/),
  })
})

/** Data of the first events of a stream, up to a number; rejects with the error of the stream. */
async function subscribed(query: string, events: number): Promise<unknown[]> {
  const operation = await opened.supergraph.prepare(query)
  if (!('run' in operation)) throw operation[0]
  const stream = await operation.subscribe({}, CONTEXT)
  if (!('deliverTo' in stream)) throw stream.errors?.[0]
  const data: unknown[] = []
  return new Promise((resolve, reject) => {
    const place = stream.deliverTo({
      event({ result }) {
        data.push(result.data)
        if (data.length < events) return
        place.leave()
        resolve(data)
      },
      end: reject,
      waitingBytes: () => 0,
      tooSlow: reject,
    })
  })
}

test('a change of the file alone is loaded with the next reload; one with a fault is not', async () => {
  const asked = async () => {
    answers.books = (_, __, response) => json(response, { moved: 'books' })
    answers.sales = (_, __, response) => json(response, { moved: 'sales' })
    const { data, errors } = await run('{ moved }')
    return errors ?? data?.moved
  }
  expect(await asked()).toBe('books')
  await writeSettings('overrideLabels: { new-sales: true }')
  await opened.supergraph.reload()
  expect(await asked()).toBe('sales')
  await writeSettings('overrideLabels: { new-sales: perhaps }')
  await opened.supergraph.reload()
  expect(await asked()).toBe('sales')
})
