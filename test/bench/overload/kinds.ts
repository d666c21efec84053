import { createClient } from '../client.ts'
import type { Running } from '../events/product.ts'
import { CREDENTIALS, ID, store } from '../execution.ts'
import { event, joinedQuery } from '../requests.ts'
import { outcomeOf, type Send } from './offered.ts'
import { Connections } from './sockets.ts'

/** Offered load. */
export interface Offer {
  send: Send
  /** Requests of callers in a closed loop, which find the peak. */
  peak: Send
  /** Numbers of them that are tried. */
  callers: readonly number[]
  /** Opens connections for all that is going to be offered. */
  open(): Promise<void>
  /** Progress so far. */
  progress(): number | Promise<number>
  stop(): void
}

export type Kind = (running: Running) => Promise<Offer>

/** Clients that wait for an answer at a time, below HTTP_MAX_REQUESTS and HTTP_MAX_CONNECTIONS. */
const MAX_CONNECTIONS = 4_000
const JSON_TYPE = { 'content-type': 'application/json' }
const DIFFERENT = 1_000
const MANY = [64, 256, 512]
const FEW = [8, 16]

interface Post {
  url: string
  headers: () => Record<string, string>
  body: () => string
  wanted: number
}

/** @param progress what was done; the requests that succeeded, if absent */
function posts(
  { url, headers, body, wanted }: Post,
  callers: readonly number[],
  progress?: () => Promise<number>,
): Offer {
  const { pathname, search, origin } = new URL(url)
  const connections = new Connections(new URL(origin), MAX_CONNECTIONS)
  let done = 0
  const send = async () => {
    const head = await connections.post(pathname + search, headers(), body())
    const answered = outcomeOf(head, wanted)
    if (answered.outcome === 'done') done++
    return answered
  }
  return {
    ...{ callers, send, peak: send },
    progress: progress ?? (() => done),
    open: () => connections.openAll(),
    stop: () => connections.close(),
  }
}

let sent = 0

export const KINDS: Readonly<Record<string, Kind>> = {
  /** One event for each request. */
  events: async ({ url }) => {
    const body = () =>
      JSON.stringify({
        title: `event ${sent++ % 1_000}`,
        severity: 'WARN',
        source: { ref: 'host', type: 'host' },
        fingerprintFields: ['@title'],
      })
    return posts({ url, headers: () => JSON_TYPE, body, wanted: 202 }, MANY)
  },
  /** Executions without `wait`; done counts those that have ended. */
  executions: async ({ assay }) => {
    await store(createClient(assay.url))
    const url = `${assay.url}/api/testcase/${ID}/execute`
    const request = { headers: () => ({ credentials: CREDENTIALS }), body: () => '', wanted: 200 }
    const waiting = posts({ ...request, url: `${url}?synchron=true` }, FEW)
    const offered = posts({ ...request, url }, FEW, () => ended(assay.url))
    return {
      ...offered,
      // They wait for the end, so that no queue is left behind.
      peak: waiting.send,
      stop() {
        offered.stop()
        waiting.stop()
      },
    }
  },
  /** One of many events and an execution with its events, which takes two fetches. */
  queries: async ({ assay, url: events }) => {
    const { url, body } = await joinedQuery(assay)
    const { query, variables } = JSON.parse(body) as { query: string; variables: object }
    const bodies = (await storedEvents(events)).map((event) =>
      JSON.stringify({ query, variables: { ...variables, event } }),
    )
    const next = () => bodies[sent++ % bodies.length] ?? ''
    return posts({ url, headers: () => JSON_TYPE, body: next, wanted: 200 }, MANY)
  },
}

/** @returns ids of events that are all different, so that no two queries at a time share an answer */
async function storedEvents(url: string): Promise<string[]> {
  const body = JSON.stringify(Array.from({ length: DIFFERENT }, (_, at) => event(at)))
  const answer = await fetch(url, { method: 'POST', headers: JSON_TYPE, body })
  const { result } = (await answer.json()) as { result: { accepted: { id: string }[] } }
  return result.accepted.map(({ id }) => id)
}

/** Executions that have ended in all. */
async function ended(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = [...text.matchAll(/^assay_executions_total\{[^}]*\} (\d+)/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}
