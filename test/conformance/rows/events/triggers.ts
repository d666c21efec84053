import { randomUUID } from 'node:crypto'
import { type Artifact, create } from '../../artifacts.ts'
import { call, readUntil } from '../../calls.ts'
import { accept } from '../../events.ts'
import { takenOver } from '../../notified.ts'
import { inSection } from '../../row.ts'

const read = (id: string) => call<Artifact>('GET', `/trigger/${id}`)

/** A trigger that is in effect. */
async function trigger(attributes: Record<string, unknown>): Promise<Artifact> {
  const made = await create('trigger', attributes)
  await takenOver()
  return made
}

/** One that events of a class start. */
async function on(eventClass: string, attributes: object = {}): Promise<Artifact> {
  const { id: target } = await create('testcase', { allowExecuteWithoutCredentials: true })
  return trigger({ target, query: `eventClass:"${eventClass}"`, ...attributes })
}

const event = (eventClass: string, fields: object = {}) =>
  accept({ title: 'Down', eventClass, status: 'OPEN', properties: { host: 'db-1' }, ...fields })

const started = (id: string, before: unknown = null) =>
  readUntil(
    () => read(id),
    ({ body }) => body.lastResultId !== before,
  )

const resultsOf = async (id: string) => {
  const filter = encodeURIComponent(JSON.stringify({ labels: { trigger: id } }))
  return (await call<{ id: string }[]>('GET', `/result?filter=${filter}`)).body
}

export const triggers = inSection('EV', 'Events', [
  {
    id: 'EV-200',
    rule: 'A change of an event that matches the query of a trigger MUST start one execution of its target, with labels of the event; an occurrence that changes nothing MUST start none.',
    check: async () => {
      const eventClass = randomUUID()
      const { id } = await on(eventClass, { labels: { host: '$.properties.host', at: 'night' } })
      await event(eventClass)
      const { lastResultId } = (await started(id)).body
      expect((await call('GET', `/result/${lastResultId}/context`)).body).toMatchObject({
        startedBy: 'trigger',
        labels: [
          { name: 'at', value: 'night' },
          { name: 'host', value: 'db-1' },
          { name: 'trigger', value: id },
        ],
      })
      await event(eventClass)
      await event(eventClass, { severity: 'CRITICAL' })
      const raised = (await started(id, lastResultId)).body.lastResultId
      expect((await resultsOf(id)).map((result) => result.id).sort()).toEqual(
        [lastResultId, raised].sort(),
      )
    },
  },
  {
    id: 'EV-201',
    rule: 'A trigger MUST start only for the changes in on, and none while it is not enabled.',
    check: async () => {
      const eventClass = randomUUID()
      const { id: closing } = await on(eventClass, { on: ['RESOLVED'] })
      const { id: off } = await on(eventClass, { enabled: false })
      await event(eventClass)
      await event(eventClass, { status: 'CLOSED' })
      await started(closing)
      expect(await resultsOf(closing)).toHaveLength(1)
      expect(await resultsOf(off)).toEqual([])
    },
  },
  {
    id: 'EV-202',
    rule: 'An execution that a trigger led to MUST NOT start it again by its own event: the trigger shows why, and an event of the class trigger counts it.',
    check: async () => {
      const scenario = {
        steps: [{ id: 'wait', wait: { ms: 1 }, expect: [{ path: '$.no', assert: 'exists' }] }],
      }
      const open = { scenario, allowExecuteWithoutCredentials: true }
      const { id: target } = await create('testcase', open)
      const eventClass = randomUUID()
      const query = `eventClass:"${eventClass}" OR (eventClass:execution AND source.ref:"${target}")`
      const { id } = await trigger({ target, query })
      await event(eventClass)
      const { body } = await readUntil(
        () => read(id),
        ({ body: { failure } }) => failure !== null,
      )
      expect(body.failure).toContain(`(${id} → ${id})`)
      expect(await resultsOf(id)).toHaveLength(1)
      const q = encodeURIComponent(`eventClass:trigger AND source.ref:"${id}"`)
      const { body: said } = await readUntil(
        () => call<{ items: unknown[] }>('GET', `/v1/events?q=${q}`),
        (answer) => answer.body.items.length > 0,
      )
      expect(said.items).toMatchObject([{ status: 'OPEN', severity: 'ERROR', timesSeen: 1 }])
    },
  },
])
