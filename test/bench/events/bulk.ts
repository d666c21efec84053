import { format, print, summarize } from '../samples.ts'
import { bodies } from './bodies.ts'
import { load } from './load.ts'
import { pgbench, pgbenchVersion } from './pgbench.ts'
import type { Running } from './product.ts'

const CONNECTIONS = 16
const EVENTS = 100
const SECONDS = 6
const ROUNDS = 2

/** A hundred events per request, beside what pgbench writes into the same tables of the same server. */
export async function benchBulk({ url, copyOfTables }: Running): Promise<void> {
  print(`\n## ${EVENTS} events per request, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s`)
  print(`${pgbenchVersion()}, the same server, tables and rows`)
  const copy = await copyOfTables()
  for (const [name, fingerprints] of [
    ['all of different fingerprints', Number.POSITIVE_INFINITY],
    ['of 100 fingerprints', 100],
  ] as const) {
    print(`\n### ${name}`)
    const limits: number[] = []
    const rates: number[] = []
    const body = bodies(EVENTS, fingerprints)
    const assay = { url, connections: CONNECTIONS, body, success: 202 }
    await load({ ...assay, title: 'Assay, warming up', seconds: 3 })
    for (let round = 0; round < ROUNDS; round++) {
      limits.push(await pgbench(copy, fingerprints === 100))
      const { rate } = await load({ ...assay, title: `Assay`, seconds: SECONDS })
      rates.push(rate * EVENTS)
    }
    const [mine, limit] = [summarize(rates).p50, summarize(limits).p50]
    print(
      `${name}: Assay ${format(mine)} events/s, pgbench ${format(limit)}, ratio ${format(mine / limit)}`,
    )
  }
}
