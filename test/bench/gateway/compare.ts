import { setTimeout as delay } from 'node:timers/promises'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import type { Loaded } from '../wrk.ts'
import { load } from './load.ts'

/** A gateway that answers, and what was measured of it. */
export interface Contender {
  name: string
  /** Several for gateways beside each other, which get their load at the same time. */
  urls: readonly string[]
  pids: readonly number[]
  /** Those that share a port, 1 if not given. Each gets as many connections as a gateway of one process. */
  processes?: number
}

interface Measured {
  perSecond: number[]
  p99: number[]
  failed: number
  /** Share of the time in which the gateway was running: with less than all, something else held it up. */
  busy: number[]
  /** Processor time for each request (µs), of the gateway and of what runs beside it. */
  gateway: number[]
  subgraphs: number[]
}

const WARM_UP_SECONDS = Number(process.env.BENCH_WARM_UP ?? 12)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const LOOK_MS = 200

export interface Comparison {
  title: string
  query: string
  /** Connections of each process. */
  connections: number
  /** True if callers are alike, so that answers may be shared, or differ. */
  callers: 'alike' | 'different'
  /** The first one is ours. */
  contenders: readonly Contender[]
  /** The process that they ask. */
  subgraphs?: number | undefined
  /** Mean pause of a connection before each request; without one, a gateway gets all that it can answer. */
  pauseMs?: number
}

/** The contenders in short turns, and each round with ratios of its own: all of them meet the same machine. */
export async function compare({
  title,
  query,
  connections,
  callers,
  contenders,
  subgraphs,
  pauseMs = 0,
}: Comparison): Promise<void> {
  print(
    `\n## ${title}, ${callers} callers: ${connections} connections for a process${pauseMs ? `, each at rest for ${pauseMs} ms between requests` : ''}, ${ROUNDS} rounds of ${SECONDS} s after ${WARM_UP_SECONDS} s`,
  )
  const body = JSON.stringify({ query })
  const measured = new Map<Contender, Measured>()
  const expected = await answerOf(contenders[0]?.urls[0] ?? '', body)
  const loaded = ({ urls, processes = 1 }: Contender, seconds: number) =>
    Promise.all(
      urls.map((url) => load(url, body, seconds, callers, connections * processes, pauseMs)),
    )
  for (const contender of contenders) {
    for (const url of contender.urls)
      if ((await answerOf(url, body)) !== expected)
        throw new Error(`${contender.name} answers otherwise`)
    await loaded(contender, WARM_UP_SECONDS)
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const contender of contenders) {
      const { urls, pids, processes = 1 } = contender
      const times = () =>
        Promise.all([pids, subgraphs ? [subgraphs] : pids].map((each) => processorMs(each)))
      const before = await times()
      const loads = await loaded(contender, SECONDS)
      const sum = (of: (one: Loaded) => number) => loads.reduce((all, one) => all + of(one), 0)
      const requests = sum((one) => one.requests)
      if (sum(({ bytes }) => bytes) < requests * expected.length)
        throw new Error(`${contender.name} does not answer in full`)
      const inTurn = usedSince(before, await times())
      // Requests that are still on their way would take the core from the next gateway.
      const used = usedSince(before, await atRest(times))
      // Without pauses each connection has a request on its way at the end.
      const done = requests + (pauseMs > 0 ? 0 : connections * processes * urls.length)
      const [gateway = NaN, asked = NaN] = used.map((ms) => (ms * 1_000) / done)
      const into = measured.get(contender) ?? none()
      measured.set(contender, into)
      into.perSecond.push(sum(({ requests, seconds }) => requests / seconds))
      into.p99.push(Math.max(...loads.map(({ p99 }) => p99)))
      into.failed += sum(({ failed }) => failed)
      into.busy.push((inTurn[0] ?? NaN) / (SECONDS * 1e3))
      into.gateway.push(gateway)
      into.subgraphs.push(subgraphs ? asked : 0)
    }
  report(measured)
}

/** Waits until processes do next to nothing. @param times processor time of each @returns it */
async function atRest(times: () => Promise<number[]>): Promise<number[]> {
  for (let before = await times(); ; ) {
    await delay(LOOK_MS)
    const now = await times()
    if (usedSince(before, now).every((ms) => ms <= LOOK_MS / 10)) return now
    before = now
  }
}

const usedSince = (before: readonly number[], now: readonly number[]): number[] =>
  now.map((ms, index) => ms - (before[index] ?? 0))

const none = (): Measured => ({
  perSecond: [],
  p99: [],
  failed: 0,
  busy: [],
  gateway: [],
  subgraphs: [],
})

function report(measured: ReadonlyMap<Contender, Measured>): void {
  const [ours = none()] = measured.values()
  for (const [{ name }, theirs] of measured) {
    const median = (key: Exclude<keyof Measured, 'failed'>, of = theirs) => summarize(of[key]).p50
    const byRequests = ratio(ours.perSecond, theirs.perSecond)
    const byProcessor = ratio(theirs.gateway, ours.gateway)
    print(
      `${name}: ${format(median('perSecond'))} requests/s · p99 ${format(median('p99'))} ms · ${theirs.failed} failed · ours ${byRequests} by requests, ${byProcessor} by processor time`,
    )
    print(
      `  processor time of a request: gateway ${format(median('gateway'))} µs (running ${format(median('busy') * 100)} % of the time), subgraphs ${format(median('subgraphs'))} µs · rounds ${theirs.gateway.map(format).join(' ')} µs, ${theirs.perSecond.map(format).join(' ')} requests/s`,
    )
  }
}

/** The median of the rounds' ratios, and all of them. */
function ratio(of: readonly number[], to: readonly number[]): string {
  const ratios = of.map((value, round) => value / (to[round] ?? Number.NaN))
  return `${format(summarize(ratios).p50)} × (${ratios.map(format).join(' ')})`
}

/** The same text for the same data, however fields are ordered. */
async function answerOf(url: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const { data } = (await (await fetch(url, { method: 'POST', headers, body })).json()) as {
    data?: unknown
  }
  return JSON.stringify(sorted(data))
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
