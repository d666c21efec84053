import { MikroORM, PostgreSqlDriver } from '@mikro-orm/postgresql'
import { runSql } from '../../../platform/database/sql.ts'
import { EXECUTION_ENDED, type ExecutionEnded } from '../../../platform/jobs/execution-ended.ts'
import { OWN_EVENT, type OwnEvent } from '../../../platform/jobs/own-event.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { eventually } from '../../support/eventually.ts'

let events: RunningEvents
let orm: MikroORM
beforeAll(async () => {
  events = await runEvents()
  orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl: events.url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  })
})
afterAll(async () => {
  await orm.close()
  await events.stop()
})

const end = (
  executionId: string,
  state: ExecutionEnded['state'],
  contextId = 'loan',
  more: Partial<ExecutionEnded> = {},
) =>
  orm.em.fork().transactional((em) =>
    events.jobs.enqueue(em, EXECUTION_ENDED.name, {
      executionId,
      requestId: 'request-1',
      contextId,
      contextType: 'testcase',
      title: 'Loan schedule',
      message: 'a message',
      state,
      ended: new Date().toISOString(),
      ...more,
    } satisfies ExecutionEnded),
  )

const ENTITIES = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  ... on ExecutionResult { events { id title status severity timesSeen eventClass properties
    source { ref type } execution { id } executionContext { __typename ... on TestCase { id } } } }
  ... on TestCase { page: events { totalCount nodes { id } } } } }`

const entity = async (__typename: string, id: string): Promise<Data> =>
  (await events.run(ENTITIES, { representations: [{ __typename, id }] }))._entities[0]

async function eventsOf(executionId: string): Promise<Data[]> {
  for (;;) {
    const { events: found } = await entity('ExecutionResult', executionId)
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a message that is too long for an event is shortened, whatever its characters', async () => {
  await end('run-long', 'FAILED', 'long', { message: '\u{1f600}'.repeat(16_000) })
  const [event] = await eventsOf('run-long')
  expect(event).toMatchObject({ status: 'OPEN', execution: { id: 'run-long' } })
})

test('an older end that comes later does not replace the latest execution of the event', async () => {
  await end('run-new', 'FAILED', 'order')
  const [event] = await eventsOf('run-new')
  await end('run-old', 'COMPLETED', 'order', { ended: '2026-01-01T00:00:00.000Z' })
  const [same] = await eventsOf('run-old')
  expect(same).toMatchObject({ id: event.id, timesSeen: 2, execution: { id: 'run-new' } })
})

test('the end of an execution becomes an event that leads to it and back', async () => {
  await end('run-1', 'FAILED')
  const [event] = await eventsOf('run-1')
  expect(event).toMatchObject({
    title: 'Loan schedule',
    status: 'OPEN',
    severity: 'ERROR',
    timesSeen: 1,
    eventClass: 'execution',
    source: { ref: 'loan', type: 'testcase' },
    properties: { contextId: 'loan', executionId: 'run-1', state: 'FAILED' },
    execution: { id: 'run-1' },
    executionContext: { __typename: 'TestCase', id: 'loan' },
  })
  expect(await entity('TestCase', 'loan')).toEqual({
    page: { totalCount: 1, nodes: [{ id: event.id }] },
  })
})

test('the next success of the same scenario turns its event to OK, and both executions lead to it', async () => {
  await end('run-2', 'FAILED', 'tax')
  const [failed] = await eventsOf('run-2')
  await end('run-3', 'COMPLETED', 'tax')
  const [completed] = await eventsOf('run-3')
  expect(completed).toMatchObject({ id: failed.id, status: 'OK', severity: 'INFO', timesSeen: 2 })
  expect((await eventsOf('run-2'))[0]).toMatchObject({ execution: { id: 'run-3' } })
})

test('a job that is delivered twice counts once', async () => {
  await end('run-4', 'ERROR', 'rate')
  await end('run-4', 'ERROR', 'rate')
  await end('run-5', 'ERROR', 'after')
  await eventsOf('run-5')
  expect((await eventsOf('run-4'))[0]).toMatchObject({ severity: 'CRITICAL', timesSeen: 1 })
})

test('a client can imitate the event of an execution, but not claim to be its cause', async () => {
  await end('run-6', 'FAILED', 'vat')
  await eventsOf('run-6')
  await events.ingest([
    {
      title: 'forged',
      eventClass: 'execution',
      source: { ref: 'vat', type: 'testcase' },
      fingerprintFields: ['contextId'],
      properties: { contextId: 'vat', executionId: 'run-forged' },
      executionId: 'run-forged',
      cause: { executionId: 'run-forged' },
    },
  ])
  const [event] = await eventsOf('run-6')
  expect(event).toMatchObject({ title: 'forged', timesSeen: 2, execution: { id: 'run-6' } })
  expect(await entity('ExecutionResult', 'run-forged')).toEqual({ events: [] })
})

test('a part of the product opens an event by a job and closes it, each delivery counted once', async () => {
  const send = (status: OwnEvent['status'], key: string) =>
    orm.em.fork().transactional((em) =>
      events.jobs.enqueue(em, OWN_EVENT.name, {
        ...{ key, title: 'Schedule nightly', message: 'why', severity: 'ERROR', status },
        ...{ eventClass: 'schedule', properties: { schedule: 'nightly' } },
        source: { ref: 'nightly', type: 'schedule', name: 'nightly' },
        createdAt: new Date().toISOString(),
      } satisfies OwnEvent),
    )
  const stored = () =>
    eventually(async () => {
      const rows = await runSql<{ status: string; times: number }>(
        orm.em.fork(),
        `select status, times_seen::int as times from events.event where source_ref = 'nightly'`,
      )
      expect(rows).toHaveLength(1)
      return rows[0]
    })
  await send('OPEN', 'a')
  await send('OPEN', 'a')
  expect(await stored()).toMatchObject({ status: 'OPEN' })
  await send('OK', 'b')
  await eventually(async () => expect(await stored()).toEqual({ status: 'OK', times: 2 }))
})
