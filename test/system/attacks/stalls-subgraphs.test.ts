import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Target, withstands } from '../../support/attacks/target.ts'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { startProbe } from './probe.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key"])'
const SDL = {
  a: `${LINK} type Query { ps(note: String): [P] } type P @key(fields: "id") { id: ID! }`,
  b: `${LINK} type P @key(fields: "id") { id: ID! z: String }`,
}
const MANY = 20_000
/** Bound for work of an attack that a subgraph has a part in. */
const ALLOWED_MS = 300

/** Handlers of each subgraph. @param count of the representations it was asked for */
let answers: Record<'a' | 'b', (response: ServerResponse, count: number) => unknown>
let servers: Server[] = []
let gateway: FederatedGateway
let target: Target

beforeAll(async () => {
  const serve = async (name: 'a' | 'b') => {
    const server = createServer(async (request, response) => {
      const { variables } = JSON.parse(await text(request))
      answers[name](response, variables.representations?.length ?? 0)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/graphql`, sdl: SDL[name] }
  }
  gateway = await startFederatedGateway(
    supergraphOf({ a: await serve('a'), b: await serve('b') }),
    {
      LOG_LEVEL: 'info',
    },
  )
  const probe = await startProbe(gateway.url, gateway.process.pid)
  answers = { a: entities(1), b: (response) => response.end('{"data":{"_entities":[{"z":"1"}]}}') }
  expect(await ask()).toEqual({ data: { ps: [{ z: '1' }] } })
  target = { url: gateway.url, probe, idleMib: (await probe.seen()).residentMib }
})
afterAll(async () => {
  target?.probe.stop()
  await gateway?.stop()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
})

async function ask(note?: string) {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: note ? 'query ($note: String) { ps(note: $note) { z } }' : '{ ps { z } }',
      variables: { note },
    }),
  })
  return response.json() as Promise<{ data?: unknown; errors?: { message: string }[] }>
}

/** @param different entities; else all are the same one */
const entities =
  (count: number, different = true) =>
  (response: ServerResponse) => {
    const ps = Array.from({ length: count }, (_, at) => ({
      __typename: 'P',
      id: String(different ? at : 0),
    }))
    response.end(JSON.stringify({ data: { ps } }))
  }

/** Answers with nulls and these errors. */
const fails = (errors: (count: number) => object[]) => (response: ServerResponse, count: number) =>
  response.end(
    JSON.stringify({ data: { _entities: Array(count).fill({ z: null }) }, errors: errors(count) }),
  )

const errorAt = (index: number) => ({ message: 'No z', path: ['_entities', index, 'z'] })
const TOO_LARGE =
  /^The response has more than \d+ characters; OPERATION_MAX_RESPONSE allows no more/

test('an error for each of 20 000 entities', async () => {
  answers = {
    a: entities(MANY),
    b: fails((count) => Array.from({ length: count }, (_, at) => errorAt(at))),
  }
  const attack = async () => {
    const { errors = [] } = await ask()
    expect(errors).toHaveLength(MANY)
    expect(errors.at(-1)).toMatchObject({ message: 'No z', path: ['ps', MANY - 1, 'z'] })
  }
  await withstands(target, 'an error for each entity', attack, ALLOWED_MS)
})

test('a thousand errors in one entity at 20 000 places', async () => {
  answers = {
    a: entities(MANY, false),
    b: fails(() => Array.from({ length: 1_000 }, () => errorAt(0))),
  }
  await withstands(target, 'many errors in one entity', async () =>
    expect((await ask()).errors).toMatchObject([{ message: expect.stringMatching(TOO_LARGE) }]),
  )
})

test.each([
  ['with its length', { 'content-length': 400_000_000 }],
  ['in chunks', {}],
])('a body of 400 MB %s', async (how, headers) => {
  const piece = Buffer.alloc(1_000_000, ' ')
  answers.a = (response) => {
    response.writeHead(200, headers)
    let left = 400
    const more = () => {
      while (left-- > 0) if (!response.write(piece)) return
      response.end()
    }
    response.on('drain', more).on('error', () => {})
    more()
  }
  await withstands(target, `400 MB ${how}`, async () =>
    expect((await ask()).errors).toMatchObject([{ message: expect.stringMatching(TOO_LARGE) }]),
  )
})

test('a message with 58 000 addresses that the client sent', async () => {
  const note = Array.from({ length: 58_000 }, (_, at) => `http://a.b/${at}`).join(' ')
  answers.a = (response) =>
    response.end(JSON.stringify({ data: null, errors: [{ message: note }] }))
  await withstands(
    target,
    '58 000 addresses',
    async () => expect((await ask(note)).errors).toMatchObject([{ message: note }]),
    ALLOWED_MS,
  )
})
