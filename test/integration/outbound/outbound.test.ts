import { createHook } from 'node:async_hooks'
import {
  createOutbound,
  type OutboundOptions,
  type OutboundRequest,
} from '../../../platform/outbound/outbound.ts'
import type { OutboundResponse } from '../../../platform/outbound/outbound-response.ts'
import { type Collector, startCollector, status } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'

let collector: Collector
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector.stop())

const LOOPBACK: OutboundOptions = { allow: ['127.0.0.0/8'], ownPorts: [] }

/** Sends a request to a path of the collector, under whatever host. */
function send<T = number>(
  options: Partial<OutboundOptions> = {},
  given: Partial<OutboundRequest> & { host?: string; path?: string } = {},
  receive: (response: OutboundResponse) => T | Promise<T> = ({ status }) => status as T,
): Promise<T> {
  const { host = '127.0.0.1', path = '/', ...request } = given
  return createOutbound({ ...LOOPBACK, ...options }).send(
    {
      method: 'POST',
      url: `http://${host}:${collector.port}${path}`,
      body: 'hello',
      timeoutMs: 25_000,
      ...request,
    },
    receive,
  )
}

const failure = (reason: string) => expect.objectContaining({ name: 'OutboundError', reason })

test('a request arrives as it was given, and its answer comes back bounded', async () => {
  collector.answer((response) => void response.writeHead(201, { 'x-answer': 'yes' }).end('welcome'))
  const answer = await send({}, { path: '/a?b=c', headers: { 'x-asked': 'yes' } }, async (got) => ({
    status: got.status,
    header: got.headers['x-answer'],
    body: await got.read(3),
  }))
  expect(answer).toEqual({
    status: 201,
    header: 'yes',
    body: { bytes: Buffer.from('wel'), isWhole: false },
  })
  expect(collector.requests).toMatchObject([
    { method: 'POST', path: '/a?b=c', body: 'hello', headers: { 'x-asked': 'yes' } },
  ])
})

test('nothing of the time limit is left behind a request, however long it is', async () => {
  const timeoutMs = 86_399_999
  const timers = timersOf(timeoutMs)
  const { signal } = new AbortController()
  await send({}, { timeoutMs, signal })
  await expect(
    send({}, { timeoutMs, signal }, () => Promise.reject(new Error('not wanted'))),
  ).rejects.toThrow('not wanted')
  const resolve = async () => ['10.0.0.1']
  await expect(send({ resolve }, { host: 'a.example', timeoutMs, signal })).rejects.toThrow()
  expect(timers.made()).toBeGreaterThanOrEqual(3)
  await eventually(async () => expect(timers.left()).toBe(0))
  timers.stop()
})

/** Timers of a time that are set while it watches. */
function timersOf(ms: number) {
  const left = new Set<number>()
  let made = 0
  const hook = createHook({
    init(id, type, _, timer: { _idleTimeout?: number }) {
      if (type !== 'Timeout' || timer._idleTimeout !== ms) return
      made += 1
      left.add(id)
    },
    destroy: (id) => void left.delete(id),
  }).enable()
  return { made: () => made, left: () => left.size, stop: () => void hook.disable() }
}

test('a body that just fits is whole', async () => {
  collector.answer((response) => void response.end('seven b'))
  expect(await send({}, {}, (got) => got.read(7))).toEqual({
    bytes: Buffer.from('seven b'),
    isWhole: true,
  })
})

test('a name is resolved once, connected to where that led, and still named in the request', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const resolve = async () => answers.shift() ?? []
  expect(await send({ resolve }, { host: 'receiver.example' })).toBe(204)
  expect(answers).toHaveLength(1)
  expect(collector.requests[0]?.headers.host).toBe(`receiver.example:${collector.port}`)
})

test.each([
  ['a forbidden address', ['10.0.0.1']],
  ['an allowed and a forbidden one', ['127.0.0.1', '10.0.0.1']],
  ['IPv4 inside IPv6', ['::ffff:127.0.0.1']],
  ['nothing', []],
])('a name that leads to %s is not connected to', async (_, addresses) => {
  const sent = send({ resolve: async () => addresses }, { host: 'receiver.example' })
  await expect(sent).rejects.toEqual(failure('FORBIDDEN'))
  await expect(sent).rejects.not.toThrow(/10\.0\.0\.1/)
  expect(collector.requests).toEqual([])
})

test('what the system resolves is judged as well', async () => {
  await expect(send({ allow: [] }, { host: 'localhost' })).rejects.toEqual(failure('FORBIDDEN'))
  expect(await send({ allow: ['127.0.0.0/8', '::1/128'] }, { host: 'localhost' })).toBe(204)
})

test("the product's own port is closed under every name", async () => {
  const options = { ownPorts: [collector.port], resolve: async () => ['127.0.0.1'] }
  for (const host of ['127.0.0.1', '127.1', 'receiver.example'])
    await expect(send(options, { host })).rejects.toEqual(failure('FORBIDDEN'))
  expect(collector.requests).toEqual([])
})

test('a redirect is an answer, not a way', async () => {
  collector.answer((response) => {
    response.writeHead(307, { location: `${collector.url}/elsewhere` }).end()
  })
  expect(await send()).toBe(307)
  expect(collector.requests).toHaveLength(1)
})

test('silence ends in time, before and within the body', async () => {
  collector.answer(() => {})
  await expect(send({}, { timeoutMs: 100 })).rejects.toEqual(failure('TIMEOUT'))
  collector.answer((response) => void response.writeHead(200).write('and then'))
  const read = send({}, { timeoutMs: 300 }, (got) => got.read(1_000))
  await expect(read).rejects.toEqual(failure('TIMEOUT'))
  const resolve = () => new Promise<string[]>(() => {})
  const resolving = send({ resolve }, { host: 'receiver.example', timeoutMs: 100 })
  await expect(resolving).rejects.toEqual(failure('TIMEOUT'))
})

test('a body without end is cut and its connection closed', async () => {
  const closed = new Promise((resolve) => {
    collector.answer((response) => {
      response.on('close', resolve)
      const flow = () => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', flow)
      }
      flow()
    })
  })
  const { bytes, isWhole } = await send({}, {}, (got) => got.read(100_000))
  expect([bytes.length, isWhole]).toEqual([100_000, false])
  await closed
})

test('who needs only the status does not wait for the body', async () => {
  collector.answer((response) => void response.writeHead(200).write('endless'))
  expect(await send({}, { timeoutMs: 60_000 })).toBe(200)
})

test('a cancelled request says so, and a refused connection too', async () => {
  collector.answer(() => {})
  const cancel = new AbortController()
  const sent = send({}, { signal: cancel.signal })
  await collector.received(1)
  cancel.abort(new Error('the lease ran out'))
  await expect(sent).rejects.toEqual(failure('CANCELLED'))
  await collector.stop()
  await expect(send()).rejects.toThrow('The connection was refused')
  collector = await startCollector(status(204))
})
