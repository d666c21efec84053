import { type Orm, startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/events/index.ts'
import { ResolveAfterRepository } from '../../../subgraphs/events/ingestion/resolve-after.repository.ts'
import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { eventually } from '../../support/eventually.ts'

const HOUR_MS = 3_600_000

let events: RunningEvents
let orm: Orm
beforeAll(async () => {
  events = await runEvents()
  orm = await startOrm({ url: events.url, ...STORAGE })
})
afterAll(async () => {
  await orm.close()
  await events.stop()
})

const send = async (title: string, fields: object = {}): Promise<string> =>
  (await events.ingest([{ title, status: 'OPEN', ...fields }])).accepted[0].id

const HISTORY = `query ($id: ID!) { event(id: $id) {
  status statusHistory { nodes { changedBy fromStatus toStatus comment } } } }`

test('closes open and acknowledged events without an occurrence for long enough, and says so in their history', async () => {
  const open = await send('open')
  const acknowledged = await send('acknowledged')
  const beat = { eventClass: 'heartbeat', source: { ref: 'cron', type: 'heartbeat' } }
  const missing = await send('Heartbeat cron', beat)
  await events.run('mutation { recordHeartbeat(input: { name: "cron", every: "1h" }) { name } }')
  await events.sql('update events.heartbeat set is_missing = true')
  await events.run(
    `mutation ($id: ID!) { setEventStatus(input: { id: $id, status: ACKNOWLEDGED }) { id } }`,
    { id: acknowledged },
  )
  await send('fine', { status: 'OK' })
  const rules = { isOn: true }
  const stale = new ResolveAfterRepository(orm, rules, '2h')
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
  await eventually(async () => {
    const rows = await events.sql('select from events.event_search')
    expect(rows.length).toBeGreaterThanOrEqual(4)
  })
  expect(await stale.close(inHours(1.9))).toBe(0)
  const gateways = [stale, new ResolveAfterRepository(orm, rules, '2h')]
  const closed = await Promise.all(gateways.map((each) => each.close(inHours(2.1))))
  expect(closed.sort()).toEqual([0, 2])
  const { event } = await events.run(HISTORY, { id: open })
  expect(event).toEqual({
    status: 'CLOSED',
    statusHistory: {
      nodes: [
        {
          ...{ changedBy: 'EVENTS_RESOLVE_AFTER', fromStatus: 'OPEN', toStatus: 'CLOSED' },
          comment: 'No occurrence and no change for 2h',
        },
      ],
    },
  })
  expect((await events.run(HISTORY, { id: acknowledged })).event.status).toBe('CLOSED')
  expect((await events.run(HISTORY, { id: missing })).event.status).toBe('OPEN')
  // Rules know.
  expect(await events.sql('select kind from events.state_change')).toEqual(
    Array(2).fill({ kind: 'RESOLVED' }),
  )
  expect((await events.ingest([{ title: 'open', status: 'OPEN' }])).accepted[0].id).toBe(open)
  expect((await events.run(HISTORY, { id: open })).event.status).toBe('OPEN')
})
