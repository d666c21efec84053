import { randomUUID } from 'node:crypto'
import type { withCollector } from './callbacks.ts'
import { call, readUntil } from './calls.ts'
import { post } from './events.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Stores an artifact over REST. */
export const store = <T extends object>(path: string, body: object) =>
  call<T>('POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) })

/** Waits until what was stored before is in effect: rules, silences and triggers are taken over in their order. */
export async function takenOver(): Promise<void> {
  const silence = {
    name: randomUUID(),
    query: 'eventClass:none',
    reason: 'Last',
    until: 'RESOLVED',
  }
  const { id } = (await store<{ id: string }>('/silence', silence)).body
  await readUntil(
    () => call('GET', `/silence/${id}/preview`),
    ({ status }) => status === 200,
  )
  await call('DELETE', `/silence/${id}`)
}

/** Notifies a collector of an event by a rule and a channel of this name. @returns their name, and what is listed then */
export async function notified(
  collector: Parameters<Parameters<typeof withCollector>[0]>[0],
  fields: object = {},
) {
  const name = randomUUID()
  const channel = { id: name, name, kind: 'webhook', url: `${collector.url}/hook?key=s3cret` }
  const made = await store<{ url: string }>('/channel', channel)
  expect(made.body.url).toBe(`${collector.url}/***`)
  const times = { groupWait: '0s', groupInterval: '0s' }
  const rule = {
    id: name,
    name,
    ...times,
    query: `eventClass:"${name}"`,
    channels: [name],
    ...fields,
  }
  expect((await store('/rule', rule)).status).toBe(201)
  const event = { title: 'Disk full', status: 'OPEN', eventClass: name }
  // A rule is in effect once its preview can be read.
  await readUntil(
    () => call('GET', `/rule/${name}/preview`),
    ({ status }) => status === 200,
  )
  await post({ ...event, source: { ref: randomUUID() } })
  await collector.received(1)
  const listed = await readUntil(
    async () =>
      (await call<{ id: string; state: string }[]>('GET', `/notification?ruleId=${name}`)).body,
    (all) => all.at(-1)?.state === 'DELIVERED',
  )
  return { name, listed }
}
