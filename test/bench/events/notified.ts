import { setTimeout as delay } from 'node:timers/promises'
import { startCollector } from '../../support/collector.ts'
import { format, print, summarize } from '../samples.ts'
import { load } from './load.ts'
import { DESCRIPTION, mixedBodies } from './mix.ts'
import { pacedLoad } from './paced.ts'
import { productOn, type Running } from './product.ts'

const CONNECTIONS = 16
const PEAK_SECONDS = 10
const LOADED_SECONDS = 30
const QUIET_SECONDS = 10
/** Between two events that the rule matches. */
const PAUSE_MS = 100
const CLASS = 'notified'
const JSON_TYPE = { 'content-type': 'application/json' }

/** Time from 202 to the request at the channel by a rule with `groupWait` 0, without other load and at half of the peak rate. */
export async function benchNotified(running: Running): Promise<void> {
  print('\n## Notified: from 202 to the request at the channel, groupWait 0')
  // Its passes would keep the default number of notifications in a minute.
  await running.assay.stop()
  const assay = await productOn(running.databaseUrl, { NOTIFICATIONS_PER_MINUTE: '10000' })
  const collector = await startCollector()
  const url = `${assay.url}/api/v1/events`
  try {
    const post = async (address: string, body: object) => {
      const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) }
      const answer = await fetch(address, init)
      if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${await answer.text()}`)
      await answer.text()
    }
    const send = async (ref: string): Promise<number> => {
      await post(url, {
        ...{ title: 'Disk full', status: 'OPEN', eventClass: CLASS },
        ...{ source: { ref }, fingerprintFields: ['source.ref'] },
      })
      return Date.now()
    }
    const channel = { id: CLASS, name: CLASS, kind: 'webhook', url: collector.url }
    await post(`${assay.url}/api/channel`, channel)
    const times = { groupWait: '0s', groupInterval: '0s', groupBy: ['source.ref'] }
    const rule = { id: CLASS, name: CLASS, query: `eventClass:${CLASS}`, channels: [CLASS] }
    await post(`${assay.url}/api/rule`, { ...rule, ...times })
    for (let at = 0; collector.requests.length === 0; at++) {
      await send(`first-${at}`)
      await delay(PAUSE_MS)
    }
    const measure = async (title: string, seconds: number) => {
      const answered = new Map<string, number>()
      const before = collector.requests.length
      const end = performance.now() + seconds * 1_000
      for (let at = 0; performance.now() < end; at++) {
        const ref = `${title} ${at}`
        answered.set(ref, await send(ref))
        await delay(PAUSE_MS)
      }
      const arrived = await collector.received(before + answered.size)
      const took = arrived.flatMap(({ body, receivedMs }) => {
        const sent = answered.get(JSON.parse(body).data.group['source.ref'])
        return sent === undefined ? [] : [receivedMs - sent]
      })
      const { n, p50, p99, max } = summarize(took)
      print(`${title}: p50 ${format(p50)} · p99 ${format(p99)} · longest ${format(max)} ms of ${n}`)
    }
    await measure('without other load', QUIET_SECONDS)
    print(DESCRIPTION)
    const sent = { url, connections: CONNECTIONS, body: mixedBodies(), success: 202 }
    const { rate } = await load({ ...sent, title: 'peak', seconds: PEAK_SECONDS })
    const half = { ...sent, rate: rate / 2, seconds: LOADED_SECONDS, warmUpSeconds: 0 }
    await Promise.all([
      pacedLoad({ ...half, title: 'half of the peak' }),
      measure('at half of the peak', LOADED_SECONDS),
    ])
  } finally {
    await collector.stop()
    await assay.stop()
  }
}
