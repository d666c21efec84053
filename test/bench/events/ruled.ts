import { startCollector } from '../../support/collector.ts'
import { print } from '../samples.ts'
import { benchCost } from './cost.ts'
import { DESCRIPTION, EVENTS_PER_REQUEST, mixedBodies } from './mix.ts'
import { startProduct } from './product.ts'

const RULES = 100
const MATCHING = 2
/** Problems that change their state with each occurrence, and the one in how many that rules match. */
const CHANGING = 1_000
const RULED = 10

/** Ingestion with 100 rules (ours) against the same build without a rule (theirs), in alternating rounds. */
export async function benchRuled(): Promise<void> {
  print(
    `\n## Ingestion with ${RULES} rules (ours) and without one (theirs). ${DESCRIPTION}; in place of ${1 / RULED} of the events one that changes its state, of which ${MATCHING} rules match ${1 / RULED}`,
  )
  const collector = await startCollector()
  const ours = await startProduct({ NOTIFICATIONS_PER_MINUTE: '10000' })
  const theirs = await startProduct({ NOTIFICATIONS_PER_MINUTE: '10000' }).catch(async (error) => {
    await ours.stop()
    throw error
  })
  try {
    const { url } = ours.assay
    await post(`${url}/api/channel`, { id: 'c', name: 'c', kind: 'webhook', url: collector.url })
    for (let n = 0; n < RULES; n++)
      await post(`${url}/api/rule`, {
        ...{ id: `r${n}`, name: `Rule ${n}`, channels: ['c'] },
        query: n < MATCHING ? 'eventClass:ruled' : `eventClass:"never ${n}"`,
      })
    await benchCost(ours, theirs, changingBodies)
    print(`notifications sent: ${collector.requests.length}`)
  } finally {
    for (const side of [ours, theirs]) await side.stop()
    await collector.stop()
  }
}

/** Bodies of the mix with changes of state. */
function changingBodies(): () => string {
  const mixed = mixedBodies()
  let at = 0
  return () => {
    const events = JSON.parse(mixed())
    for (let n = 0; n < EVENTS_PER_REQUEST; n += RULED) events[n] = changing(at++)
    return JSON.stringify(events)
  }
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
