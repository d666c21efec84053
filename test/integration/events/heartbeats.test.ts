import { type Orm, startOrm } from '../../../platform/database/orm.ts'
import { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import { HeartbeatRepository } from '../../../subgraphs/events/heartbeats/heartbeat.repository.ts'
import { STORAGE } from '../../../subgraphs/events/index.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { eventually } from '../../support/eventually.ts'

const MINUTE_MS = 60_000
/** Ahead of the clock of the running product, which finds nothing overdue meanwhile. */
const BASE = Date.now() + 60 * MINUTE_MS
const at = (minutes: number) => new Date(BASE + minutes * MINUTE_MS)
const FIVE_MINUTES = { text: '5m', allowedMs: 5.5 * MINUTE_MS }
const MOST = 10

const metrics = new ProcessMetrics()
let events: RunningEvents
let orm: Orm
let heartbeats: HeartbeatRepository
beforeAll(async () => {
  events = await runEvents({ heartbeats: 3 }, undefined, metrics)
  orm = await startOrm({ url: events.url, ...STORAGE })
  heartbeats = new HeartbeatRepository(orm, events.jobs)
})
beforeEach(() => events.sql('truncate events.heartbeat, events.heartbeat_watch'))
afterAll(async () => {
  await orm.close()
  await events.stop()
})

const eventOf = async (name: string): Promise<Data> => {
  const [event] = await events.sql(
    `select status, severity, message, source_type as type, times_seen::int as "timesSeen"
     from events.event where source_ref = $1`,
    [name],
  )
  return event
}
const lookEach = async (minutes: number[]) => {
  for (const minute of minutes) await heartbeats.look(at(minute))
}
const beat = (name: string, minute: number) =>
  heartbeats.record(name, FIVE_MINUTES, at(minute), MOST)

test('a missing heartbeat opens an event after its grace, whichever of two gateways looks, and its return closes it', async () => {
  await beat('cron', 0)
  await lookEach([0, 5.4])
  const other = new HeartbeatRepository(orm, events.jobs)
  await Promise.all([heartbeats, other].map((each) => each.look(at(5.5))))
  await eventually(async () =>
    expect(await eventOf('cron')).toMatchObject({
      ...{ status: 'OPEN', severity: 'ERROR', type: 'heartbeat', timesSeen: 1 },
      message: expect.stringContaining('expected every 5m'),
    }),
  )
  expect(await metrics.registry.metrics()).toMatch(/^assay_heartbeats_missing 1$/m)
  await heartbeats.record('cron', null, at(6), MOST)
  await eventually(async () =>
    expect(await eventOf('cron')).toMatchObject({
      status: 'OK',
      message: 'It is back.',
      timesSeen: 2,
    }),
  )
})

test('a return at a gateway whose clock is late closes the event all the same', async () => {
  await beat('late', 0)
  await heartbeats.look(at(5.4))
  await heartbeats.look(at(5.5))
  const { since } = await heartbeats.record('late', null, at(3), MOST)
  expect(since.getTime()).toBe(at(5.5).getTime() + 1)
  await eventually(async () => expect(await eventOf('late')).toMatchObject({ status: 'OK' }))
})

test('after a time in which no process looked, each heartbeat has its time again', async () => {
  await beat('outage', 0)
  await lookEach([0, 60])
  expect(await heartbeats.look(at(60.1))).toEqual(at(65.5))
  await lookEach([65.3, 65.5])
  await eventually(async () => expect(await eventOf('outage')).toMatchObject({ status: 'OPEN' }))
})

test('a process that is lost before it has written the event leaves the heartbeat to the next look', async () => {
  await beat('lost', 0)
  await heartbeats.look(at(5.4))
  const failing = new HeartbeatRepository(orm, {
    enqueueAll: () => Promise.reject(new Error('killed')),
  })
  await expect(failing.look(at(5.5))).rejects.toThrow('killed')
  await heartbeats.look(at(5.6))
  await eventually(async () => expect(await eventOf('lost')).toMatchObject({ timesSeen: 1 }))
})

test('a paused heartbeat is not watched, and pausing or deleting a missing one closes its event', async () => {
  await beat('paused', 0)
  await beat('deleted', 0)
  await lookEach([5.4, 5.5])
  await heartbeats.setPaused('paused', true, at(6))
  await heartbeats.delete('deleted', at(6))
  await eventually(async () => {
    expect(await eventOf('paused')).toMatchObject({ status: 'OK', message: 'It was paused.' })
    expect(await eventOf('deleted')).toMatchObject({ status: 'OK', message: 'It was deleted.' })
  })
  expect(await heartbeats.record('paused', null, at(7), MOST)).toMatchObject({ dueAt: null })
  expect(await heartbeats.look(at(30))).toBeNull()
  expect(await heartbeats.setPaused('paused', false, at(31))).toMatchObject({ dueAt: at(36.5) })
})

const RECORD = `mutation ($name: ID!, $every: String) {
  recordHeartbeat(input: { name: $name, every: $every }) { name every state } }`

test.each([
  ['no interval at first', { name: 'a' }, /^every: it is missing/],
  ['an interval that is too short', { name: 'a', every: '9s' }, /^every: .* 10s to 30d/],
  ['one that is too long', { name: 'a', every: '31d' }, /^every: /],
  ['one without a unit', { name: 'a', every: '300' }, /^every: /],
  ['a name with blanks', { name: 'a b', every: '5m' }, /^name: /],
  ['a name that is too long', { name: 'a'.repeat(101), every: '5m' }, /^name: /],
])('refuses %s', async (_, variables, message) => {
  const { errors } = await events.answer(RECORD, variables)
  expect(errors?.[0]).toMatchObject({ message: expect.stringMatching(message) })
})

test('lists heartbeats by name, and refuses more than HEARTBEATS', async () => {
  for (const name of ['b', 'a', 'B']) await events.run(RECORD, { name, every: '1h' })
  await events.run(RECORD, { name: 'a' })
  const { errors } = await events.answer(RECORD, { name: 'c', every: '1h' })
  expect(errors?.[0]).toMatchObject({
    ...{ extensions: { code: 'CONFLICT' }, message: expect.stringContaining('HEARTBEATS') },
  })
  const LIST = `query ($after: String) { heartbeats(first: 2, after: $after) {
    totalCount nodes { name every state } pageInfo { endCursor } } }`
  const { heartbeats: first } = await events.run(LIST)
  expect(first).toMatchObject({
    totalCount: 3,
    nodes: [{ name: 'B' }, { name: 'a', every: '1h', state: 'PRESENT' }],
  })
  const { heartbeats: second } = await events.run(LIST, { after: first.pageInfo.endCursor })
  expect(second.nodes).toMatchObject([{ name: 'b' }])
})
