import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { format, print, summarize } from '../samples.ts'
import { bodies } from './bodies.ts'
import { load } from './load.ts'
import { isBehind, type Running, startProduct } from './product.ts'

const WARM_UP_SECONDS = 4
const SECONDS = 5
/** Fewer with BENCH_ROUNDS. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const EVENTS = 100

interface Kind {
  name: string
  connections: number
  body: () => string
}

const kinds = (): Kind[] => [
  { name: 'one event per request', connections: 256, body: bodies(1) },
  { name: `${EVENTS} per request, all different`, connections: 16, body: bodies(EVENTS) },
  { name: `${EVENTS} per request, of 100`, connections: 16, body: bodies(EVENTS, 100) },
]

/** Ingestion of this checkout and of another one that is built, in alternating rounds: both meet the same machine. */
export async function benchAgainst(checkout: string): Promise<void> {
  print(`\n## This checkout against ${checkout}: ${ROUNDS} alternating rounds of ${SECONDS} s`)
  const ours = { running: await startProduct(), kinds: kinds(), rates: new Map() }
  const running = await startProduct({}, join(checkout, 'dist')).catch(async (error) => {
    await ours.running.stop()
    throw error
  })
  const theirs = { running, kinds: kinds(), rates: new Map() }
  try {
    for (const side of [ours, theirs])
      for (const kind of side.kinds) await rateOf(side.running, kind, WARM_UP_SECONDS)
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, { name }] of ours.kinds.entries())
        for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
          const rate = await rateOf(side.running, side.kinds[at] as Kind, SECONDS)
          side.rates.set(name, [...(side.rates.get(name) ?? []), rate])
        }
  } finally {
    await ours.running.stop()
    await theirs.running.stop()
  }
  for (const [name, rates] of ours.rates as Map<string, number[]>) {
    const others = theirs.rates.get(name) ?? []
    const ratios = rates.map((rate, round) => rate / others[round])
    print(
      `${name}: ours ${format(summarize(rates).p50)}, theirs ${format(summarize(others).p50)} requests/s, ratio ${format(summarize(ratios).p50)} (rounds ${ratios.map(format).join(' ')})`,
    )
  }
}

/** Indexes what is left before it ends, so that the other side has the machine to itself. */
async function rateOf({ url, databaseUrl }: Running, { name, ...given }: Kind, seconds: number) {
  const { rate } = await load({ ...given, url, seconds, title: name, success: 202 })
  while (await isBehind(databaseUrl)) await delay(100)
  return rate
}
