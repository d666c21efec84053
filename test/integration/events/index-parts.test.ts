import { randomBytes } from 'node:crypto'
import { type Orm, poolOf, startOrm } from '../../../platform/database/orm.ts'
import { SearchRepository } from '../../../subgraphs/events/read/index/search.repository.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import { PartitionRepository } from '../../../subgraphs/events/tables/partition.repository.ts'
import { createMigratedDatabase, type TestDatabase } from '../../support/database.ts'
import { horizonOf } from '../../support/events/index-all.ts'

const ROWS = 12
/** More than a part may have in four rows. */
const ROW_BYTES = 1_100_000

let database: TestDatabase
let orm: Orm
beforeAll(async () => {
  database = await createMigratedDatabase()
  orm = await startOrm({ url: database.url, ...STORAGE })
  await new PartitionRepository(orm).ensure(new Date())
})
afterAll(async () => {
  await orm?.close()
  await database?.drop()
})

/** Fills in parts of at most `limit` rows, until none are left. @returns how many rows each part had */
async function fillInParts(limit: number): Promise<number[]> {
  const search = new SearchRepository(orm, horizonOf(orm))
  const parts: number[] = []
  for (;;) {
    const { indexed, isAll } = await search.fill(limit)
    parts.push(indexed)
    if (isAll) return parts
  }
}

/** Properties are what is large, as their words are not indexed: the test is about parts. */
const store = (properties: string, value: unknown) =>
  poolOf(orm.em).query(
    `insert into events.raw_event (event_id, is_new, title, severity, status, properties, tags, occurred_at, received_at)
     select gen_random_uuid(), true, 'Event ' || i, 'INFO', 'OK', ${properties}, '[]', now(), now()
     from generate_series(1, ${ROWS}) as i`,
    [value],
  )

/** PostgreSQL compresses what repeats. */
const random = (bytes: number) => randomBytes(bytes / 2).toString('hex')
const TEXT = `jsonb_build_object('text', $1::text)`

test('a part ends by its rows, and by the bytes of large ones', async () => {
  await store(TEXT, random(100))
  expect(await fillInParts(5)).toEqual([5, 5, 2])
  for (const text of [random(ROW_BYTES), 'x'.repeat(ROW_BYTES)]) {
    await store(TEXT, text)
    const parts = await fillInParts(1_000)
    expect(parts.reduce((sum, length) => sum + length)).toBe(ROWS)
    expect(parts.length).toBeGreaterThan(1)
  }
  expect(await fillInParts(ROWS)).toEqual([0])
})

test('what is left to index is counted, without ids that no event has', async () => {
  const search = new SearchRepository(orm, horizonOf(orm))
  expect(await search.left()).toBe(0)
  await store(TEXT, 'x')
  await poolOf(orm.em).query(
    `select nextval(pg_get_serial_sequence('events.raw_event', 'id')) from generate_series(1, 100)`,
  )
  expect(await search.left()).toBe(ROWS)
  await fillInParts(ROWS)
  expect(await search.left()).toBe(0)
})

test('a part that is cancelled is indexed again', async () => {
  const search = new SearchRepository(orm, horizonOf(orm))
  await search.cancel() // as nothing is indexed
  // The database writes each number with 300 digits: that takes seconds.
  await store(
    `jsonb_build_object('numbers', (select jsonb_agg(1e300) from generate_series(1, $1)))`,
    80_000,
  )
  const filling = search.fill(ROWS)
  const cancelling = setInterval(() => void search.cancel().catch(() => {}), 100)
  const end = await filling.catch((error) => error).finally(() => clearInterval(cancelling))
  expect(end).toMatchObject({ code: '57014' })
  expect((await fillInParts(ROWS)).reduce((sum, length) => sum + length)).toBe(ROWS)
})
