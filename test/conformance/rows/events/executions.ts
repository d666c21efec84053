import { randomUUID } from 'node:crypto'
import { send } from '../../artifacts.ts'
import { call, graphql, readUntil } from '../../calls.ts'
import { newTitle, read, store } from '../../events.ts'
import { type Scenario, synchronousRun } from '../../executions.ts'
import { inSection } from '../../row.ts'

const OUTCOMES: [Scenario, { severity: string; status: string }][] = [
  ['loan-schedule', { severity: 'INFO', status: 'OK' }],
  ['tax-table', { severity: 'ERROR', status: 'OPEN' }],
  ['shipping-quote', { severity: 'CRITICAL', status: 'OPEN' }],
]

const eventIdsOf = async (executionId: string) => {
  const data = await graphql<{ executionResult: { events: { id: string }[] } }>(
    'query ($id: ID!) { executionResult(id: $id) { events { id } } }',
    { id: executionId },
  )
  return data.executionResult.events.map(({ id }) => id)
}

export const events = inSection('EV', 'Events', [
  {
    id: 'EV-83',
    rule: 'A posted event MUST need nothing else to exist: no source or tag has to be set up before.',
    check: async () => {
      const ref = newTitle()
      const event = { title: newTitle(), source: { ref, type: 'never seen' }, tags: [ref] }
      expect(await store(event)).toMatchObject({ ...event, timesSeen: 1 })
    },
  },
  {
    id: 'EV-84',
    rule: 'An execution that ends MUST become an event by itself, one per scenario, whose severity and status reflect the final state.',
    check: async () => {
      for (const [scenario, outcome] of OUTCOMES) {
        const { simple } = await synchronousRun(scenario)
        const ids = await readUntil(
          () => eventIdsOf(simple.id),
          (found) => found.length > 0,
        )
        expect(ids).toHaveLength(1)
        const { name } = (await call<{ name: string }>('GET', `/testcase/${scenario}`)).body
        const event = await read(ids[0] ?? '')
        expect(event.body).toMatchObject({
          ...outcome,
          title: name,
          eventClass: 'execution',
          source: { ref: scenario, type: 'testcase' },
          fingerprintFields: ['contextId'],
        })
        expect(event.body.properties).toEqual({
          ...{ contextId: scenario, executionId: simple.id, state: simple.state },
        })
      }
    },
  },
  {
    id: 'EV-160',
    rule: 'A cancelled execution MUST leave the event of its scenario as it was, and MUST NOT make an open one.',
    check: async () => {
      const contextId = randomUUID()
      const run = async (ms: number, query = '') => {
        const scenario = { steps: [{ id: 'pause', wait: { ms } }] }
        const artifacts = [{ kind: 'testcase', id: contextId, scenario }]
        return (await send<{ id: string }>('POST', `/execute${query}`, { contextId, artifacts }))
          .body.id
      }
      const cancelled = await run(60_000)
      await call('POST', `/result/${cancelled}/cancel`)
      expect(await eventIdsOf(cancelled)).toEqual([])
      const passed = await run(1, '?synchron=true')
      const [id = ''] = await readUntil(
        () => eventIdsOf(passed),
        (found) => found.length > 0,
      )
      expect((await read(id)).body).toMatchObject({ status: 'OK', timesSeen: 1 })
      await call('POST', `/result/${await run(60_000)}/cancel`)
      await run(1, '?synchron=true')
      const { body } = await readUntil(
        () => read(id),
        ({ body: { timesSeen } }) => timesSeen > 1,
      )
      expect(body).toMatchObject({ status: 'OK', timesSeen: 2 })
    },
  },
])
