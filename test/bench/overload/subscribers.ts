import { connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Running } from '../events/product.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { type Answered, outcomeOf } from './offered.ts'
import { watchMemory } from './report.ts'
import { readHead, requestText } from './sockets.ts'

/** Subscribers of the closed loop that finds out how many events can be delivered. */
const PROBES = 500
const PROBE_SECONDS = 5
const AT_ONCE = 32
const BURST = 200
const BURST_PATIENCE_MS = 30_000
/** Subscribers whose events together are the peak; three times of them are below HTTP_MAX_REQUESTS. */
const CAPACITY = 1_300
/** All arrive within this time; refused ones try again after `Retry-After`. */
const ARRIVE_SECONDS = 3
const AFTER_SECONDS = 10
const OWN_DELAY_MS = 10
const TIMES = 3

const SUBSCRIPTION =
  'subscription { eventReceived(query: "title:tick*") { cursor event { title } } }'

const SUBSCRIBE = JSON.stringify({ query: SUBSCRIPTION })
const STREAM_HEADERS = { 'content-type': 'application/json', accept: 'text/event-stream' }

interface Deliveries {
  count: number
  /** From the request with an event to a subscriber, in ms: one for each piece that arrived. */
  took: number[]
  /** From the request with an event to its answer. */
  accepted: number[]
}

/** Three times as many subscribers as can be served. */
export async function overloadSubscribers({ assay, url }: Running, seconds: number): Promise<void> {
  const all = new Subscribers(`${assay.url}/graphql`)
  const memory = watchMemory(assay.pids.server ?? 0)
  try {
    while (all.open < PROBES) await all.subscribe()
    const probe = await all.during(() => deliverAll(url, all, PROBE_SECONDS))
    const peak = probe.count / PROBE_SECONDS
    await printBurst(url, all, assay.pids.server ?? 0)
    const rate = peak / CAPACITY
    print(
      `peak: ${format(peak)} deliveries a second, which is ${CAPACITY} subscribers of ${format(rate)} events a second`,
    )
    const usual = await all.during(() => tick(url, all, rate, PROBE_SECONDS))
    printDeliveries(`${PROBES} subscribers`, usual, PROBE_SECONDS)
    const arriving = all.arrive(TIMES * CAPACITY - PROBES, seconds)
    const ownDelay = monitorEventLoopDelay({ resolution: OWN_DELAY_MS })
    ownDelay.enable()
    const own = process.cpuUsage()
    const loaded = await all.during(() => tick(url, all, rate, seconds))
    const { user, system } = process.cpuUsage(own)
    const { refused, failed } = await arriving
    printDeliveries(`${TIMES * CAPACITY} subscribers for ${seconds} s`, loaded, seconds)
    print(
      `  ${all.open} are open, ${all.closed} were closed · ${refused} refusals with Retry-After · ${failed.length} failed ${failed[0] ?? ''}`,
    )
    print(
      `  the load took ${format((user + system) / 1e4 / seconds)} % of its core, and read at most ${format(ownDelay.max / 1e6)} ms late`,
    )
    print(
      `throughput: ${format(loaded.count / seconds)} a second, ${format((100 * loaded.count) / seconds / peak)} % of the peak`,
    )
    all.close(all.open - PROBES)
    for (let second = 1; second <= AFTER_SECONDS; second++)
      printDeliveries(
        `second ${second} after it`,
        await all.during(() => tick(url, all, rate, 1)),
        1,
      )
    const sizes = memory.stop()
    print(
      `memory: ${sizes[0]} MiB before, at most ${Math.max(...sizes)}, ${sizes.at(-1)} MiB in the end`,
    )
  } finally {
    memory.stop()
    all.close(all.open)
  }
}

/** Events of one request, which come faster than they are delivered one after the other. */
async function printBurst(url: string, all: Subscribers, pid: number): Promise<void> {
  const [before, began] = [await processorMs([pid]), performance.now()]
  const { count } = await all.during(async () => {
    await postAll(
      url,
      Array.from({ length: BURST }, () => tickEvent()),
    )
    while (all.delivered < BURST * all.open && performance.now() < began + BURST_PATIENCE_MS)
      await delay(1)
  })
  const seconds = (performance.now() - began) / 1_000
  const processor = (await processorMs([pid])) - before
  print(
    `${BURST} events of one request: ${format(count / seconds)} deliveries a second, ${format((processor * 1_000) / count)} µs of the product's processor each`,
  )
}

function printDeliveries(title: string, deliveries: Deliveries, seconds: number): void {
  const { count, took, accepted } = deliveries
  const { p50, p99, max } = summarize(took)
  print(
    `${title}: ${format(count / seconds)} deliveries a second, after p50 ${format(p50)} · p99 ${format(p99)} · slowest ${format(max)} ms`,
  )
  if (accepted.length === 0) return
  const answer = summarize(accepted)
  print(
    `  ${format(accepted.length / seconds)} events a second accepted, after p50 ${format(answer.p50)} · p99 ${format(answer.p99)} ms`,
  )
}

/** Subscribers over SSE, which count and time what they get. */
export class Subscribers {
  readonly #origin: URL
  readonly #streams = new Set<Socket>()
  #deliveries: Deliveries = { count: 0, took: [], accepted: [] }
  closed = 0

  constructor(url: string) {
    this.#origin = new URL(url)
  }

  get open(): number {
    return this.#streams.size
  }

  /** Deliveries to all of them meanwhile. */
  async during(run: () => Promise<void>): Promise<Deliveries> {
    this.#deliveries = { count: 0, took: [], accepted: [] }
    await run()
    return this.#deliveries
  }

  accepted(tookMs: number): void {
    this.#deliveries.accepted.push(tookMs)
  }

  get delivered(): number {
    return this.#deliveries.count
  }

  subscribe(): Promise<Answered & { retryAfterMs?: number }> {
    const { port, hostname } = this.#origin
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    socket.write(requestText(this.#origin, '/graphql', STREAM_HEADERS, SUBSCRIBE))
    return new Promise((resolve, reject) => {
      let begin = ''
      const read = (piece: string) => {
        begin += piece
        const head = readHead(begin)
        if (!head) return
        const answered = outcomeOf(head, 200)
        const seconds = Number(head.headers['retry-after'] ?? 1)
        resolve({ ...answered, retryAfterMs: seconds * 1_000 })
        socket.off('data', read)
        if (answered.outcome !== 'done') return void socket.destroy()
        this.#streams.add(socket)
        socket.on('data', (text: string) => this.#count(text))
      }
      socket.on('data', read)
      socket.on('error', reject)
      socket.on('close', () => {
        if (this.#streams.delete(socket)) this.closed++
        reject(new Error('The connection was closed without an answer'))
      })
    })
  }

  /** Further ones subscribe until the time is over, the refused again and again. */
  async arrive(count: number, seconds: number): Promise<{ refused: number; failed: string[] }> {
    const end = performance.now() + seconds * 1_000
    const failed: string[] = []
    let refused = 0
    const one = async (at: number) => {
      await delay((at / count) * ARRIVE_SECONDS * 1_000)
      while (performance.now() < end) {
        const answered = await this.subscribe().catch((error: Error) => ({
          outcome: 'failed' as const,
          instead: error.message,
          retryAfterMs: 1_000,
        }))
        if (answered.outcome === 'done') return
        if (answered.outcome === 'refused') refused++
        else failed.push(answered.instead ?? '')
        await delay(answered.retryAfterMs ?? 1_000)
      }
    }
    await Promise.all(Array.from({ length: count }, (_, at) => one(at)))
    return { refused, failed }
  }

  close(count: number): void {
    for (const stream of [...this.#streams].slice(0, count)) {
      this.#streams.delete(stream)
      stream.destroy()
    }
  }

  #count(text: string): void {
    const now = Date.now()
    const sent = [...text.matchAll(/"tick (\d+)"/g)]
    this.#deliveries.count += sent.length
    const last = sent.at(-1)
    if (last) this.#deliveries.took.push(now - Number(last[1]))
  }
}

/** Sends events as fast as all get them. */
async function deliverAll(url: string, all: Subscribers, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000
  let sent = 0
  const caller = async () => {
    while (performance.now() < end) {
      sent++
      await post(url)
      while (all.delivered < (sent - AT_ONCE) * all.open && performance.now() < end) await delay(1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

/** Sends events at an even rate. */
async function tick(url: string, all: Subscribers, rate: number, seconds: number): Promise<void> {
  const begin = performance.now()
  const sent: Promise<void>[] = []
  for (let due = 0; due < seconds * 1_000; due = (sent.length / rate) * 1_000) {
    await delay(Math.max(0, begin + due - performance.now()))
    sent.push(post(url).then((tookMs) => all.accepted(tookMs), ignored))
  }
  await delay(Math.max(0, begin + seconds * 1_000 - performance.now()))
}

const tickEvent = () => ({ title: `tick ${Date.now()}`, fingerprintFields: ['source'] })

/** @returns ms until the answer */
async function post(url: string): Promise<number> {
  const begin = performance.now()
  await postAll(url, tickEvent())
  return performance.now() - begin
}

async function postAll(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
}

const ignored = () => {}
