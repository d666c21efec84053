import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { encoded } from '../conformance/executions.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { basic } from '../support/e2e/users.ts'
import type { Books, Known } from './books.ts'
import { ADMIN } from './installation.ts'

const SIGN_IN = basic(ADMIN.email, ADMIN.password)
/** Credentials of the system under test. */
const CREDENTIALS = encoded('ci', 'secret')
/** Time that a caller waits for an answer. */
const PATIENCE_MS = 15_000
/** Time that a caller repeats a request under its key. */
const REPEAT_MS = 120_000
const BATCH = 5
const PAUSE_MS = 50
const SUBSCRIBERS = 5
/** Receivers refuse callbacks that are older or younger; they recommend five minutes, which leaves clocks nothing. */
const CALLBACK_AGE_MS = 60_000
/** A failure with one of these says nothing about what was done. */
const UNKNOWN = ['DOWNSTREAM_ANSWER_LOST', 'DOWNSTREAM_TIMEOUT']

/** Callers that do not pause: events with and without keys, executions with callbacks, queries and subscribers. */
export interface Load {
  /** Waits until each kind of caller succeeds again. @returns the milliseconds it took. @throws after a while */
  recovers(): Promise<number>
  /** Ends the callers once their last request is answered. */
  stop(): Promise<void>
  /** Waits until callbacks and subscribers have what was accepted, or `patienceMs` are over; then ends them, too. */
  settle(patienceMs: number): Promise<void>
}

export async function startLoad(url: string, books: Books, prefix: string): Promise<Load> {
  const receiver = await startReceiver(books)
  const subscribers = Array.from({ length: SUBSCRIBERS }, () => subscribe(url, books, prefix))
  const callers = {
    events: () => sendEvents(url, books, prefix),
    'events with a key': () => sendEventsOnce(url, books, prefix),
    executions: () => execute(url, books, { prefix, callbackUrl: receiver.url }),
    queries: () => query(url, books),
  }
  let isOver = false
  const running = Object.values(callers).map(async (send) => {
    while (!isOver) {
      await send()
      await delay(PAUSE_MS)
    }
  })
  return {
    async recovers() {
      const begun = performance.now()
      const before = new Map([...books.requests].map(([kind, { succeeded }]) => [kind, succeeded]))
      const isBack = (kind: string) =>
        (books.requests.get(kind)?.succeeded ?? 0) > (before.get(kind) ?? 0)
      for (;;) {
        const away = Object.keys(callers).filter((kind) => !isBack(kind))
        if (away.length === 0) break
        if (performance.now() - begun > REPEAT_MS)
          throw new Error(
            `No success of ${away.map((kind) => `${kind} (${books.failuresOf(kind)})`)}`,
          )
        await delay(20)
      }
      return performance.now() - begun
    },
    async stop() {
      isOver = true
      await Promise.all(running)
    },
    async settle(patienceMs) {
      const until = performance.now() + patienceMs
      const accepted = books.titles('accepted')
      const isSettled = () =>
        [...books.executions.values()].every((id) => books.callbacks.has(id)) &&
        books.arrivals.every((seen) => accepted.every((title) => seen.has(title)))
      while (!isSettled() && performance.now() < until) await delay(100)
      for (const each of subscribers) await each.stop()
      await receiver.stop()
    },
  }
}

interface Answer {
  status: number
  code: string | undefined
  body: Body | null
}

/** Parts of a response that callers read: of an execution, an error over REST, one of GraphQL, one of an ingestion. */
interface Body {
  id?: string
  code?: string
  message?: string
  errors?: { extensions?: { code?: string } }[]
  result?: { errors?: { message?: string }[] }
}

/** @returns null where no answer came */
async function call(url: string, init: RequestInit & { headers?: object }): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...SIGN_IN, 'content-type': 'application/json', ...init.headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    const body: Body | null = isJson
      ? JSON.parse(text)
      : {
          message: text
            .replace(/<[^>]*>|\s+/g, ' ')
            .trim()
            .slice(0, 60),
        }
    return {
      status: response.status,
      code: body?.code ?? body?.errors?.[0]?.extensions?.code,
      body,
    }
  } catch {
    return null
  }
}

/** Ingestion lists its errors. */
const messageOf = ({ body }: Answer): string | undefined =>
  body?.message ?? body?.result?.errors?.[0]?.message

const failureOf = (answer: Answer | null): string | undefined => {
  if (answer === null) return 'no answer'
  if (answer.status >= 300)
    return [answer.status, answer.code, messageOf(answer)].filter(Boolean).join(' ')
  return answer.code
}

async function counted(books: Books, kind: string, request: () => Promise<Answer | null>) {
  const begun = performance.now()
  const answer = await request()
  const failure = failureOf(answer)
  books.count(kind, performance.now() - begun, failure)
  return { answer, failure }
}

let sent = 0
const newEvents = (prefix: string) =>
  Array.from({ length: BATCH }, () => ({
    title: `${prefix}x${++sent}`,
    fingerprintFields: ['@title'],
  }))

const post = (url: string, events: readonly object[], headers = {}) =>
  call(`${url}/api/v1/events`, { method: 'POST', headers, body: JSON.stringify(events) })

/** A caller that never repeats: what it was refused is not there, what was not answered may be. */
async function sendEvents(url: string, books: Books, prefix: string): Promise<void> {
  const events = newEvents(prefix)
  for (const { title } of events) books.events.set(title, 'unknown')
  const { answer, failure } = await counted(books, 'events', () => post(url, events))
  for (const { title } of events) books.events.set(title, knownOf(answer, failure))
}

function knownOf(answer: Answer | null, failure: string | undefined): Known {
  if (failure === undefined) return 'accepted'
  // The balancer reports a server that it cannot reach, without a code of ours.
  const isUnknown = answer === null || !answer.code || UNKNOWN.includes(answer.code)
  return isUnknown ? 'unknown' : 'refused'
}

/** A caller that repeats under its key until it is answered: everything is there once. */
async function sendEventsOnce(url: string, books: Books, prefix: string): Promise<void> {
  const events = newEvents(prefix)
  const headers = { 'idempotency-key': randomUUID() }
  for (const { title } of events) books.events.set(title, 'unknown')
  const isAccepted = await repeated(async () => {
    const { failure } = await counted(books, 'events with a key', () => post(url, events, headers))
    return failure === undefined
  })
  if (isAccepted) for (const { title } of events) books.events.set(title, 'accepted')
}

interface Run {
  prefix: string
  callbackUrl: string
}

/** A build that starts a scenario, and repeats under its key until it has an id. */
async function execute(url: string, books: Books, { prefix, callbackUrl }: Run): Promise<void> {
  const key = `${prefix}-${randomUUID()}`
  const address = `${url}/api/testcase/loan-schedule/execute?label=drill=${encodeURIComponent(key)}&callbackUrl=${encodeURIComponent(callbackUrl)}`
  await repeated(async () => {
    const { answer, failure } = await counted(books, 'executions', () =>
      call(address, {
        method: 'POST',
        headers: { 'idempotency-key': key, credentials: CREDENTIALS },
      }),
    )
    if (failure === undefined) books.executions.set(key, answer?.body?.id ?? '')
    return failure === undefined
  })
}

async function query(url: string, books: Books): Promise<void> {
  const body = JSON.stringify({
    query: '{ testCase(id: "loan-schedule") { name events(first: 1) { nodes { id } } } }',
  })
  await counted(books, 'queries', () => call(`${url}/graphql`, { method: 'POST', body }))
}

/** @returns whether it succeeded in time */
async function repeated(attempt: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + REPEAT_MS
  do {
    if (await attempt()) return true
    await delay(200)
  } while (performance.now() < until)
  return false
}

async function startReceiver(books: Books): Promise<Collector> {
  return startCollector((response, _, { body, headers }) => {
    const { id } = JSON.parse(body) as { id: string }
    const ageMs = Date.now() - Number(headers['webhook-timestamp']) * 1_000
    if (Math.abs(ageMs) > CALLBACK_AGE_MS) books.misdated.push(id)
    books.callbacks.set(id, (books.callbacks.get(id) ?? 0) + 1)
    response.writeHead(204).end()
  })
}

/** A watcher that reconnects behind the last cursor it has seen. */
function subscribe(url: string, books: Books, prefix: string) {
  const seen = new Map<string, number>()
  books.arrivals.push(seen)
  // From the beginning: what is sent before the stream stands belongs to it, too.
  let cursor = ''
  let isOver = false
  let client: ReturnType<typeof createClient> | undefined
  const connect = async (): Promise<void> => {
    client = createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: SIGN_IN,
      retryAttempts: 0,
      keepAlive: 5_000,
    })
    const stream = client.iterate<{
      eventReceived: { cursor: string; rawEvent: { title: string } }
    }>({
      query:
        'subscription ($after: String, $query: String) { eventReceived(after: $after, query: $query) { cursor rawEvent { title } } }',
      variables: { after: cursor, query: `title:${prefix}x*` },
    })
    for await (const { data } of stream) {
      if (!data) return
      cursor = data.eventReceived.cursor
      const { title } = data.eventReceived.rawEvent
      seen.set(title, (seen.get(title) ?? 0) + 1)
    }
  }
  const running = (async () => {
    while (!isOver) {
      await connect().catch(() => {})
      await client?.dispose()
      await delay(100)
    }
  })()
  return {
    async stop() {
      isOver = true
      await client?.dispose()
      await running
    },
  }
}
