import { jest } from '@jest/globals'
import type { MikroORM } from '@mikro-orm/postgresql'
import pg, { type Pool } from 'pg'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import { takeChanges } from '../../../subgraphs/events/notifications/note-changes.repository.ts'
import { EventRepository } from '../../../subgraphs/events/read/event.repository.ts'
import { HistogramRepository } from '../../../subgraphs/events/read/histogram.repository.ts'
import { RawEventRepository } from '../../../subgraphs/events/read/raw-event.repository.ts'
import {
  ALL_CHANGES,
  ChangeRepository,
} from '../../../subgraphs/events/stream/change.repository.ts'
import { horizonOf } from '../../support/events/index-all.ts'
import { fillManyEvents, type ManyEvents } from '../../support/events/many-events.ts'

let events: ManyEvents
let orm: MikroORM
let pool: Pool
beforeAll(async () => {
  events = await fillManyEvents()
  orm = events.orm
  pool = events.pool
})
afterAll(() => events.stop())

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}

const FILL_STATUS_CHANGES = `
  insert into events.status_change (event_id, at, from_status, to_status, from_severity, to_severity)
  select id, now(), 'OPEN', 'OK', 'INFO', 'INFO' from events.event limit 10000`

/** Many rows of few events: PostgreSQL would rather read them all than look each event up. */
const FILL_HISTORY = `
  insert into events.status_change (event_id, at, from_status, to_status, from_severity, to_severity)
  select id, now(), $1, $2, 'INFO', 'INFO' from (select id from events.event limit 50) as event, generate_series(1, 40)`

const FILL_CHANGES = `
  insert into events.state_change (event_id, at, kind, status, severity)
  select id, now(), 'REOPENED', 'OPEN', 'INFO' from events.event limit 1000`

const FILL_EXECUTIONS = `
  insert into events.execution_event (execution_id, event_id, context_id, context_type)
  select gen_random_uuid()::text, id, 'context ' || row_number() over () % 2000, 'testcase' from events.event`

const TODAY = new Date().toISOString().slice(0, 10).replaceAll('-', '')
const isEmpty = (table: string) => /_\d{8}$/.test(table) && !table.endsWith(TODAY)

/** The filled tables that the statements of `read` scan from end to end. */
async function scannedBy(read: () => Promise<unknown>): Promise<string[]> {
  const statements: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  // Statements that decide the plan are asked for real.
  const asked = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const ask = () => query.apply(this, given as never)
    const [statement] = given as [string | { text: string; values: unknown[] }]
    if (typeof statement === 'string') return ask()
    if (/^(explain|begin|commit)|search_position|horizon/.test(statement.text)) return ask()
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
  'severity:>=ERROR',
  'severity:>CRITICAL',
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
  expect(scanned.filter((table) => table !== 'event_search' && table !== 'event_seen')).toEqual([])
})

test('neither one event’s occurrences, nor its histogram, nor the stream scan a filled table', async () => {
  await pool.query(FILL_STATUS_CHANGES)
  await pool.query('analyze events.status_change')
  const id = '00000000-0000-8000-8000-000000000000'
  const span = { from: new Date(Date.now() - 3_600_000), to: new Date(), minutes: 1 }
  const reads = [
    () => new RawEventRepository(orm).findPageOfEvent(id, page),
    () =>
      new HistogramRepository(orm).count(span, [{ sql: 'counted.event_id = ?', parameters: [id] }]),
    () => new ChangeRepository(orm, horizonOf(orm)).read(99_999, ALL_CHANGES),
  ]
  for (const read of reads) expect(await scannedBy(read)).toEqual([])
})

test('a pass over changes of state looks their history up', async () => {
  await pool.query('truncate events.status_change')
  for (const [from, to] of [
    ['OPEN', 'OK'],
    ['OK', 'OPEN'],
  ])
    await pool.query(FILL_HISTORY, [from, to])
  await pool.query(FILL_CHANGES)
  await pool.query('analyze events.status_change, events.state_change')
  const scanned = await scannedBy(() => takeChanges(orm.em, 500))
  expect(scanned).not.toContain('status_change')
})

test('events of contexts are looked up, however many events and executions there are', async () => {
  await pool.query(FILL_EXECUTIONS)
  await pool.query('analyze events.execution_event')
  const rows = new EventRepository(orm)
  for (const isBackward of [false, true])
    expect(
      await scannedBy(() => rows.findPagesOfContexts({ ...page, isBackward }, ['context 1', '2'])),
    ).toEqual([])
})

test.each(['properties.absent:*', 'properties.absent:ab*', 'tags:r*', 'source.ref:z*'])(
  '%s is looked up in an index, not filtered out of everything',
  async (query) => {
    const [condition] = compileQuery(query, 'raw')
    const table = 'events.raw_content'
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
