import { setTimeout as delay } from 'node:timers/promises'
import { type DebianPostgres, startDebianPostgres } from '../../support/system/debian-postgres.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { pacedLoad } from './paced.ts'
import { productOn, type Running } from './product.ts'

const ROUNDS = 3
const ROUND_SECONDS = 10
/** Time after which sent events are indexed. */
const INDEXED_MS = 1_000
const RATE = 10
const EVENTS_PER_REQUEST = 5

type Contender = Pick<Running, 'url' | 'databasePid'> & { name: string; took: number[] }

/**
 * A few events that come all the time, on the embedded database and on Debian's PostgreSQL with its own settings.
 * `AGAINST` names a built checkout, which runs on the latter, too.
 */
export async function benchLight(embedded: Running): Promise<void> {
  print(
    `\n## A light load: ${RATE} requests/s with ${EVENTS_PER_REQUEST} events, ${ROUNDS} rounds of ${ROUND_SECONDS} s in turns`,
  )
  const servers: DebianPostgres[] = []
  const products: Awaited<ReturnType<typeof productOn>>[] = []
  const onDebian = async (name: string, dist?: string): Promise<Contender> => {
    const server = await startDebianPostgres()
    servers.push(server)
    const product = await productOn(server.url, {}, dist)
    products.push(product)
    return { name, url: `${product.url}/api/v1/events`, databasePid: server.pid, took: [] }
  }
  try {
    const contenders: Contender[] = [
      { ...embedded, name: 'embedded', took: [] },
      await onDebian("Debian's PostgreSQL"),
    ]
    const before = process.env.AGAINST
    if (before) contenders.push(await onDebian(`Debian's PostgreSQL, ${before}`, `${before}/dist`))
    for (let round = 0; round < ROUNDS; round++)
      for (const each of contenders) each.took.push(await databaseUsPerEvent(each))
    for (const { name, took } of contenders)
      print(
        `${name}: ${format(summarize(took).p50)} µs of the database's processor time for an event (${took.map(format).join(' ')})`,
      )
  } finally {
    for (const product of products) await product.stop()
    for (const server of servers) await server.stop()
  }
}

async function databaseUsPerEvent({ name, url, databasePid }: Contender): Promise<number> {
  let sent = 0
  const titled = () => ({ title: `light ${process.pid}-${sent++}`, fingerprintFields: ['@title'] })
  const body = () => JSON.stringify(Array.from({ length: EVENTS_PER_REQUEST }, titled))
  const before = await processorMs([databasePid])
  await pacedLoad({
    ...{ title: name, url, body, connections: 4, success: 202 },
    ...{ seconds: ROUND_SECONDS, warmUpSeconds: 0, rate: RATE },
  })
  await delay(INDEXED_MS)
  return (((await processorMs([databasePid])) - before) * 1_000) / sent
}
