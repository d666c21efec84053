import autocannon from 'autocannon'
import { processorMs } from '../processor.ts'
import { format, print, summarize } from '../samples.ts'

/** A gateway that answers, and what was measured of it. */
export interface Contender {
  name: string
  url: string
  pid: number
}

interface Measured {
  perSecond: number[]
  /** Processor time of the gateway for each request. */
  microseconds: number[]
  p99: number[]
  failed: number
}

const CONNECTIONS = 16
const WARM_UP_SECONDS = 2
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const ROUNDS = 3

export const queryOf = (entities: number) =>
  `{ top(first: ${entities}) { upc name price reviews { id body score } } }`

/** The contenders in turns, so that all of them meet the same machine; the first one is ours. */
export async function compare(
  title: string,
  entities: number,
  contenders: readonly Contender[],
): Promise<void> {
  print(
    `\n## ${title}, ${entities} entities: ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s after ${WARM_UP_SECONDS} s`,
  )
  const body = JSON.stringify({ query: queryOf(entities) })
  const measured = new Map<string, Measured>()
  const expected = await answerOf(contenders[0]?.url ?? '', body)
  for (const { name, url } of contenders) {
    if ((await answerOf(url, body)) !== expected) throw new Error(`${name} answers otherwise`)
    measured.set(name, { perSecond: [], microseconds: [], p99: [], failed: 0 })
    await load(url, body, WARM_UP_SECONDS)
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, url, pid } of contenders) {
      const before = await processorMs(pid)
      const { requests, latency, non2xx, errors } = await load(url, body, SECONDS)
      const microseconds = (((await processorMs(pid)) - before) * 1_000) / requests.total
      const into = measured.get(name)
      into?.perSecond.push(requests.average)
      into?.microseconds.push(microseconds)
      into?.p99.push(latency.p99)
      if (into) into.failed += non2xx + errors
    }
  const [first] = contenders
  const shared = first && (await load(first.url, body, SECONDS, true))
  const median = (samples: readonly number[] = []) => summarize(samples).p50
  const ours = measured.get(contenders[0]?.name ?? '')
  for (const [name, { perSecond, microseconds, p99, failed }] of measured) {
    const ratio = median(ours?.perSecond) / median(perSecond)
    const processor = median(microseconds) / median(ours?.microseconds)
    print(
      `${name}: ${format(median(perSecond))} requests/s · p99 ${format(median(p99))} ms · ${format(median(microseconds))} µs of the processor · ours ${format(ratio)} × by requests, ${format(processor)} × by processor time · ${failed} failed · rounds ${perSecond.map(format).join(' ')}`,
    )
  }
  print(
    `${first?.name}, all connections one caller whose equal queries are one fetch: ${format(shared?.requests.average ?? NaN)} requests/s`,
  )
}

/** Each connection is a caller of its own, so that nobody can share what was fetched for another; or all are one. */
const load = (url: string, body: string, duration: number, areOne = false) => {
  let callers = 0
  return autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    method: 'POST',
    setupClient: (client) =>
      client.setHeaders({
        'content-type': 'application/json',
        authorization: `Bearer ${areOne ? 0 : callers++}`,
      }),
    body,
  })
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
