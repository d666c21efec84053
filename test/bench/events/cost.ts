import { setTimeout as delay } from 'node:timers/promises'
import { processorMsOf } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { DESCRIPTION, EVENTS_PER_REQUEST, mixedBodies } from './mix.ts'
import { pacedLoad } from './paced.ts'
import { administer, isBehind, type Running } from './product.ts'

/** Requests per second, of events of the mix: 2 000 events/s. */
const RATE = Number(process.env.BENCH_RATE ?? 100)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const WARM_UP_SECONDS = 20
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)

type Cost = Record<'product' | 'database' | 'log', number>

/**
 * Cost of an event on two sides, in alternating rounds.
 * @param bodies of each side
 */
export async function benchCost(
  ours: Running,
  theirs: Running,
  bodies = mixedBodies,
): Promise<void> {
  print(
    `\n## Cost of an event: ${ROUNDS} rounds of ${SECONDS} s in turns, with what they leave to do`,
  )
  print(DESCRIPTION)
  const sides = [ours, theirs].map((running) => ({
    running,
    body: bodies(),
    rounds: [] as Cost[],
  }))
  for (const { running, body } of sides) await costOf(running, body, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const { running, body, rounds } of round % 2 ? sides.toReversed() : sides)
      rounds.push(await costOf(running, body, SECONDS))
  const kinds: Record<string, (cost: Cost) => number> = {
    'µs of processor time': ({ product, database }) => product + database,
    'µs of the product': ({ product }) => product,
    'µs of the database': ({ database }) => database,
    'bytes of log': ({ log }) => log,
  }
  for (const [name, of] of Object.entries(kinds)) {
    const [mine = [], other = []] = sides.map(({ rounds }) => rounds.map(of))
    const ratios = mine.map((value, round) => value / (other[round] ?? NaN))
    print(
      `${name}: ours ${format(summarize(mine).p50)}, theirs ${format(summarize(other).p50)}, ratio ${summarize(ratios).p50.toFixed(2)} (rounds ${ratios.map((each) => each.toFixed(2)).join(' ')})`,
    )
  }
}

/** Everything that the events leave to do is done within it: indexing, pending lists of indexes, and dead rows. */
async function costOf(
  { url, databaseUrl, databasePid, assay }: Running,
  body: () => string,
  seconds: number,
): Promise<Cost> {
  const logNow = async () =>
    Number(
      (await administer(databaseUrl, `select pg_current_wal_lsn() - '0/0' as bytes`)).rows[0].bytes,
    )
  let events = 0
  const counted = () => {
    events += EVENTS_PER_REQUEST
    return body()
  }
  const log = await logNow()
  let logged = NaN
  const sent = { title: 'the mix', url, connections: 16, body: counted, success: 202 }
  const groups = [Object.values(assay.pids), [databasePid]]
  const [product = NaN, database = NaN] = await processorMsOf(groups, async () => {
    await pacedLoad({ ...sent, rate: RATE, seconds, warmUpSeconds: 0 })
    while (await isBehind(databaseUrl)) await delay(200)
    await administer(databaseUrl, 'vacuum')
    logged = (await logNow()) - log
  })
  return {
    product: (product * 1_000) / events,
    database: (database * 1_000) / events,
    log: logged / events,
  }
}
