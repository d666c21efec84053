import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import WebSocket from 'ws'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { eventually, withTimeEnough } from '../support/eventually.ts'
import {
  PROXIES,
  type ProxyName,
  type RunningProxy,
  startProxy,
} from '../support/system/proxies.ts'
import { certOf } from '../support/tls.ts'

/** Each proxy of these gives up after 60 s by itself, or after 30. */
const LONGER_MS = 65_000
/** An upload may pause for so long. */
const PAUSE_MS = 20_000
const RECEIVED =
  'subscription ($query: String, $after: String) { eventReceived(query: $query, after: $after) { rawEvent { title } } }'
const NAMES = Object.keys(PROXIES) as ProxyName[]

let assay: Assay
let slow: string
const proxies = new Map<ProxyName, RunningProxy>()
const patient = new Map<ProxyName, Patient>()
const admin = basic(ADMIN, ADMIN_PASSWORD)
const agent = (allowH2 = true) =>
  new Agent({
    connect: { ca: certOf('first') },
    allowH2,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
const dispatcher = agent()
const overHttp1 = agent(false)

/** Requests that wait for longer than the proxy would by itself. */
interface Patient {
  run: Promise<{ status: number; state: string }>
  /** Status of an upload that pauses. */
  upload: Promise<number>
  overEvents: Stream
  overSocket: Stream
}

/** A subscription to events. */
interface Stream {
  titles: string[]
  /** When each title came. */
  at: number[]
  end(): void
}

const proxy = (name: ProxyName): RunningProxy => {
  const found = proxies.get(name)
  if (!found) throw new Error(`${name} does not run`)
  return found
}

const ask = (url: string, init: Parameters<typeof fetch>[1] = {}) =>
  fetch(url, { dispatcher, ...init, headers: { ...admin, ...(init.headers as object) } })

const json = { 'content-type': 'application/json' }

const send = (url: string, events: unknown, over = dispatcher) =>
  ask(`${url}/v1/events`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(events),
    dispatcher: over,
  })

/** Variables of a stream behind a cursor: it does not matter when it is open. */
async function behindNow(source: string) {
  const { eventCursor } = await new Client(assay.url).run('{ eventCursor }', admin)
  return { query: `eventClass:${source}`, after: eventCursor }
}

/** Events of 31 kB each. */
const largeEvents = (length: number) =>
  Array.from({ length }, (_, at) => ({
    title: `large ${at % 10}`,
    properties: { padding: 'x'.repeat(31_000) },
  }))

async function overEvents(url: string, source: string): Promise<Stream> {
  const abort = new AbortController()
  const response = await ask(`${url}/graphql`, {
    method: 'POST',
    headers: { ...json, accept: 'text/event-stream' },
    body: JSON.stringify({ query: RECEIVED, variables: await behindNow(source) }),
    signal: abort.signal,
  })
  expect(response.status).toBe(200)
  const stream: Stream = { titles: [], at: [], end: () => abort.abort() }
  const read = async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      note(stream, piece)
    stream.titles.push('the end')
  }
  read().catch(() => {})
  return stream
}

async function overSocket(url: string, source: string): Promise<Stream> {
  const options = { headers: { ...admin, origin: url }, ca: certOf('first') }
  const address = `${url.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(address, 'graphql-transport-ws', options)
  await once(socket, 'open')
  const stream: Stream = { titles: [], at: [], end: () => socket.terminate() }
  socket.on('message', (data) => note(stream, String(data)))
  socket.on('close', () => stream.titles.push('the end'))
  socket.send(JSON.stringify({ type: 'connection_init' }))
  await once(socket, 'message')
  const payload = { query: RECEIVED, variables: await behindNow(source) }
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }))
  socket.send(JSON.stringify({ type: 'ping' })) // its pong says that the subscription was read
  await once(socket, 'message')
  return stream
}

function note(stream: Stream, text: string): void {
  for (const [, title = ''] of text.matchAll(/"title":"([^"]+)"/g)) {
    stream.titles.push(title)
    stream.at.push(performance.now())
  }
}

async function upload(url: string): Promise<number> {
  const parts = async function* () {
    yield Buffer.from('{"title": "sl')
    await delay(PAUSE_MS)
    yield Buffer.from('owly"}')
  }
  const init = { method: 'POST', headers: json, body: parts(), duplex: 'half' } as const
  // Apache's limit of its module reqtimeout does not hold over HTTP/2.
  return (await ask(`${url}/v1/events`, { ...init, dispatcher: overHttp1 })).status
}

async function waiting(name: ProxyName): Promise<Patient> {
  const { url } = proxy(name)
  const run = ask(`${url}/api/testcase/${slow}/execute?synchron=true`, {
    method: 'POST',
    headers: { credentials: Buffer.from('ci:secret').toString('base64') },
  }).then(async (response) => {
    const body = (await response.json()) as { state: string }
    return { status: response.status, state: body.state }
  })
  const uploading = upload(url)
  for (const reported of [run, uploading]) reported.catch(() => {}) // by their tests
  const source = `idle-${name}`
  return {
    run,
    upload: uploading,
    overEvents: await overEvents(url, source),
    overSocket: await overSocket(url, source),
  }
}

beforeAll(async () => {
  assay = await startAssay({
    mode: 'in-process',
    env: {
      ...{ ...USERS_ENV, PROXY_ADDRESSES: '127.0.0.1/32', WORKER_SLOTS: '8' },
      HTTP_HEADERS_TIMEOUT_SECONDS: '60', // Varnish holds them back until it has more than a little of the body
    },
  })
  const pause = { id: 'pause', wait: { ms: LONGER_MS } }
  slow = await new Client(assay.url).openScenario({ scenario: { steps: [pause] } })
  await Promise.all(
    NAMES.map(async (name) => {
      proxies.set(name, await startProxy(name, assay.url))
      patient.set(name, await waiting(name))
    }),
  )
})

afterAll(async () => {
  for (const { overEvents, overSocket } of patient.values()) {
    overEvents.end()
    overSocket.end()
  }
  await Promise.all([dispatcher.destroy(), overHttp1.destroy()])
  await Promise.all([...proxies.values()].map((each) => each.stop()))
  await assay?.stop()
})

describe.each(NAMES)('%s', (name) => {
  test('signs a browser in, whose cookie is Secure where the proxy speaks TLS', async () => {
    const { url } = proxy(name)
    const response = await fetch(`${url}/session`, {
      dispatcher,
      method: 'POST',
      headers: { ...json, origin: url },
      body: JSON.stringify({ name: ADMIN, password: ADMIN_PASSWORD }),
    })
    expect(response.status).toBe(200)
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie.includes('; Secure')).toBe(url.startsWith('https'))
  })

  test('passes on the address of its client, whatever that client says', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }
    const response = await ask(`${proxy(name).url}/api/component`, {
      headers: { ...forged, ...basic(ADMIN, `wrong at ${name}`) },
    })
    expect(response.status).toBe(401)
    const query =
      '{ auditLog(first: 1, filter: { action: "failedSignIn" }) { nodes { address requestId } } }'
    // A failed sign-in is answered before it is stored.
    await eventually(async () => {
      const { auditLog } = await new Client(assay.url).run(query, admin)
      expect(auditLog.nodes).toEqual([
        { address: '127.0.0.1', requestId: response.headers.get('x-request-id') },
      ])
    })
  })

  test('takes an address of 12 KiB', async () => {
    const query = encodeURIComponent(`{ viewer { user } } #${'x'.repeat(12_000)}`)
    const response = await ask(`${proxy(name).url}/graphql?query=${query}`, {
      headers: { accept: 'application/json' },
    })
    expect(await response.json()).toEqual({ data: { viewer: { user: ADMIN } } })
  })

  test('takes 30 MiB of events in one request', async () => {
    const events = largeEvents(1_010)
    // A client of HTTP/2 loses other answers while it sends as much: findings/undici-h2-upload-of-11-mib-loses-other-answers.sh.
    const own = agent()
    const response = await send(proxy(name).url, events, own)
    expect(response.status).toBe(202)
    const { result } = (await response.json()) as { result: { accepted: unknown[] } }
    expect(result.accepted).toHaveLength(events.length)
    await own.destroy()
  })

  test('holds no event of a busy stream back', async () => {
    const source = `busy-${name}`
    const { url } = proxy(name)
    // A proxy that waits for the next event is late by the pause before that.
    await withTimeEnough(50, async (ms) => {
      const streams = await Promise.all([
        overEvents(url, source),
        overSocket(url, source),
        overEvents(assay.url, source),
      ])
      const titles = Array.from({ length: 20 }, (_, at) => `${source} ${at}`)
      for (const title of titles) {
        expect((await send(assay.url, { title, eventClass: source })).status).toBe(202)
        await delay(ms)
      }
      for (const stream of streams)
        await eventually(async () => expect(stream.titles).toEqual(titles))
      for (const stream of streams) stream.end()
      const [throughEvents, throughSocket, direct] = streams as [Stream, Stream, Stream]
      for (const { at } of [throughEvents, throughSocket]) {
        const late = at.map((time, index) => time - (direct.at[index] ?? 0)).sort((a, b) => a - b)
        expect(late[10]).toBeLessThan(ms)
      }
    })
  })
})

test.each(NAMES)('%s waits for a run that is longer than its own default', async (name) => {
  expect(await patient.get(name)?.run).toEqual({ status: 200, state: 'COMPLETED' })
})

test.each(NAMES)('%s waits for an upload that pauses', async (name) => {
  expect(await patient.get(name)?.upload).toBe(202)
})

test.each(NAMES)('%s keeps streams without events open for as long', async (name) => {
  const { overEvents, overSocket } = patient.get(name) as Patient
  const title = `after the silence ${randomUUID()}`
  await send(assay.url, { title, eventClass: `idle-${name}` })
  for (const { titles } of [overEvents, overSocket])
    await eventually(async () => expect(titles).toEqual([title]))
})

test('each proxy gives requests to a gateway that returns within 5 s', async () => {
  await assay.kill('server', 'SIGKILL')
  const refused = NAMES.map(async (name) => {
    const { status } = await ask(`${proxy(name).url}/api/component/count`)
    expect([502, 503, 504]).toContain(status)
  })
  await Promise.all(refused)
  await assay.restart('server')
  const answered = NAMES.map((name) =>
    eventually(async () => {
      const { status } = await ask(`${proxy(name).url}/api/component/count`)
      expect([name, status]).toEqual([name, 200])
    }, 5_000),
  )
  await Promise.all(answered)
})
