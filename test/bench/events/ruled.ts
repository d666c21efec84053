import { startCollector } from '../../support/collector.ts'
import { print } from '../samples.ts'
import { alternate, end, type Kind, sideOf } from './against.ts'
import { DESCRIPTION, EVENTS_PER_REQUEST, mixedBodies } from './mix.ts'
import { startProduct } from './product.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20)
const RULES = 100
const MATCHING = 2
/** Problems that change their state with each occurrence, and the one in how many that rules match. */
const CHANGING = 1_000
const RULED = 10

/** Ingestion with 100 rules against the same build without a rule, in alternating rounds. */
export async function benchRuled(): Promise<void> {
  print(
    `\n## Ingestion with ${RULES} rules (ours) and without one (theirs): ${ROUNDS} alternating rounds. ${DESCRIPTION}; in place of ${1 / RULED} of the events one that changes its state, of which ${MATCHING} rules match ${1 / RULED}`,
  )
  const collector = await startCollector()
  const ours = sideOf(await startProduct({ NOTIFICATIONS_PER_MINUTE: '10000' }), changingMix())
  const theirs = sideOf(
    await startProduct({ NOTIFICATIONS_PER_MINUTE: '10000' }).catch(async (error) => {
      await end(ours)
      throw error
    }),
    changingMix(),
  )
  try {
    const { url } = ours.running.assay
    await post(`${url}/api/channel`, { id: 'c', name: 'c', kind: 'webhook', url: collector.url })
    for (let n = 0; n < RULES; n++)
      await post(`${url}/api/rule`, {
        ...{ id: `r${n}`, name: `Rule ${n}`, channels: ['c'] },
        query: n < MATCHING ? 'eventClass:ruled' : `eventClass:"never ${n}"`,
      })
    await alternate(ours, theirs, ROUNDS)
    print(`notifications sent: ${collector.requests.length}`)
  } finally {
    for (const side of [ours, theirs]) await end(side)
    await collector.stop()
  }
}

function changingMix(): Kind[] {
  const mixed = mixedBodies()
  let at = 0
  const body = () => {
    const events = JSON.parse(mixed())
    for (let n = 0; n < EVENTS_PER_REQUEST; n += RULED) events[n] = changing(at++)
    return JSON.stringify(events)
  }
  return [{ name: 'the mix with changes of state', connections: 16, body }]
}

const changing = (at: number) => ({
  title: `Service ${at % CHANGING}`,
  status: Math.floor(at / CHANGING) % 2 === 0 ? 'OPEN' : 'OK',
  fingerprintFields: ['@title'],
  ...(at % RULED === 0 && { eventClass: 'ruled' }),
})

async function post(address: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  await response.text()
}
