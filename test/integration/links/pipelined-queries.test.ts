import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { forwardedHeaders } from '../../../gateway/federation/links/introduction.ts'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import { remoteLink } from '../../../gateway/federation/links/remote-link.ts'
import { openCaller } from '../../../subgraphs/platform/access/caller.ts'
import { eventually, withTimeEnough } from '../../_support/eventually.ts'

const CONTEXT = { caller: openCaller('test') }

/** What the subgraph does with a query besides answering it. */
type Act = (response: ServerResponse, request: IncomingMessage) => unknown

let acts: Record<string, Act>
let server: Server
let link: SubgraphLink
let sockets: Set<Socket>
let [inFlight, most] = [0, 0]

beforeEach(async () => {
  acts = {}
  sockets = new Set()
  most = 0
  server = createServer(async (request, response) => {
    sockets.add(request.socket)
    most = Math.max(most, ++inFlight)
    response.once('close', () => inFlight--)
    const { query } = JSON.parse(await text(request))
    await acts[query]?.(response, request)
    if (acts[query] !== hangs) response.end(JSON.stringify({ data: { query } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  link = linkThatWaits(60_000)
})
afterEach(async () => {
  await link.stop()
  server.closeAllConnections()
  server.close()
})

function linkThatWaits(silenceMs: number): SubgraphLink {
  const { port } = server.address() as AddressInfo
  return remoteLink({
    name: 'products',
    url: `http://127.0.0.1:${port}/graphql`,
    introduction: forwardedHeaders,
    silenceMs,
    isPipelined: true,
  })
}

const hangs: Act = () => {}

const ask = async (document: string, kind: 'query' | 'mutation' = 'query') =>
  (await link.execute({ document, variables: {}, kind }, CONTEXT)).data?.query

/** As many queries as all connections take at a time, under names of their own. */
const queries = (count = 64) => Array.from({ length: count }, (_, index) => `{ q${index} }`)
const askAll = (documents: readonly string[]) =>
  Promise.allSettled(documents.map((document) => ask(document)))
const answered = (documents: readonly string[]) =>
  documents.map((value) => ({ status: 'fulfilled', value }))

test('queries share a few connections, and each gets its answer', async () => {
  const all = queries(300)
  for (const [index, query] of all.entries()) acts[query] = () => delay((index * 7) % 20)
  expect(await askAll(all)).toEqual(answered(all))
  expect(sockets.size).toBe(8)
  expect(most).toBeGreaterThan(8)
  expect(most).toBeLessThanOrEqual(64)
})

test('no query waits behind another one while a connection is free, nor a mutation or a probe ever', async () => {
  const gate = Promise.withResolvers<void>()
  const slow = queries(7)
  for (const query of slow) acts[query] = () => gate.promise
  const waiting = askAll(slow)
  expect(await ask('{ fast }')).toBe('{ fast }')
  acts['{ last }'] = () => gate.promise
  const last = ask('{ last }')
  expect(await ask('mutation { act }', 'mutation')).toBe('mutation { act }')
  expect(await link.isUp?.(CONTEXT)).toBe(true)
  gate.resolve()
  expect(await waiting).toEqual(answered(slow))
  expect(await last).toBe('{ last }')
})

test('a query without an answer ends alone, and those behind it are asked again', async () => {
  const all = queries()
  acts['{ q3 }'] = hangs
  await withTimeEnough(1_500, async (silenceMs) => {
    await link.stop()
    link = linkThatWaits(silenceMs)
    const results = await askAll(all)
    const [lost] = results.splice(3, 1)
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'DOWNSTREAM_TIMEOUT' } })
    expect(results).toEqual(answered(all.filter((query) => query !== '{ q3 }')))
  })
})

test('a lost connection takes away the answer to its oldest query alone', async () => {
  const all = queries()
  acts['{ q3 }'] = (_response, { socket }) => void socket.destroy()
  const results = await askAll(all)
  const [lost] = results.splice(3, 1)
  expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'DOWNSTREAM_UNREACHABLE' } })
  expect(results).toEqual(answered(all.filter((query) => query !== '{ q3 }')))
})

test('an answer that breaks off is asked for again', async () => {
  let times = 0
  acts['{ q3 }'] = (response, { socket }) => {
    if (times++ > 0) return
    response.write('{"data":{"query":"half')
    return delay(20).then(() => socket.destroy())
  }
  const all = queries()
  expect(await askAll(all)).toEqual(answered(all))
  expect(times).toBe(2)
})

test('a subgraph that closes connections after some requests answers all of them', async () => {
  server.maxRequestsPerSocket = 3
  const all = queries()
  expect(await askAll(all)).toEqual(answered(all))
  expect(sockets.size).toBeGreaterThanOrEqual(64 / 3)
})

test('a subgraph that is down is left alone, and asked again later', async () => {
  const { port } = server.address() as AddressInfo
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  for (const result of await askAll(queries()))
    expect(result).toMatchObject({ reason: { code: 'DOWNSTREAM_UNREACHABLE' } })
  // It is asked again where a slow machine took longer than it is left alone.
  await eventually(() =>
    expect(ask('{ again }')).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/is down|was just down/) },
    }),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  await delay(1_100)
  expect(await ask('{ back }')).toBe('{ back }')
})
