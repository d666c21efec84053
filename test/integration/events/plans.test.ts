import type { MikroORM } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { EventRepository } from '../../../subgraphs/events/query/event.repository.ts'
import { HistogramRepository } from '../../../subgraphs/events/query/histogram.repository.ts'
import { compileQuery } from '../../../subgraphs/events/query/language/compile.ts'
import { RawEventRepository } from '../../../subgraphs/events/query/raw-event.repository.ts'
import { StreamRepository } from '../../../subgraphs/events/stream/stream.repository.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { PartitionRepository } from '../../../subgraphs/events/tables/partition.repository.ts'
import { poolOf } from '../../../subgraphs/events/tables/sql.repository.ts'
import { startOrm } from '../../../subgraphs/shared/orm.ts'
import { createDatabase, type TestDatabase } from '../../_support/database.ts'

let database: TestDatabase
let orm: MikroORM
let pool: Pool
beforeAll(async () => {
  database = await createDatabase()
  orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
  pool = await poolOf(orm)
  await new PartitionRepository(orm).ensure(new Date())
  await pool.query(
    `insert into events.event select gen_random_uuid(), i::text, '[]', '[]', 'title ' || i, 'message ' || i,
       case when i % 1000 = 0 then 'CRITICAL' else 'INFO' end, case when i % 1000 = 1 then 'OPEN' else 'OK' end,
       'host' || (i % 500), 'host', null, null, null, jsonb_build_object('key', i),
       jsonb_build_array(case when i % 1000 = 2 then 'rare' else 'common' end), null,
       now() - i * interval '1 second', now(), now(), 5, null
     from generate_series(1, 20000) as i`,
  )
  await pool.query(
    `insert into events.raw_event (event_id, is_new, title, message, severity, status, source_ref, source_type,
       properties, tags, occurred_at, received_at)
     select id, n = 1, title, message, severity, status, source_ref, source_type, properties, tags, first_seen_at, now()
     from events.event, generate_series(1, 5) as n`,
  )
  await pool.query(
    `insert into events.event_minute select distinct event_id, date_trunc('minute', received_at), 5 from events.raw_event`,
  )
  await pool.query('analyze')
}, 60_000)
afterAll(async () => {
  await orm.close()
  await database.drop()
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

/** The tables that the statements of `read` scan from end to end. */
async function scannedBy(read: () => Promise<unknown>): Promise<string[]> {
  const statements: { text: string; values: unknown[] }[] = []
  const { query } = pool
  pool.query = (async (statement: { text: string; values: unknown[] }) => {
    statements.push(statement)
    return { rows: [] }
  }) as never
  await read().finally(() => {
    pool.query = query
  })
  const scanned: string[] = []
  const visit = (plan: Plan) => {
    if (plan['Node Type'] === 'Seq Scan') scanned.push(plan['Relation Name'] ?? '')
    plan.Plans?.forEach(visit)
  }
  for (const { text, values } of statements) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values)
    visit(rows[0]['QUERY PLAN'][0].Plan)
  }
  expect(statements).not.toHaveLength(0)
  return scanned
}

const page = { limit: 50, isBackward: false, from: null }

test.each(['', 'source.type:host', 'severity:INFO'])(
  'reading raw events by %s scans none of them from end to end',
  async (query) => {
    const rawEvents = new RawEventRepository(orm)
    const scanned = await scannedBy(() => rawEvents.findPage(page, compileQuery(query, 'raw')))
    expect(scanned.filter((table) => /^raw_event_\d+/.test(table))).toEqual([])
  },
)

test.each(['', 'severity:CRITICAL', 'status:OPEN', 'source.ref:host7', 'tags:rare'])(
  'reading events by %s scans no table from end to end',
  async (query) => {
    const events = new EventRepository(orm)
    expect(await scannedBy(() => events.findPage(page, compileQuery(query, 'event')))).toEqual([])
  },
)

test('neither one event’s occurrences, nor its histogram, nor the stream scan a filled table', async () => {
  const id = '00000000-0000-8000-8000-000000000000'
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(), minutes: 1 }
  const reads = [
    () => new RawEventRepository(orm).findPageOfEvent(id, page),
    () =>
      new HistogramRepository(orm).count(span, [{ sql: 'counted.event_id = ?', parameters: [id] }]),
    () => new StreamRepository(orm).read({ xact: '99999', id: '0' }, [], 200),
  ]
  for (const read of reads)
    expect((await scannedBy(read)).filter((table) => table.endsWith(today))).toEqual([])
})
