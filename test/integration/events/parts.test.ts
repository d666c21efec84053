import type { MikroORM } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import type { Connection, Page } from '../../../platform/paging/page.ts'
import { EventRepository } from '../../../subgraphs/events/read/event.repository.ts'
import { RawEventRepository } from '../../../subgraphs/events/read/raw-event.repository.ts'
import { DEFAULT_SETTINGS } from '../../../subgraphs/events/settings.ts'
import { fillManyEvents, type ManyEvents } from '../../support/events/many-events.ts'
import { eventually } from '../../support/eventually.ts'

let events: ManyEvents
let orm: MikroORM
let pool: Pool
beforeAll(async () => {
  events = await fillManyEvents()
  orm = events.orm
  pool = events.pool
})
afterAll(() => events.stop())

const page = { limit: 50, isBackward: false, from: null }

test.each([
  ['event', 'properties.key:[400 TO 3300] -tags:common', 103],
  ['raw', 'properties.key:[400 TO 900] -tags:common', 500],
  ['raw', 'tags:rare', 100],
  ['raw', 'eventClass:tenth tags:early', 250],
  ['event', 'severity:INFO AND properties.key:[* TO 9000]', 8_991],
  ['event', 'properties.key:[* TO 7000]', 7_000],
  ['event', 'properties.key:{13000 TO *] -tags:rare', 6_993],
  ['raw', 'eventClass:tenth', 10_000],
  ['raw', 'properties.key:[3000 TO 5000}', 10_000],
] as const)(
  'the total of %s by %s is exact, whatever the page has counted',
  async (table, query, total) => {
    const exact = { value: total, isEstimated: false }
    const conditions = compileQuery(query, table)
    const rows = table === 'raw' ? new RawEventRepository(orm) : new EventRepository(orm)
    const read = async (from: string[] | null) => {
      const found = await rows.findPage({ ...page, from }, conditions)
      expect(await found.count()).toEqual(exact)
      return found
    }
    // On a busy machine, a count may not end in its time: then it is marked.
    const first = await eventually(() => read(null))
    const { cursor = '' } = first.edges.at(-1) ?? {}
    await eventually(() => read(Buffer.from(cursor, 'base64url').toString().split(' ')))
  },
)

test('a page is not lost because its total would take too long', async () => {
  const rows = new RawEventRepository(orm, { ...DEFAULT_SETTINGS, queryTimeoutMs: 5_000 })
  const slow = { sql: `raw.title <> '' and pg_sleep(0.001) is not null`, parameters: [] }
  const first = await rows.findPage({ ...page, isCounted: true }, [slow])
  expect(first.nodes).toHaveLength(50)
  const { value, isEstimated } = await first.count()
  expect(isEstimated).toBe(true)
  expect(value).toBeGreaterThan(50_000)
  expect(value).toBeLessThan(150_000)
})

test.each([
  ['', 'of everything'],
  ['properties.key:[400 TO *]', 'of frequent numbers'],
  ['tags:common', 'of what most have'],
])('the total of raw by "%s" is marked as an estimate: %s', async (query) => {
  const first = await new RawEventRepository(orm).findPage(page, compileQuery(query, 'raw'))
  expect(await first.count()).toMatchObject({ isEstimated: true })
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
  const [from, order] = table === 'raw' ? ['raw_event', 'id'] : ['event', 'first_seen_at, id']
  const { rows } = await pool.query(
    `select title from events.${from} where ${where} order by ${order}`,
  )
  const expected = rows.map(({ title }) => title)
  const first = (titles: string[]) => titles.slice(0, PAGES * PAGE_SIZE)
  expect(await titlesOf(table, query, true)).toEqual(first(expected))
  expect(await titlesOf(table, query, false)).toEqual(first(expected.toReversed()))
  return expected.length
}

// Some match at all of 10 000 candidates, some only at the oldest of them, those found by numbers, and more of them at
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
})
