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
 * A hundred events per request, beside what pgbench writes into the same tables of the same server. Each round has
 * ratios of its own: the machine that it meets is the same for all.
 */
export async function benchBulk({ url, copyOfTables }: Running): Promise<void> {
  print(`\n## ${EVENTS} events per request, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s`)
  print(`${pgbenchVersion()}, the same server, tables and rows`)
  const copy = await copyOfTables()
  const kinds = [
    kindOf('different fingerprints', Number.POSITIVE_INFINITY),
    kindOf('100 fingerprints', 100),
  ]
  const assay = { url, connections: CONNECTIONS, success: 202 }
  for (const { name, body } of kinds)
    await load({ ...assay, body, title: `Assay, ${name}, warming up`, seconds: 3 })
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, body, isHot, limits, rates } of kinds) {
      limits.push(await pgbench(copy, isHot, limits[0] && [limits[0].clients]))
      const { rate } = await load({ ...assay, body, title: `Assay, ${name}`, seconds: SECONDS })
      rates.push(rate * EVENTS)
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

const kindOf = (name: string, fingerprints: number) => ({
  name,
  isHot: Number.isFinite(fingerprints),
  body: bodies(EVENTS, fingerprints),
  limits: [] as Limit[],
  rates: [] as number[],
})

const median = (values: number[]): string => format(summarize(values).p50)

function ratio(ours: readonly number[], theirs: readonly number[]): string {
  const ratios = ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN))
  return `ratio ${median(ratios)} (rounds ${ratios.map(format).join(' ')})`
}
