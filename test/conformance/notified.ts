import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { withCollector } from './callbacks.ts'
import { call, readUntil } from './calls.ts'
import { post } from './events.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Stores an artifact over REST. */
export const store = <T extends object>(path: string, body: object) =>
  call<T>('POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) })

/** Until another event is sent. */
const PATIENCE_MS = 5_000

/** Notifies a collector of an event by a rule and a channel of this name. @returns their name, and what is listed then */
export async function notified(collector: Parameters<Parameters<typeof withCollector>[0]>[0]) {
  const name = randomUUID()
  const channel = { id: name, name, kind: 'webhook', url: `${collector.url}/hook?key=s3cret` }
  const made = await store<{ url: string }>('/channel', channel)
  expect(made.body.url).toBe(`${collector.url}/***`)
  const times = { groupWait: '0s', groupInterval: '0s' }
  const rule = { id: name, name, ...times, query: `eventClass:"${name}"`, channels: [name] }
  expect((await store('/rule', rule)).status).toBe(201)
  const event = { title: 'Disk full', status: 'OPEN', eventClass: name }
  // A rule takes effect within a second: until then, events open unnoted.
  await readUntil(
    async () => {
      await post({ ...event, source: { ref: randomUUID() } })
      await Promise.race([collector.received(1), delay(PATIENCE_MS)])
      return collector.requests.length
    },
    (count) => count > 0,
  )
  const listed = await readUntil(
    async () =>
      (await call<{ id: string; state: string }[]>('GET', `/notification?ruleId=${name}`)).body,
    (all) => all.at(-1)?.state === 'DELIVERED',
  )
  return { name, listed }
}
