import { startOrm } from '../../../platform/database/orm.ts'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { STORAGE as EVENTS_STORAGE } from '../../../subgraphs/events/storage.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { StateChangeRepository } from '../../../subgraphs/test-execution/executions/watch/state-change.repository.ts'
import { StateChanges } from '../../../subgraphs/test-execution/executions/watch/state-changes.ts'
import { STORAGE } from '../../../subgraphs/test-execution/storage.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { indexAll } from '../../support/events/index-all.ts'
import { eventsStream, stateChangesStream } from '../../support/position.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

const COLUMNS = `
  select table_name from information_schema.columns where column_name = 'xact' and table_schema in ('events', 'test_execution')`

/** Positions of the former shape: transaction ids, some of them of another cluster that was restored from. */
const RAW_EVENTS = `
  insert into events.raw_event (id, xact, event_id, is_new, title, severity, status, properties, tags, occurred_at, received_at)
  select id, xact::xid8, gen_random_uuid(), true, title, 'INFO', 'OK', '{"n": 1}', '[]', now(), now()
  from (values (1, '900000', 'indexed'), (2, '5', 'passed over'), (3, '6', 'late')) as old (id, xact, title)`

const TODAY = new Date().toISOString().slice(0, 10)
const partitionOfToday = (table: string) =>
  `create table events.${table}_${TODAY.replaceAll('-', '')} partition of events.${table}
   for values from ('${TODAY} 00:00:00+00') to ('${TODAY} 00:00:00+00'::timestamptz + interval '1 day')`

const INDEXED = `
  insert into events.raw_search select received_at, xact, id, occurred_at, '{}', title from events.raw_event where id = 1`

test('raw events of the former shape keep their order, and those that the index had passed over are indexed', async () => {
  const options = { url: database.url, schema: 'events', entities }
  const before = await startOrm({ ...options, migrations: migrations.slice(0, 5) })
  const old = before.em.getConnection()
  for (const table of ['raw_event', 'raw_search', 'raw_number'])
    await old.execute(partitionOfToday(table))
  for (const statement of [RAW_EVENTS, INDEXED]) await old.execute(statement)
  await old.execute(`update events.search_position set xact = '900000', id = 1`)
  await old.execute(`select setval('events.raw_event_id_seq', 3)`)
  await before.close()

  const { orm, reader, insert, stored } = await eventsStream(database.url)
  try {
    const now = orm.em.getConnection()
    expect(await now.execute(COLUMNS)).toEqual([])
    expect(await indexAll(orm)).toBe(2)
    expect(await now.execute('select id::int from events.raw_posting order by id')).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ])
    const read = await reader(10)
    await now.execute(insert.replace('$1', `'new'`).replace('$2', '1'))
    expect((await read()).names).toEqual(['new 1'])
    const names = await now.execute<{ name: string }[]>(stored)
    expect(names.map(({ name }) => name)).toEqual(['indexed', 'passed over', 'late', 'new 1'])
  } finally {
    await orm.close()
  }
})

const NO_MESSAGES = { subscribe: () => () => {} }

const CHANGES = `
  insert into test_execution.execution_update (execution_id, seq, kind, state, xact)
  select id, seq, kind, 'RUNNING', xact::xid8 from test_execution.execution
  join (values ('first', 1, 'STATE', '700'), ('second', 1, 'STATE', '800'), ('first', 2, 'LOG', '900'),
    ('first', 3, 'STATE', '1000')) as old (context, seq, kind, xact) on context = context_id`

test('state changes of the former shape keep their order, and their cursors go on behind them', async () => {
  const before = await startOrm({
    url: database.url,
    ...STORAGE,
    migrations: STORAGE.migrations.slice(0, 9),
  })
  const old = before.em.getConnection()
  for (const name of ['first', 'second'])
    await old.execute(`
      insert into test_execution.execution (id, type, context_id, context_name, state, attempt, update_count, started,
        executed_by, open, request_id, use_code_coverage, steps, validation_failures, code_coverage)
      values (gen_random_uuid(), 'TEST', '${name}', '', 'RUNNING', 0, 1, now(), '', true, '', false, '[]', '[]', '[]')`)
  await old.execute(CHANGES)
  await before.close()

  const { orm, horizon, reader, insert, stored } = await stateChangesStream(database.url)
  try {
    const now = orm.em.getConnection()
    expect(await now.execute(COLUMNS)).toEqual([])
    const read = await reader(10)
    await now.execute(insert.replace('$1', `'third'`).replace('$2', '1'))
    expect((await read()).names).toEqual(['third 1'])
    const names = await now.execute<{ name: string }[]>(stored)
    expect(names.map(({ name }) => name)).toEqual(['first', 'second', 'first', 'third 1'])

    const changes = new StateChanges(new StateChangeRepository(orm.em, horizon), NO_MESSAGES)
    const [first] = await now.execute<{ id: string }[]>(
      `select id from test_execution.execution where context_id = 'first'`,
    )
    const cursor = Buffer.from(`700 ${first?.id} 1`).toString('base64url')
    const resumed = await changes.watch({}, cursor)
    expect((await resumed.next()).value.execution.contextId).toBe('second')
    await resumed.return?.()
  } finally {
    await orm.close()
  }
})

test('a start moves the sequence past positions of every table that has some: on a promoted replica it lags', async () => {
  const storage = { url: database.url, ...EVENTS_STORAGE }
  const before = await startOrm(storage)
  await before.em.getConnection().execute(
    `insert into events.status_change (event_id, at, from_status, to_status, from_severity, to_severity, position)
     values (gen_random_uuid(), now(), 'OPEN', 'OK', 'INFO', 'INFO', 4711)`,
  )
  await before.close()
  const after = await startOrm(storage)
  const [next] = await after.em
    .getConnection()
    .execute<{ position: string }[]>('select events.next_position()::text as position')
  expect(next?.position).toBe('4712')
  await after.close()
})
