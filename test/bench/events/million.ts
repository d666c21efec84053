import { residentMebibytes } from '../memory.ts'
import { print } from '../samples.ts'
import { bodies } from './bodies.ts'
import type { Running } from './product.ts'
import { administer } from './product.ts'

/** More with BENCH_EVENTS. */
const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000)
const EVENTS_PER_REQUEST = 100
const CONNECTIONS = 16
const PARTS = 10

/** A million events, and the memory of the product's process on the way. */
export async function benchMillion({ url, assay, databaseUrl }: Running): Promise<void> {
  print(`\n## ${EVENTS} events, ${EVENTS_PER_REQUEST} per request, ${CONNECTIONS} connections`)
  const body = bodies(EVENTS_PER_REQUEST)
  const statuses = new Map<number, number>()
  const memory: number[] = []
  const begin = performance.now()
  for (let part = 0; part < PARTS; part++) {
    let left = EVENTS / EVENTS_PER_REQUEST / PARTS
    const client = async () => {
      while (left-- > 0) {
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(url, { method: 'POST', headers, body: body() })
        await response.arrayBuffer()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
    memory.push(await residentMebibytes(assay.pids.server ?? 0))
  }
  const seconds = (performance.now() - begin) / 1_000
  const { rows } = await administer(databaseUrl, 'select count(*)::int as n from events.raw_event')
  print(
    `sent in ${seconds.toFixed(0)} s; answers: ${[...statuses].map((s) => s.join(' × ')).join()}`,
  )
  print(`raw events in the database: ${rows[0].n}`)
  print(`resident MiB after each tenth: ${memory.join(' ')}`)
}
