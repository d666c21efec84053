import { processorMs, startedMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { runWrk, wrkVersion } from '../wrk.ts'
import { eventText } from './bodies.ts'
import { type Limit, pgbench, pgbenchVersion } from './pgbench.ts'
import { calm, type Running } from './product.ts'

const CONNECTIONS = 16
const EVENTS = 100
const SECONDS = 5
const WARM_UP_SECONDS = 3
const ROUNDS = 5

/**
 * A hundred events per request, beside what pgbench writes into the same tables of the same server. Each round has
 * ratios of its own: the machine that it meets is the same for all. Neither begins before all events are indexed: what
 * one leaves to do would slow the other.
 */
export async function benchBulk(product: Running): Promise<void> {
  print(`\n## ${EVENTS} events per request, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s`)
  print(`${pgbenchVersion()}, the same server, tables and rows · ${wrkVersion()}`)
  const copy = await product.copyOfTables()
  const kinds = [kindOf('different fingerprints', null), kindOf('100 fingerprints', 100)]
  for (const kind of kinds) await load(product, kind, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of kinds) {
      const { limits, fingerprints } = kind
      await calm(product)
      limits.push(await pgbench(copy, fingerprints !== null, limits[0] && [limits[0].clients]))
      kind.rates.push(await load(product, kind, SECONDS))
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
  /** Number of fingerprints; null for another one in each event. */
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
async function load({ url, databasePid }: Running, kind: Kind, seconds: number): Promise<number> {
  const { name, fingerprints, next } = kind
  const used = () => Promise.all([startedMs(), processorMs([databasePid])])
  const before = await used()
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
  const [all, database] = (await used()).map(
    (ms, at) => ((ms - (before[at] ?? 0)) * 1_000) / (requests * EVENTS),
  )
  const rate = (requests * EVENTS) / loaded.seconds
  print(
    `Assay, ${name}, ${seconds} s: ${Math.round(rate)} events/s · p99 ${format(p99)} ms · ${format(all ?? 0)} µs of processor time each, ${format(database ?? 0)} of them the database · ${failed} failed`,
  )
  return rate
}

const median = (values: number[]): string => format(summarize(values).p50)

function ratio(ours: readonly number[], theirs: readonly number[]): string {
  const ratios = ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN))
  return `ratio ${median(ratios)} (rounds ${ratios.map(format).join(' ')})`
}
