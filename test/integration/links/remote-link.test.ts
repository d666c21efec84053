import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import type { SubgraphLink } from '../../../gateway/federation/links/link.ts'
import { remoteLink } from '../../../gateway/federation/links/remote-link.ts'
import { signedCaller } from '../../../gateway/signed-caller.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { createCallerSignature } from '../../../platform/access/caller-signature.ts'
import { beat } from '../../../platform/subgraph/heartbeat.ts'
import { eventually, withTimeEnough } from '../../support/eventually.ts'

/** Short, for what has to become silent. */
const SILENCE_MS = 1_500
const PROBE_PAUSE_MS = 150
const MUTATION = { document: 'mutation { act }', variables: {}, kind: 'mutation' } as const
const QUERY = { document: '{ read }', variables: {}, kind: 'query' } as const
const CALLER = { caller: openCaller('test') }
const ANSWER = { data: { act: 'done' } }

/** Handler of the subgraph, and the number of its requests. */
let answer: (response: ServerResponse) => unknown
let asked = 0
let server: Server
let link: SubgraphLink | undefined
/** The server forgets the sockets that it hands over. */
let upgraded: Duplex[] = []

beforeEach(async () => {
  asked = 0
  upgraded = []
  server = createServer((_request, response) => {
    asked++
    void answer(response)
  }).listen(0, '127.0.0.1')
  server.on('upgrade', (_request, socket) => upgraded.push(socket))
  await once(server, 'listening')
  await renewLink()
})
afterEach(async () => {
  await link?.stop()
  link = undefined
  server.closeAllConnections()
  for (const socket of upgraded) socket.destroy()
  server.close()
})

/** Instead of the link before, which may have found its subgraph down. */
async function renewLink(silenceMs = 60_000, maxBody = 2 ** 20): Promise<void> {
  await link?.stop()
  const { port } = server.address() as AddressInfo
  link = remoteLink({
    name: 'events',
    url: `http://127.0.0.1:${port}/graphql`,
    introduction: signedCaller(createCallerSignature('a-secret-of-at-least-32-characters')),
    silenceMs,
    maxBody,
  })
}

const works = (response: ServerResponse) => response.end(JSON.stringify(ANSWER))
const hangs = () => {}
const dies = (response: ServerResponse) => response.destroy()

const running = () => link ?? fail()
const fail = () => {
  throw new Error('There is no link')
}
const act = () => running().execute(MUTATION, CALLER)
const query = () => running().execute(QUERY, CALLER)
const unknown = {
  code: 'DOWNSTREAM_ANSWER_LOST',
  message: expect.stringMatching(/events was lost.*unknown whether .* carried out; check before/),
  extensions: expect.objectContaining({ retryAfterSeconds: 2 }),
}
const late = {
  code: 'DOWNSTREAM_TIMEOUT',
  message: expect.stringMatching(/not come in time.*unknown whether .* carried out; check before/),
}
const refused = {
  code: 'DOWNSTREAM_UNREACHABLE',
  message: expect.stringContaining('events cannot be reached'),
}

test('a mutation that its subgraph works on may take longer than silence is borne', async () => {
  await withTimeEnough(SILENCE_MS, async (silenceMs) => {
    answer = async (response) => {
      const stop = beat(response, silenceMs / 5)
      await delay(silenceMs * 3)
      stop()
      works(response)
    }
    await renewLink(silenceMs)
    expect(await act()).toEqual(ANSWER)
  })
})

test('a mutation at a subgraph that hangs ends after a while, and is not sent again', async () => {
  answer = hangs
  await withTimeEnough(SILENCE_MS, async (silenceMs) => {
    asked = 0
    await renewLink(silenceMs)
    await expect(act()).rejects.toMatchObject(late)
    expect(asked).toBe(1)
  })
})

test('one that falls silent in the middle ends, too', async () => {
  answer = (response) => response.write(' ')
  await renewLink(SILENCE_MS)
  await expect(act()).rejects.toMatchObject(late)
})

test('a mutation whose connection ends, or whose answer is none, may have been carried out', async () => {
  answer = dies
  await expect(act()).rejects.toMatchObject(unknown)
  answer = (response) => response.writeHead(502).end('Bad gateway')
  await expect(act()).rejects.toMatchObject(unknown)
})

test.each([
  [
    'answers the request for a WebSocket otherwise',
    createServer((_, response) => response.end('{}')),
  ],
  [
    'speaks another protocol on its WebSockets',
    (() => {
      const server = createServer()
      new WebSocketServer({ server, handleProtocols: () => 'graphql-ws' })
      return server
    })(),
  ],
])('a subgraph that %s is reported as one without subscriptions', async (_what, other) => {
  server.close()
  server = other.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await renewLink()
  const request = {
    document: 'subscription { acted }',
    variables: {},
    kind: 'subscription',
  } as const
  await expect(running().subscribe(request, CALLER)).rejects.toMatchObject({
    code: 'DOWNSTREAM_HTTP_ERROR',
    message: expect.stringMatching(
      /events serves no subscriptions .* graphql-transport-ws is needed/,
    ),
  })
})

test('a mutation that never left can be tried again, and a query always', async () => {
  answer = dies
  await expect(query()).rejects.toMatchObject(refused)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await expect(act()).rejects.toMatchObject(refused)
})

test.each([
  [200, true],
  [400, true],
  [401, true],
  [403, true],
  [500, false],
  [503, false],
])('a subgraph that answers with %i is up: %s', async (status, isUp) => {
  answer = (response) => response.writeHead(status).end('{"errors":[{"message":"who are you?"}]}')
  expect(await running().isUp?.(CALLER)).toBe(isUp)
  answer = (response) => response.writeHead(status).end('Who are you?')
  expect(await running().isUp?.(CALLER)).toBe(isUp)
})

test('a query at a subgraph that hangs ends as a timeout, and can be repeated', async () => {
  answer = hangs
  await renewLink(SILENCE_MS)
  await expect(query()).rejects.toMatchObject({
    code: 'DOWNSTREAM_TIMEOUT',
    message: 'The subgraph events did not answer in time; try again',
  })
})

test.each([
  [
    500,
    'Broken',
    'DOWNSTREAM_HTTP_ERROR',
    'The subgraph events answered with the HTTP status 500',
    1,
  ],
  [307, '', 'DOWNSTREAM_HTTP_ERROR', 'the HTTP status 307', 1],
  [301, '{"moved":"away"}', 'DOWNSTREAM_HTTP_ERROR', 'the HTTP status 301', 1],
  [404, '{"no":"response"}', 'DOWNSTREAM_HTTP_ERROR', 'the HTTP status 404', 1],
  [200, '<html>', 'DOWNSTREAM_MALFORMED_ANSWER', 'events answered with what is no GraphQL', 1],
  [200, '7', 'DOWNSTREAM_MALFORMED_ANSWER', 'no GraphQL response', 1],
  [429, 'Later', 'DOWNSTREAM_HTTP_ERROR', 'the HTTP status 429', 3],
])('an answer of %i with %s is %s', async (status, body, code, message, times) => {
  answer = (response) => response.writeHead(status).end(body)
  const failure = { code, message: expect.stringContaining(message) }
  await expect(query()).rejects.toMatchObject(failure)
  expect(asked).toBe(times)
})

test('a busy subgraph is asked again when it says, unless that is too late', async () => {
  answer = (response) =>
    asked === 1 ? response.writeHead(503, { 'retry-after': '1' }).end() : works(response)
  const began = performance.now()
  expect(await query()).toEqual(ANSWER)
  expect(performance.now() - began).toBeGreaterThan(990)
  asked = 0
  answer = (response) => response.writeHead(503, { 'retry-after': '60' }).end()
  await expect(query()).rejects.toMatchObject({
    code: 'DOWNSTREAM_HTTP_ERROR',
    extensions: { retryAfterSeconds: 60 },
  })
  expect(asked).toBe(1)
})

test('a GraphQL response counts whatever its status is', async () => {
  answer = (response) => response.writeHead(400).end('{"errors":[{"message":"no"}]}')
  expect(await query()).toEqual({ errors: [{ message: 'no' }] })
})

/** Waits until requests are refused for a moment. */
async function becomesLeftAlone(): Promise<void> {
  answer = dies
  asked = 0
  await renewLink()
  for (let i = 0; i < 5; i++) await expect(act()).rejects.toMatchObject(unknown)
}

test('a query at a subgraph that is left alone is refused without a pause', async () => {
  await eventually(async () => {
    await becomesLeftAlone()
    await expect(query()).rejects.toMatchObject(refused)
    expect(asked).toBe(5)
  })
})

test('a query is sent again', async () => {
  answer = (response) => (asked === 1 ? dies(response) : works(response))
  expect(await query()).toEqual(ANSWER)
  expect(asked).toBe(2)
})

test('a mutation that never left is sent again once its subgraph listens', async () => {
  answer = works
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const done = act()
  await delay(20)
  server.listen(port, '127.0.0.1')
  expect(await done).toEqual(ANSWER)
  expect(asked).toBe(1)
})

test('a subgraph that is overloaded gets a fifth more requests, not three times as many', async () => {
  answer = (response) => response.writeHead(503).end()
  const askMany = async (count: number) => {
    asked = 0
    await Promise.allSettled(Array.from({ length: count }, () => query()))
    return asked / count
  }
  // Retries were saved while it was well.
  await askMany(100)
  expect(await askMany(500)).toBeLessThanOrEqual(1.21)
})

test('a subgraph that does not answer is left alone for a moment, and used again when it is back', async () => {
  await eventually(async () => {
    await becomesLeftAlone()
    expect(asked).toBe(5)
    await expect(act()).rejects.toMatchObject(refused)
    expect(asked).toBe(5)
  })

  answer = works
  await delay(PROBE_PAUSE_MS)
  expect(await act()).toEqual(ANSWER)
  expect(await act()).toEqual(ANSWER)
})

test('a subgraph that is back serves others at once, although one request to it takes long', async () => {
  await becomesLeftAlone()
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  answer = async (response) => {
    const isProbe = (await text(response.req)).includes('{ __typename }')
    if (!isProbe && isFirst) {
      isFirst = false
      begun.resolve()
      await gate.promise
    }
    works(response)
  }
  await delay(PROBE_PAUSE_MS)
  const slow = act()
  await begun.promise
  for (let i = 0; i < 10; i++) expect(await act()).toEqual(ANSWER)
  gate.resolve()
  expect(await slow).toEqual(ANSWER)
})

test('requests to a subgraph that hangs are refused without its probe having ended', async () => {
  await becomesLeftAlone()
  answer = hangs
  await delay(PROBE_PAUSE_MS)
  const refusals = Array.from({ length: 5 }, () => expect(act()).rejects.toMatchObject(refused))
  await Promise.all(refusals)
  expect(asked).toBeLessThanOrEqual(6)
})

test.each([
  ['query', query],
  ['mutation', act],
] as const)(
  'a %s whose answer is longer than may be read is refused, and the subgraph is asked on',
  async (kind, send) => {
    await renewLink(60_000, 1_000)
    answer = (response) => {
      response.writeHead(200)
      const more = () => response.write('x'.repeat(500)) && setImmediate(more)
      response.on('drain', more).on('error', () => {})
      more()
    }
    for (let i = 0; i < 6; i++) {
      const { code, message } = await send().then(fail, (error) => error)
      expect(code).toBe('OPERATION_LIMIT_EXCEEDED')
      expect(message).toMatch(
        /events has more than 1000 bytes; OPERATION_MAX_RESPONSE allows no more/,
      )
      expect(message).toMatch(
        kind === 'query' ? /Ask for fewer/ : /was carried out before you repeat/,
      )
    }
    expect(asked).toBe(6)
  },
)

test('a subscription whose socket the subgraph closes names its code and reason', async () => {
  new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' }).on(
    'connection',
    (socket) => socket.close(4403, 'Forbidden'),
  )
  const opening = running().subscribe({ ...QUERY, kind: 'subscription' }, CALLER)
  const { cause } = await opening.then((stream) => stream.next()).catch((error) => error)
  expect(cause.message).toBe('The WebSocket was closed with 4403 Forbidden')
})

describe('a subscription ends with an error when its subgraph hangs', () => {
  const watch = async () => {
    await renewLink(SILENCE_MS)
    for await (const _ of await running().subscribe({ ...QUERY, kind: 'subscription' }, CALLER));
  }

  test('before it takes the socket on', async () => {
    server.on('upgrade', hangs)
    await expect(watch()).rejects.toMatchObject(refused)
  })

  test('on a quiet stream', async () => {
    new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' }).on(
      'connection',
      (socket) => socket.once('message', () => socket.send('{"type":"connection_ack"}')),
    )
    await expect(watch()).rejects.toMatchObject(refused)
  })
})
