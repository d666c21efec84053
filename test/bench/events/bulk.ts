import { startedMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { runWrk, wrkVersion } from '../wrk.ts'
import { eventText } from './bodies.ts'
import { type Limit, pgbench, pgbenchVersion } from './pgbench.ts'
import type { Running } from './product.ts'

const CONNECTIONS = 16
const EVENTS = 100
const SECONDS = 5
const WARM_UP_SECONDS = 3
const ROUNDS = 5

/**
 * A hundred events per request, beside what pgbench writes into the same tables of the same server. Each round has
 * ratios of its own: the machine that it meets is the same for all.
 */
export async function benchBulk({ url, copyOfTables }: Running): Promise<void> {
  print(`\n## ${EVENTS} events per request, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s`)
  print(`${pgbenchVersion()}, the same server, tables and rows · ${wrkVersion()}`)
  const copy = await copyOfTables()
  const kinds = [kindOf('different fingerprints', null), kindOf('100 fingerprints', 100)]
  for (const kind of kinds) await load(url, kind, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of kinds) {
      const { limits, fingerprints } = kind
      limits.push(await pgbench(copy, fingerprints !== null, limits[0] && [limits[0].clients]))
      kind.rates.push(await load(url, kind, SECONDS))
    }
  for (const { name, limits, rates } of kinds)
    print(
      `${name}: Assay ${median(rates)} events/s, pgbench ${median(limits.map(({ rate }) => rate))}, ${ratio(
        rates,
        limits.map(({ rate }) => rate),
      )}`,
    )
  const [distinct, hot] = kinds.map(({ rates }) => rates)
  print(`100 fingerprints to different ones: ${ratio(hot ?? [], distinct ?? [])}`)
}

interface Kind {
  name: string
  /** How many; null for another one in each event. */
  fingerprints: number | null
  /** Number of the next event. */
  next: number
  limits: Limit[]
  rates: number[]
}

const kindOf = (name: string, fingerprints: number | null): Kind => ({
  ...{ name, fingerprints, next: 0 },
  ...{ limits: [], rates: [] },
})

/** Sends as fast as is answered. @returns events per second */
async function load(url: string, kind: Kind, seconds: number): Promise<number> {
  const { name, fingerprints, next } = kind
  const before = await startedMs()
  const { requests, p99, failed, ...loaded } = await runWrk({
    ...{ url, seconds, connections: CONNECTIONS },
    env: {
      BODY: eventText('#'),
      EVENTS: String(EVENTS),
      FIRST: String(next),
      FINGERPRINTS: String(fingerprints ?? 0),
    },
  })
  kind.next += (requests + 2 * CONNECTIONS) * EVENTS
  const us = (((await startedMs()) - before) * 1_000) / (requests * EVENTS)
  const rate = (requests * EVENTS) / loaded.seconds
  print(
    `Assay, ${name}, ${seconds} s: ${Math.round(rate)} events/s · p99 ${format(p99)} ms · ${format(us)} µs of processor time each · ${failed} failed`,
  )
  return rate
}

const median = (values: number[]): string => format(summarize(values).p50)

function ratio(ours: readonly number[], theirs: readonly number[]): string {
  const ratios = ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN))
  return `ratio ${median(ratios)} (rounds ${ratios.map(format).join(' ')})`
}
