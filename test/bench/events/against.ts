import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { descendantsOf } from '../../support/process-tree.ts'
import { format, print, summarize } from '../samples.ts'
import { bodies } from './bodies.ts'
import { benchCost } from './cost.ts'
import { load } from './load.ts'
import { EVENTS_PER_REQUEST, mixedBodies } from './mix.ts'
import { calm, isBehind, type Running, startProduct } from './product.ts'
import { steady } from './steady.ts'

const WARM_UP_SECONDS = 4
const SECONDS = 5
/** Fewer with BENCH_ROUNDS. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const EVENTS = 100
/** Length of the steady load, with lists beside it. */
const STEADY_SECONDS = 60
/** An older version may never catch up with its index. After this time it is stopped, and goes on in its next round. */
const THEIR_INDEXING_MS = 10_000

const PEAK = `peak of the mix, ${EVENTS_PER_REQUEST} per request`

/** A kind of load. */
interface Kind {
  name: string
  connections: number
  body: () => string
}

const kinds = (): Kind[] => [
  { name: 'one event per request', connections: 256, body: bodies(1) },
  { name: `${EVENTS} per request, all different`, connections: 16, body: bodies(EVENTS) },
  { name: `${EVENTS} per request, of 100`, connections: 16, body: bodies(EVENTS, 100) },
  { name: PEAK, connections: 16, body: mixedBodies() },
]

/** Ingestion of this checkout and of another one that is built, in alternating rounds: both meet the same machine. */
export async function benchAgainst(checkout: string): Promise<void> {
  print(`\n## This checkout against ${checkout}: ${ROUNDS} alternating rounds of ${SECONDS} s`)
  const ours = sideOf(await startProduct(), kinds())
  const running = await startProduct({}, join(checkout, 'dist')).catch(async (error) => {
    await ours.running.stop()
    throw error
  })
  const theirs = { ...sideOf(running, kinds()), indexingMs: THEIR_INDEXING_MS }
  try {
    await benchCost(ours.running, theirs.running)
    if (process.argv.includes('cost')) return
    await alternate(ours, theirs, ROUNDS)
    await benchSteady(ours, theirs)
  } finally {
    for (const side of [ours, theirs]) await end(side)
  }
}

/** A product, and the rates of its rounds by kind of load. */
interface Side {
  running: Running
  /** Longest wait for its index behind a round. */
  indexingMs: number
  kinds: readonly Kind[]
  rates: Map<string, number[]>
}

const sideOf = (running: Running, kinds: readonly Kind[]): Side => ({
  running,
  indexingMs: Infinity,
  kinds,
  rates: new Map(),
})

/** Loads two sides in alternating rounds, one frozen while the other works, and prints the ratios of their rates. */
async function alternate(ours: Side, theirs: Side, rounds: number): Promise<void> {
  for (const side of [ours, theirs]) {
    for (const kind of side.kinds) await rateOf(side, kind, WARM_UP_SECONDS)
    await freeze(side.running)
  }
  for (let round = 0; round < rounds; round++)
    for (const [at, { name }] of ours.kinds.entries())
      for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
        await goOn(side.running)
        const rate = await rateOf(side, side.kinds[at] as Kind, SECONDS) // both have the same
        await freeze(side.running)
        side.rates.set(name, [...(side.rates.get(name) ?? []), rate])
      }
  for (const [name, rates] of ours.rates) {
    const others = theirs.rates.get(name) ?? []
    const ratios = rates.map((rate, round) => rate / (others[round] ?? NaN))
    print(
      `${name}: ours ${format(summarize(rates).p50)}, theirs ${format(summarize(others).p50)} requests/s, ratio ${format(summarize(ratios).p50)} (rounds ${ratios.map(format).join(' ')})`,
    )
  }
}

/** Half of the lower peak on each side, one after the other: lag of the index, and lists. */
async function benchSteady(ours: Side, theirs: Side): Promise<void> {
  const peaks = [ours, theirs].map(({ rates }) => summarize(rates.get(PEAK) ?? []).p50)
  const outcomes = []
  for (const { running } of [ours, theirs]) {
    await goOn(running)
    await calm(running)
    const client = new pg.Client(running.databaseUrl)
    await client.connect()
    const sent = { url: running.url, connections: 16, body: mixedBodies(), success: 202 }
    const rate = Math.min(...peaks) / 2
    outcomes.push(await steady(running, client, { ...sent, rate, seconds: STEADY_SECONDS }))
    await client.end()
    await freeze(running)
  }
  const [mine, other] = outcomes
  print(
    `lag of the index, p99: ours ${format(mine?.lagP99 ?? NaN)}, theirs ${format(other?.lagP99 ?? NaN)} s`,
  )
  const [listsMs = NaN, theirListsMs = NaN] = outcomes.map(({ listsP95 }) => listsP95)
  print(
    `all lists, p95: ours ${format(listsMs)}, theirs ${format(theirListsMs)} ms, ratio ${format(listsMs / theirListsMs)}`,
  )
}

/** Stops a side that may be frozen. */
async function end({ running }: Side): Promise<void> {
  await goOn(running)
  await running.stop()
}

/** Leaves it time to index what was sent. */
async function rateOf(
  { running: { url, databaseUrl }, indexingMs }: { running: Running; indexingMs: number },
  { name, ...given }: Kind,
  seconds: number,
) {
  const { rate } = await load({ ...given, url, seconds, title: name, success: 202 })
  const until = performance.now() + indexingMs
  while ((await isBehind(databaseUrl)) && performance.now() < until) await delay(100)
  return rate
}

/** Product and database stand still, so that the other side has the machine to itself. */
const freeze = (running: Running) => signal(running, 'SIGSTOP')
const goOn = (running: Running) => signal(running, 'SIGCONT')

async function signal({ assay, databasePid }: Running, name: NodeJS.Signals): Promise<void> {
  const parents = [...Object.values(assay.pids), databasePid]
  for (const pid of [...(await descendantsOf(parents)).map(({ pid }) => pid), ...parents])
    try {
      kill(pid, name)
    } catch {
      // A process of the database or a sandbox has ended meanwhile.
    }
}
