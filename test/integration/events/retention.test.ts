import type { MikroORM } from '@mikro-orm/postgresql'
import { poolOf, startOrm } from '../../../platform/database/orm.ts'
import { inTransaction } from '../../../platform/database/sql.ts'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { EventRepository } from '../../../subgraphs/events/read/event.repository.ts'
import { indexEvents } from '../../../subgraphs/events/read/index/search.repository.ts'
import { DEFAULT_SETTINGS } from '../../../subgraphs/events/settings.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { startMaintenance } from '../../../subgraphs/events/tables/maintenance.ts'
import { PartitionRepository } from '../../../subgraphs/events/tables/partition.repository.ts'
import { RetentionRepository } from '../../../subgraphs/events/tables/retention.repository.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { indexAll } from '../../support/events/index-all.ts'

const DAY_MS = 86_400_000

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const insertOccurrence = (receivedAt: Date) => `
  with event as (
    insert into events.event (id, fingerprint, fingerprint_fields, fingerprint_values, title, message, severity, status,
      properties, tags, first_seen_at, last_seen_at, last_updated_at, times_seen)
    values (gen_random_uuid(), '${receivedAt.getTime()}', '[]', '[]', 'old', 'm', 'CRITICAL', 'OPEN', '{"load": 7}', '[]',
      now(), now(), now(), 1)
    returning *)
  insert into events.raw_event (event_id, is_new, title, message, severity, status, properties, tags, occurred_at, received_at)
  select id, true, title, message, severity, status, properties, tags, first_seen_at, '${receivedAt.toISOString()}' from event`

async function find(orm: MikroORM, query: string): Promise<string[]> {
  const page = { limit: 10, isBackward: false, from: null }
  const { nodes } = await new EventRepository(orm).findPage(page, compileQuery(query, 'event'))
  return nodes.map(({ title }) => title)
}

test('numbers stored before they were indexed are found, and so are events whose occurrences were dropped', async () => {
  const options = { url: database.url, schema: 'events', entities }
  const before = await startOrm({ ...options, migrations: migrations.slice(0, 4) })
  const day = new Date(Date.now() - 5 * DAY_MS)
  const pool = poolOf(before.em)
  for (const table of ['raw_event', 'raw_search'])
    await pool.query(
      `create table events.${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')} partition of events.${table}
       for values from ('${day.toISOString().slice(0, 10)}') to ('${new Date(day.getTime() + DAY_MS).toISOString().slice(0, 10)}')`,
    )
  await pool.query(insertOccurrence(day))
  await pool.query(`
    insert into events.event_search (event_id, last_seen_at, times_seen, content, words)
    select id, now(), 1, '{"severity": "CRITICAL", "properties": {"load": 7}}', 'old' from events.event`)
  await pool.query(
    `insert into events.raw_search select received_at, xact, id, occurred_at, '{"severity": "CRITICAL", "properties": {"load": 7}}', 'old' from events.raw_event`,
  )
  await pool.query(
    'update events.search_position set (xact, id) = (select xact, id from events.raw_event)',
  )
  await before.close()

  const orm = await startOrm({ ...options, migrations })
  const partitions = new PartitionRepository(orm)
  try {
    expect(await find(orm, 'properties.load:[7 TO 8] severity:CRITICAL')).toEqual(['old'])
    const { rows } = await poolOf(orm.em).query('select key, value from events.raw_number')
    expect(rows).toEqual([{ key: 'load', value: '7' }])

    const late = insertOccurrence(new Date(day.getTime() + 1))
    await poolOf(orm.em).query(late)
    expect(await partitions.dropOlderThan(3, new Date())).toEqual([])
    expect(await indexAll(orm)).toBe(1)
    const dropped = await partitions.dropOlderThan(3, new Date())
    expect(dropped.map((name) => name.slice(0, -9)).toSorted()).toEqual([
      'raw_content',
      'raw_event',
      'raw_number',
      'raw_posting',
    ])
    expect(await find(orm, 'severity:CRITICAL')).toEqual(['old', 'old'])
    expect(await find(orm, 'properties.load:[7 TO 7]')).toEqual(['old', 'old'])
  } finally {
    await orm.close()
  }
})

test('changes of status are deleted when they are old, and others stay', async () => {
  const orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  try {
    const pool = poolOf(orm.em)
    await pool.query(`
      insert into events.status_change (event_id, at, from_status, to_status, from_severity, to_severity)
      select gen_random_uuid(), now() - n * interval '1 day', 'OPEN', 'OK', 'INFO', 'INFO' from generate_series(0, 19) as n`)
    const retention = new RetentionRepository(orm)
    const now = new Date(Date.now() - 60_000)
    expect(await retention.forgetStatusChanges(10, now)).toBe(9)
    expect(await retention.forgetStatusChanges(10, now)).toBe(0)
  } finally {
    await orm.close()
  }
})

test('links of old executions are deleted, but for the latest one of each event', async () => {
  const orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  try {
    const pool = poolOf(orm.em)
    await new PartitionRepository(orm).ensure(new Date())
    await pool.query(insertOccurrence(new Date()))
    await pool.query(`update events.event set execution_id = 'run 19'`)
    await pool.query(`
      insert into events.execution_event (execution_id, event_id, context_id, context_type, at)
      select 'run ' || n, id, 'scenario', 'testcase', now() - n * interval '1 day'
      from generate_series(0, 19) as n, (select id from events.event limit 1) as event`)
    const retention = new RetentionRepository(orm)
    const now = new Date(Date.now() - 60_000)
    expect(await retention.forgetExecutions(10, now)).toBe(8)
    expect(await retention.forgetExecutions(10, now)).toBe(0)
    const { rows } = await pool.query(
      `select count(*)::int as left from events.execution_event where execution_id = 'run 19'`,
    )
    expect(rows).toEqual([{ left: 1 }])
  } finally {
    await orm.close()
  }
})

test('events that nothing has changed for long are deleted, with all that they are found by', async () => {
  const orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  try {
    const pool = poolOf(orm.em)
    const before = new Date(Date.now() - 20 * DAY_MS)
    const leaving = `events.event where title = 'leaving'`
    await pool.query(
      `insert into events.event select gen_random_uuid(), 'f' || n, '[]', '[]', 'leaving', null, 'INFO', 'OPEN', null, null, null,
         null, null, jsonb_build_object('left', n), '[]', null, $1, $1, case when n = 3 then now() else $1 end, 1, null
       from generate_series(1, 3) as n`,
      [before],
    )
    const { rows: all } = await pool.query(`select id, properties from ${leaving}`)
    await inTransaction(orm.em, (sql) =>
      indexEvents(
        sql,
        all.map(({ id }) => id),
      ),
    )
    await pool.query(`
      insert into events.status_change (event_id, at, from_status, to_status, from_severity, to_severity)
      select id, now(), 'OPEN', 'OK', 'INFO', 'INFO' from ${leaving}`)

    expect(await new RetentionRepository(orm).forgetEvents(10, new Date())).toBe(2)
    const left = async (query: string) => (await pool.query(query)).rows
    expect(await left(`select properties from ${leaving}`)).toEqual([{ properties: { left: 3 } }])
    expect(await left(`select value from events.event_number where key = 'left'`)).toEqual([
      { value: '3' },
    ])
    const ids = all.map(({ id }) => id)
    for (const table of ['event_search', 'event_seen', 'status_change'])
      expect(
        (await pool.query(`select from events.${table} where event_id = any ($1)`, [ids])).rowCount,
      ).toBe(1)
    expect(await new RetentionRepository(orm).forgetEvents(10, new Date())).toBe(0)
  } finally {
    await orm.close()
  }
})

test('artifacts that were deleted long ago are forgotten, but for a silence whose end is not taken in', async () => {
  const orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  try {
    const pool = poolOf(orm.em)
    await pool.query(`
      insert into events.forwarded_artifact (kind, id, at, fields, sealed, is_deleted, is_active)
      select 'silence', concat_ws(' ', age, is_deleted, is_active),
        extract(epoch from now() - make_interval(days => age)) * 1000000, '{}', '{}', is_deleted, is_active
      from unnest(array[20, 40]) as age, unnest(array[true, false]) as is_deleted,
        unnest(array[true, false]) as is_active`)
    const end = await startMaintenance(
      new PartitionRepository(orm),
      new RetentionRepository(orm),
      DEFAULT_SETTINGS,
      { info: () => {} } as unknown as Logger,
    )
    end()
    const { rows } = await pool.query('select id from events.forwarded_artifact order by id')
    expect(rows.map(({ id }) => id)).toEqual([
      ...['20 f f', '20 f t', '20 t f', '20 t t'],
      ...['40 f f', '40 f t', '40 t t'],
    ])
  } finally {
    await orm.close()
  }
})

test('a day that somebody reads keeps neither the start nor the other upkeep waiting', async () => {
  const orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  const pool = poolOf(orm.em)
  const reader = await pool.connect()
  const logged: unknown[] = []
  const log = { error: (...line: unknown[]) => logged.push(line), info: () => {} }
  const day = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10)
  const name = `raw_event_${day.replaceAll('-', '')}`
  try {
    await pool.query(
      `create table events.${name} partition of events.raw_event
       for values from ('${day}') to (date '${day}' + 1)`,
    )
    await pool.query(
      `insert into events.answered_request (account, key, digest, result, answered_at)
       values ('a', 'k', 'd', '{}', now() - interval '3 days')`,
    )
    await reader.query(`begin; lock table events.${name} in access share mode`)
    const end = await startMaintenance(
      new PartitionRepository(orm),
      new RetentionRepository(orm),
      { ...DEFAULT_SETTINGS, retentionDays: 3 },
      log as unknown as Logger,
    )
    end()
    expect(logged).toHaveLength(1)
    const { rows } = await pool.query(
      `select to_regclass('events.${name}') is not null as held,
        (select count(*)::int from events.answered_request where key = 'k') as answers`,
    )
    expect(rows).toEqual([{ held: true, answers: 0 }])
  } finally {
    reader.release(true)
    await orm.close()
  }
})
