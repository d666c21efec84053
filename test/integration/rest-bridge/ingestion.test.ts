import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { IngestionLimits } from '../../../gateway/http/rest/ingestion-limits.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { eventually } from '../../support/eventually.ts'
import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

const STORED = {
  data: {
    ingestEvents: { sent: 1, success: 'ALL', accepted: [{ index: 0, id: 'e-1' }], errors: [] },
  },
}

let bridge: ServedBridge | undefined
let asked: { input: { events: unknown[]; idempotencyDigest?: string } }[]
let answer: () => Promise<ExecutionResult>
let port: number
let refusalOf: (user: string | null) => Caller['refusal']

/** Serves the bridge in front of a graph that the test plays. */
async function serve(limits: Partial<IngestionLimits> = {}): Promise<void> {
  asked = []
  answer = async () => STORED
  refusalOf = () => undefined
  bridge = await serveBridge(
    (_operation, variables) => {
      asked.push(variables as (typeof asked)[number])
      return answer()
    },
    {
      corsOrigins: ['https://portal.example'],
      limits,
      refusalOf: (user) => refusalOf(user),
    },
  )
  port = Number(new URL(bridge.base).port)
}

afterEach(async () => {
  await bridge?.stop()
  bridge = undefined
})

const post = async (body: string | Uint8Array<ArrayBuffer>, headers: object = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const { result } = (await response.json()) as { result: { errors?: { message: string }[] } }
  return {
    status: response.status,
    headers: response.headers,
    message: result.errors?.[0]?.message,
  }
}

/** Sends bytes as they are. */
function open(...bytes: string[]): Socket {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  for (const part of bytes) socket.write(part)
  return socket
}

const HEAD = 'POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

test.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('a body in %s is inflated, and its size counts inflated', async (coding, compress) => {
  await serve({ bodyBytes: 1_000 })
  const headers = { 'content-encoding': coding }
  expect(await post(compress('[{"title":"a"}]'), headers)).toMatchObject({ status: 202 })
  expect(asked[0]?.input.events).toEqual([{ title: 'a' }])
  const bomb = await post(compress(`"${'a'.repeat(5_000_000)}"`), headers)
  expect(bomb).toMatchObject({ status: 413, message: expect.stringContaining('EVENTS_BODY_BYTES') })
  expect(asked).toHaveLength(1)
})

test.each([
  ['cut off', gzipSync('{"title":"a"}').subarray(0, 15)],
  ['no gzip', Buffer.from('{"title":"a"}')],
])('a compressed body that is %s is refused', async (_, body) => {
  await serve()
  const bytes = new Uint8Array(body)
  expect(await post(bytes, { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 })
})

test('whoever does not know whether events were stored may send them again', async () => {
  await serve()
  const extensions = { code: 'DOWNSTREAM_SERVICE_ERROR' }
  answer = async () => ({ errors: [new GraphQLError('The answer was lost', { extensions })] })
  const { status, headers, message } = await post('{"title":"a"}')
  expect({ status, message }).toEqual({
    status: 503,
    message: expect.stringMatching(/^It is unknown whether .* Idempotency-Key/),
  })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a chunked body that is too large is refused while it is still being sent', async () => {
  await serve({ bodyBytes: 10_000 })
  const piece = `4000\r\n${'a'.repeat(0x4000)}\r\n`
  const socket = open(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, piece)
  const [text] = await once(socket, 'data')
  expect(text).toMatch(/^HTTP\/1.1 413 /)
  socket.destroy()
})

test('beyond the bytes that may wait, requests are refused unread until one is answered', async () => {
  await serve({ queueBytes: 30 })
  const { promise, resolve } = Promise.withResolvers<ExecutionResult>()
  answer = () => promise
  const waiting = post(`{"title":"${'a'.repeat(18)}"}`)
  while (asked.length < 1) await delay(1)
  const refused = await post('{ this is not parsed')
  expect(refused).toMatchObject({
    status: 503,
    message: expect.stringContaining('EVENTS_QUEUE_BYTES'),
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  resolve(STORED)
  expect(await waiting).toMatchObject({ status: 202 })
  expect(await post('{"title":"b"}')).toMatchObject({ status: 202 })
})

test('beyond the events that may wait, requests are refused', async () => {
  await serve({ queueEvents: 2 })
  const { promise, resolve } = Promise.withResolvers<ExecutionResult>()
  answer = () => promise
  const waiting = post('[{},{}]')
  while (asked.length < 1) await delay(1)
  expect(await post('not parsed')).toMatchObject({
    status: 503,
    message: expect.stringContaining('EVENTS_QUEUE_EVENTS'),
  })
  resolve(STORED)
  await waiting
  expect(await post('{"title":"b"}')).toMatchObject({ status: 202 })
})

test('a client that goes away gives its place back', async () => {
  await serve({ queueBytes: 100 })
  for (let times = 0; times < 3; times++) {
    const socket = open(`${HEAD}Content-Length: 90\r\n\r\n`, 'x'.repeat(80))
    await once(bridge?.server as Server, 'request')
    await delay(5)
    socket.destroy()
    await once(socket, 'close')
  }
  await eventually(async () =>
    expect(await post(`{"title":"${'a'.repeat(70)}"}`)).toMatchObject({ status: 202 }),
  )
})

test('a user sends as many events as it may, however it signs in, and another one as many of its own', async () => {
  await serve({ perMinute: 3 })
  const as = (user: string) => ({ user, authorization: Math.random() })
  const first = await post('[{},{}]', as('one'))
  expect(first).toMatchObject({ status: 202 })
  expect(first.headers.get('ratelimit-limit')).toBe('3')
  expect(first.headers.get('ratelimit-remaining')).toBe('1')
  const refused = await post('[{},{}]', as('one'))
  expect(refused).toMatchObject({
    status: 429,
    message: expect.stringContaining('EVENTS_PER_MINUTE'),
  })
  expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'))
  expect(await post('{}', as('one'))).toMatchObject({ status: 202 })
  expect(await post('this is not parsed', as('one'))).toMatchObject({ status: 429 })
  expect(await post('{}', as('two'))).toMatchObject({ status: 202 })
  expect(await post('{}')).toMatchObject({ status: 202 })
  expect(asked).toHaveLength(4)
})

test('a call of more events than a minute takes is refused for good and counts for nothing', async () => {
  await serve({ perMinute: 3 })
  const refused = await post('[{},{},{},{}]')
  expect(refused).toMatchObject({
    status: 413,
    message: expect.stringContaining('EVENTS_PER_MINUTE'),
  })
  expect(refused.headers.has('retry-after')).toBe(false)
  expect(await post('[{},{},{}]')).toMatchObject({ status: 202 })
})

test('without a sign-in the address counts, whatever else is sent', async () => {
  await serve({ perMinute: 2 })
  const send = () => post('{}', { token: String(Math.random()) })
  const statuses = []
  for (let times = 0; times < 3; times++) statuses.push((await send()).status)
  expect(statuses).toEqual([202, 202, 429])
})

test('strangers are refused before their bodies are read, and take no place from others', async () => {
  await serve({ queueBytes: 100 })
  refusalOf = (user) => (user ? undefined : { code: 'UNAUTHENTICATED', message: 'Sign in' })
  const strangers = [1, 2, 3, 4].map(() =>
    open(`${HEAD}Content-Length: 90\r\n\r\n`, 'x'.repeat(80)),
  )
  for (const [text] of await Promise.all(strangers.map((socket) => once(socket, 'data')))) {
    expect(text).toMatch(/^HTTP\/1.1 401 /)
    expect(text).toContain('WWW-Authenticate: Basic')
    expect(text).toContain('"sent":0')
  }
  expect(await post(`{"title":"${'a'.repeat(70)}"}`, { user: 'ada' })).toMatchObject({
    status: 202,
  })
  for (const socket of strangers) socket.destroy()
})

test('pages of other origins send events when they are named, and only then', async () => {
  await serve()
  const named = await post('{}', { origin: 'https://portal.example' })
  expect(named).toMatchObject({ status: 202 })
  expect(named.headers.get('access-control-allow-origin')).toBe('https://portal.example')
  expect(await post('{}', { origin: 'https://evil.example' })).toMatchObject({
    status: 403,
    message: expect.stringContaining('CORS_ORIGINS'),
  })
})

test('an idempotency key comes with a digest of the body, inflated', async () => {
  await serve()
  const key = { 'idempotency-key': 'k' }
  await post('{"title":"a"}', key)
  await post(gzipSync('{"title":"a"}'), { ...key, 'content-encoding': 'gzip' })
  await post('{ "title":"a"}', key)
  const digests = asked.map(({ input }) => input.idempotencyDigest)
  expect(digests[0]).toBe(digests[1])
  expect(digests[0]).not.toBe(digests[2])
})

test('only small requests without a key share an operation, and only with those of equal callers', async () => {
  await serve()
  answer = async () => {
    const events = asked.at(-1)?.input.events ?? []
    const accepted = events.map((_, index) => ({ index, id: `e-${index}` }))
    const sent = events.length
    return {
      data: { ingestEvents: { sent, success: 'ALL', accepted, errors: [], replayed: false } },
    }
  }
  const large = `{"title":"${'a'.repeat(5_000)}"}`
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => post('{"title":"small"}', { user: 'one' })),
    post('{"title":"of another"}', { user: 'two' }),
    post('{"title":"keyed"}', { user: 'one', 'idempotency-key': 'k' }),
    post(large, { user: 'one' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  const titles = asked.map(
    ({ input }) => new Set(input.events.map((event) => (event as { title: string }).title)),
  )
  expect(titles.every(({ size }) => size === 1)).toBe(true)
  expect(asked.flatMap(({ input }) => input.events)).toHaveLength(23)
})
