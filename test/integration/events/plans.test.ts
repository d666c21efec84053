import { jest } from '@jest/globals'
import type { MikroORM } from '@mikro-orm/postgresql'
import pg, { type Pool } from 'pg'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { EventRepository } from '../../../subgraphs/events/query/event.repository.ts'
import { HistogramRepository } from '../../../subgraphs/events/query/histogram.repository.ts'
import { compileQuery } from '../../../subgraphs/events/query/language/compile.ts'
import { RawEventRepository } from '../../../subgraphs/events/query/raw-event.repository.ts'
import { DEFAULT_SETTINGS } from '../../../subgraphs/events/settings.ts'
import { StreamRepository } from '../../../subgraphs/events/stream/stream.repository.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { PartitionRepository } from '../../../subgraphs/events/tables/partition.repository.ts'
import { poolOf } from '../../../subgraphs/events/tables/sql.repository.ts'
import { startOrm } from '../../../subgraphs/shared/orm.ts'
import type { Connection, Page } from '../../../subgraphs/shared/paging/page.ts'
import { createDatabase, type TestDatabase } from '../../_support/database.ts'
import { indexAll } from './_support/index-all.ts'

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
       'host' || (i % 5000), 'host', 'name' || i, null, null, jsonb_build_object('key', i),
       jsonb_build_array(case when i % 1000 = 2 then 'rare' when i < 500 then 'early' else 'common' end),
       case when i % 1000 = 3 then 'rare' when i % 10 = 5 then 'tenth' end,
       date_trunc('second', now()) - i * interval '1 second', now() - i * interval '1 second', now(), case when i % 1000 = 4 then 500 else 5 end, null
     from generate_series(1, 20000) as i`,
  )
  await pool.query(
    `insert into events.raw_event (event_id, is_new, title, message, severity, status, source_ref, source_type, source_name,
       properties, tags, event_class, occurred_at, received_at)
     select id, n = 1, title, message, severity, status, source_ref, source_type, source_name, properties, tags, event_class,
       first_seen_at, now()
     from events.event, generate_series(1, 5) as n`,
  )
  await indexAll(orm)
  await pool.query(
    `insert into events.event_minute select distinct event_id, date_trunc('minute', received_at), 5 from events.raw_event`,
  )
  // As autovacuum does: until then, what GIN indexes have not sorted in yet makes them dear.
  await pool.query('vacuum analyze')
}, 180_000)
afterAll(async () => {
  await orm.close()
  await database.drop()
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

const TODAY = new Date().toISOString().slice(0, 10).replaceAll('-', '')
const isEmpty = (table: string) => /_\d{8}$/.test(table) && !table.endsWith(TODAY)

/** The filled tables that the statements of `read` scan from end to end. */
async function scannedBy(read: () => Promise<unknown>): Promise<string[]> {
  const statements: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  // What decides on what is read is asked for real.
  const asked = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const ask = () => query.apply(this, given as never)
    const [statement] = given as [string | { text: string; values: unknown[] }]
    if (typeof statement === 'string') return ask()
    if (/^explain|search_position/.test(statement.text)) return ask()
    statements.push(statement)
    const decides = /^select count.*as counted$|^with (found|key) as|offset \d+ limit 1$/s
    if (decides.test(statement.text)) return ask()
    const told = given.at(-1)
    return (typeof told === 'function' ? told(null, { rows: [] }) : { rows: [] }) as never
  })
  await read().finally(() => asked.mockRestore())
  const scanned: string[] = []
  const visit = (plan: Plan) => {
    const table = plan['Relation Name'] ?? ''
    if (plan['Node Type'] === 'Seq Scan' && !isEmpty(table)) scanned.push(table)
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

/** A query of each documented kind: frequent, and rare. */
const QUERIES = [
  '',
  'severity:INFO',
  'severity:CRITICAL',
  'status:OPEN AND -tags:ticketed',
  'status:OPEN NOT tags:common',
  'source.ref:host7',
  'source.ref:host77*',
  'source.type:host',
  'source.name:name77',
  'eventClass:rare',
  'tags:common',
  'tags:rare',
  'tags:(rare OR common)',
  'tags:rar*',
  'tags:r*',
  'properties.key:4711',
  'properties.absent:*',
  'properties.absent:[1 TO 2]',
  'properties.key:[4710 TO 4712]',
  'properties.key:[100 TO 300] OR tags:rare',
  'properties.key:[4000 TO *] severity:CRITICAL',
  'properties.key:[* TO *]',
  'title:"title 4711"',
  'message:4711',
  '4711',
  '"message 4711" OR tags:rare',
  'mess*4711',
  'severity:CRITICAL tags:rare',
  'firstSeenAt:2020-01-01',
  'firstSeenAt:[2020-01-01 TO *]',
  'nothing_like_it',
]

test.each([...QUERIES, 'occurredAt:[2020-01-01 TO 2020-02-01]', 'receivedAt:[2020-01-01 TO *]'])(
  'reading raw events by %s scans none of them from end to end',
  async (query) => {
    const rawEvents = new RawEventRepository(orm)
    const scanned = await scannedBy(async () => {
      const { count } = await rawEvents.findPage(page, compileQuery(query, 'raw'))
      await count()
    })
    expect(scanned.filter((table) => table.startsWith('raw_'))).toEqual([])
  },
)

test.each([
  ...QUERIES,
  'lastSeenAt:[2020-01-01 TO 2020-02-01]',
  'timesSeen:[100 TO *]',
  'timesSeen:500',
])('reading events by %s scans no table from end to end', async (query) => {
  const events = new EventRepository(orm)
  const scanned = await scannedBy(async () => {
    const { count } = await events.findPage(page, compileQuery(query, 'event'))
    await count()
  })
  // So few rows are looked through at once; of many, the estimate says otherwise.
  expect(scanned.filter((table) => table !== 'event_search')).toEqual([])
})

test('neither one event’s occurrences, nor its histogram, nor the stream scan a filled table', async () => {
  const id = '00000000-0000-8000-8000-000000000000'
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(), minutes: 1 }
  const reads = [
    () => new RawEventRepository(orm).findPageOfEvent(id, page),
    () =>
      new HistogramRepository(orm).count(span, [{ sql: 'counted.event_id = ?', parameters: [id] }]),
    () => new StreamRepository(orm).read({ xact: '99999', id: '0' }, [], 200),
  ]
  for (const read of reads) expect(await scannedBy(read)).toEqual([])
})

test.each(['properties.absent:*', 'properties.absent:ab*', 'tags:r*', 'source.ref:z*'])(
  '%s is looked up in an index, not filtered out of everything',
  async (query) => {
    const [condition] = compileQuery(query, 'raw')
    const table = 'events.raw_search'
    const lookup = condition?.lookup && 'sql' in condition.lookup ? condition.lookup : null
    const sql = lookup?.sql.replaceAll('?', () => '$1') ?? 'false'
    const { rows } = await pool.query(
      `explain (format json) select from ${table} as search where ${sql}`,
      lookup?.parameters,
    )
    expect(JSON.stringify(rows)).toMatch(/Index Scan/)
  },
)

test.each([
  ['title:"title 4711"', ['%4711%']],
  ['mess*4711', ['%4711%']],
  ['"message 4711" OR title:"4712"', ['%4711%', '%4712%']],
  ['title:"title message"', ['%title message%']],
])('of %s the rare words are looked up', async (query, expected) => {
  const asked = jest.spyOn(pg.Client.prototype, 'query')
  await new RawEventRepository(orm).findPage(page, compileQuery(query, 'raw'))
  const reads = asked.mock.calls
    .map(([statement]) => statement as unknown as { text?: string; values: unknown[] })
    .filter(({ text = '' }) => !text.startsWith('explain') && text.includes('search.words ilike'))
  asked.mockRestore()
  expect(reads.length).toBeGreaterThan(0)
  for (const { text, values } of reads) {
    const numbers = [...(text ?? '').matchAll(/search\.words ilike \$(\d+)/g)].map(([, at]) =>
      Number(at),
    )
    expect(numbers.map((at) => values[at - 1])).toEqual(expected)
  }
})

test.each([
  ['event', 'properties.key:[400 TO 3300] -tags:common', 103],
  ['raw', 'properties.key:[400 TO 900] -tags:common', 500],
  ['raw', 'tags:rare', 100],
  ['raw', 'eventClass:tenth tags:early', 250],
] as const)(
  'the total of %s by %s is exact, whatever the page has counted',
  async (table, query, total) => {
    const conditions = compileQuery(query, table)
    const rows = table === 'raw' ? new RawEventRepository(orm) : new EventRepository(orm)
    const first = await rows.findPage(page, conditions)
    expect(await first.count()).toBe(total)
    const { cursor = '' } = first.edges.at(-1) ?? {}
    const from = Buffer.from(cursor, 'base64url').toString().split(' ')
    expect(await (await rows.findPage({ ...page, from }, conditions)).count()).toBe(total)
  },
)

test('a page is not lost because its total would take too long', async () => {
  const rows = new RawEventRepository(orm, { ...DEFAULT_SETTINGS, queryTimeoutMs: 500 })
  const slow = { sql: `raw.title <> '' and pg_sleep(0.001) is not null`, parameters: [] }
  const first = await rows.findPage(page, [slow])
  expect(first.nodes).toHaveLength(50)
  const total = await first.count()
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(150_000)
})

const PAGE_SIZE = 1_000
const PAGES = 3

/** The first pages of a list, in reading direction, by titles. */
async function titlesOf(table: 'event' | 'raw', query: string, isBackward: boolean) {
  const conditions = compileQuery(query, table)
  const titles: string[] = []
  for (let from: string[] | null = null, pages = 0; pages < PAGES; pages++) {
    const part: Page = { limit: PAGE_SIZE, isBackward, from }
    const { edges, nodes }: Connection<{ title: string }> =
      table === 'raw'
        ? await new RawEventRepository(orm).findPage(part, conditions)
        : await new EventRepository(orm).findPage(part, conditions)
    const inOrder = isBackward ? nodes.toReversed() : nodes
    titles.push(...inOrder.map(({ title }) => title))
    const last: { cursor: string } | undefined = edges.at(isBackward ? 0 : -1)
    if (!last) break
    from = Buffer.from(last.cursor, 'base64url').toString().split(' ')
  }
  return titles
}

/** Expects the same as the table tells. @returns how many rows that is */
async function pagedBothWays(table: 'event' | 'raw', query: string, where: string) {
  const [from, order] = table === 'raw' ? ['raw_event', 'xact, id'] : ['event', 'first_seen_at, id']
  const { rows } = await pool.query(
    `select title from events.${from} where ${where} order by ${order}`,
  )
  const expected = rows.map(({ title }) => title)
  const first = (titles: string[]) => titles.slice(0, PAGES * PAGE_SIZE)
  expect(await titlesOf(table, query, true)).toEqual(first(expected))
  expect(await titlesOf(table, query, false)).toEqual(first(expected.toReversed()))
  return expected.length
}

// What matches at all of 10 000 candidates, what only the oldest of them do, those found by numbers, and more of them at
// the begin or the end of the list than are looked through in its order.
test.each([
  ['raw', 'eventClass:tenth', `event_class = 'tenth'`, 10_000],
  ['raw', 'eventClass:tenth -tags:common', `event_class = 'tenth' and tags @> '["early"]'`, 250],
  [
    'raw',
    'properties.key:[3000 TO 5000}',
    `(properties -> 'key')::int between 3000 and 4999`,
    10_000,
  ],
  ['raw', 'properties.key:{13900 TO *]', `(properties -> 'key')::int > 13900`, 30_500],
  [
    'raw',
    'properties.key:[* TO 800] -tags:common',
    `(properties -> 'key')::int <= 800 and not tags @> '["common"]'`,
    2_495,
  ],
  [
    'event',
    'properties.key:[400 TO 3300] -tags:common',
    `(properties -> 'key')::int between 400 and 3300 and not tags @> '["common"]'`,
    103,
  ],
  ['event', 'properties.key:[* TO 7000]', `(properties -> 'key')::int <= 7000`, 7_000],
  ['event', 'properties.key:{13000 TO *]', `(properties -> 'key')::int > 13000`, 7_000],
  [
    'event',
    'properties.key:{13000 TO *] OR properties.key:[* TO 14000] -tags:common',
    `(properties -> 'key')::int > 13000 or (properties -> 'key')::int <= 14000 and not tags @> '["common"]'`,
    7_511,
  ],
] as const)(
  'pages of %s by %s are the same as without an index, in both directions',
  async (table, query, where, count) => {
    expect(await pagedBothWays(table, query, where)).toBe(count)
  },
  30_000,
)

test('what is not indexed yet stands at its place in pages, in both directions', async () => {
  // First seen in the middle of the list, and of a class that they did not have when they were indexed.
  await pool.query(`
    with late as (
      update events.event set event_class = 'tenth', first_seen_at = first_seen_at - interval '500 ms'
      where (properties -> 'key')::int in (11, 9991, 19991) returning *)
    insert into events.raw_event (event_id, is_new, title, message, severity, status, properties, tags, event_class,
      occurred_at, received_at)
    select id, false, title, message, severity, status, properties, tags, event_class, now(), now() from late`)
  const where = `event_class = 'tenth'`
  expect(await pagedBothWays('raw', 'eventClass:tenth', where)).toBe(10_003)
  expect(await pagedBothWays('event', 'eventClass:tenth', where)).toBe(2_003)
}, 30_000)
