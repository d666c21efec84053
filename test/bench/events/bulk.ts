import { format, print, summarize } from '../samples.ts'
import { bodies } from './bodies.ts'
import { load } from './load.ts'
import { type Limit, pgbench, pgbenchVersion } from './pgbench.ts'
import type { Running } from './product.ts'

const CONNECTIONS = 16
const EVENTS = 100
const SECONDS = 5
const ROUNDS = 5

/**
 * A hundred events per request, beside what pgbench writes into the same tables of the same server. Each round has a
 * ratio of its own: the machine that it meets is the same for both.
 */
export async function benchBulk({ url, copyOfTables }: Running): Promise<void> {
  print(`\n## ${EVENTS} events per request, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s`)
  print(`${pgbenchVersion()}, the same server, tables and rows`)
  const copy = await copyOfTables()
  for (const [name, fingerprints] of [
    ['all of different fingerprints', Number.POSITIVE_INFINITY],
    ['of 100 fingerprints', 100],
  ] as const) {
    print(`\n### ${name}`)
    const limits: Limit[] = []
    const rates: number[] = []
    const isHot = fingerprints === 100
    const body = bodies(EVENTS, fingerprints)
    const assay = { url, connections: CONNECTIONS, body, success: 202 }
    await load({ ...assay, title: 'Assay, warming up', seconds: 3 })
    for (let round = 0; round < ROUNDS; round++) {
      limits.push(await pgbench(copy, isHot, limits[0] && [limits[0].clients]))
      const { rate } = await load({ ...assay, title: `Assay`, seconds: SECONDS })
      rates.push(rate * EVENTS)
    }
    const ratios = rates.map((rate, round) => rate / (limits[round]?.rate ?? NaN))
    print(
      `${name}: Assay ${format(summarize(rates).p50)} events/s, pgbench ${format(summarize(limits.map(({ rate }) => rate)).p50)}, ratio ${format(summarize(ratios).p50)} (rounds ${ratios.map(format).join(' ')})`,
    )
  }
}
