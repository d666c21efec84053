import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { startAlertmanager } from './alertmanager.ts'
import { alerts, bodies, eventText } from './bodies.ts'
import { load } from './load.ts'
import { pacedLoad } from './paced.ts'
import { calm, type Running } from './product.ts'

const CONNECTIONS = 256
const WARM_UP_SECONDS = 4
const SECONDS = 8
const ROUNDS = 3

/**
 * One event per request from many connections, in turns with Alertmanager and with a server that only reads and answers;
 * then at half that rate.
 */
export async function benchSingle(product: Running): Promise<void> {
  const { url } = product
  print(`\n## One event per request, ${CONNECTIONS} connections, ${ROUNDS} × ${SECONDS} s in turns`)
  await check(url)
  const alertmanager = await startAlertmanager()
  const ours = { url, connections: CONNECTIONS, body: bodies(1), success: 202 }
  const peer = {
    url: alertmanager.url,
    connections: CONNECTIONS,
    body: alerts(),
    success: 200,
  }
  const bare = fork(join(import.meta.dirname, 'bare-server.main.ts'))
  const rates: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] }
  try {
    const nothing = { ...ours, url: await addressOf(bare) }
    await load({ ...ours, title: 'Assay, warming up', seconds: WARM_UP_SECONDS })
    await load({ ...peer, title: 'Alertmanager, warming up', seconds: WARM_UP_SECONDS })
    await load({ ...nothing, title: 'Node alone, warming up', seconds: WARM_UP_SECONDS })
    for (let round = 0; round < ROUNDS; round++) {
      await calm(product)
      rates.peer.push((await load({ ...peer, title: 'Alertmanager', seconds: SECONDS })).rate)
      await load({ ...nothing, title: 'Node alone', seconds: SECONDS })
      await delay(1_000)
      const before = await processorMs([product.databasePid])
      const { rate, answered } = await load({ ...ours, title: 'Assay', seconds: SECONDS })
      const us = (((await processorMs([product.databasePid])) - before) * 1_000) / answered
      print(`  ${format(us)} µs of them the database`)
      rates.ours.push(rate)
    }
  } finally {
    bare.kill()
    await alertmanager.stop()
  }
  const [mine, theirs] = [summarize(rates.ours).p50, summarize(rates.peer).p50]
  print(`Assay to Alertmanager, medians: ${format(mine / theirs)}`)
  const title = 'Assay at half its rate'
  await calm(product)
  await pacedLoad({
    ...ours,
    title,
    rate: mine / 2,
    seconds: SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
  })
}

/** Address of a server that reads an event and answers, with nothing between: the cost of Node's own HTTP server and JSON. */
async function addressOf(bare: ChildProcess): Promise<string> {
  const ended = once(bare, 'exit').then(() => Promise.reject(new Error('It ended at its start')))
  const [{ port }] = (await Promise.race([once(bare, 'message'), ended])) as [AddressInfo]
  ended.catch(() => {})
  return `http://127.0.0.1:${port}/`
}

/** Checks that accepted events can be read. */
async function check(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const sent = await fetch(url, { method: 'POST', headers, body: eventText(-1) })
  const answer = await sent.text()
  const { result } = JSON.parse(answer)
  const read = await (await fetch(`${url}/${result.accepted[0].id}`)).text()
  if (!read.includes('Disk -1 is filling up')) throw new Error(`Assay keeps ${read}`)
  print(`Assay answers ${sent.status} ${answer}`)
}
