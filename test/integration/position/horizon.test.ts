import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { eventsStream, type Stream } from '../../support/position.ts'

let database: TestDatabase
let foreign: TestDatabase
let events: Stream
const warnings: object[] = []
const open = new Set<pg.Client>()

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'a writer' })
  client.on('error', () => {}) // killed
  open.add(client)
  await client.connect()
  return client
}

beforeAll(async () => {
  database = await createDatabase()
  foreign = await createDatabase()
  events = await eventsStream(
    database.url,
    { warn: (...[fields]: unknown[]) => void warnings.push(fields as object) },
    50,
  )
})
afterEach(async () => {
  for (const client of open) await client.end().catch(() => {})
  open.clear()
})
afterAll(async () => {
  await events.orm.close()
  await database.drop()
  await foreign.drop()
})

const store = (client: pg.Client, name: string) => client.query(events.insert, [name, 2])

test('transactions of others that stay open hold up no reader, in this database or another one', async () => {
  const read = await events.reader(10)
  for (const url of [database.url, foreign.url]) {
    const other = await connect(url)
    await other.query('begin; create table theirs (); select pg_current_xact_id()')
    // Locks of theirs whose names are any numbers.
    await other.query(
      'select pg_advisory_xact_lock_shared(1), pg_advisory_xact_lock_shared(0x4101, 0)',
    )
  }
  await store(await connect(database.url), 'seen')
  expect(await read()).toEqual({ names: ['seen 1', 'seen 2'], isMore: false })
})

test('a transaction of ours that stays open is reported with its session, until it ends', async () => {
  const read = await events.reader(10)
  const slow = await connect(database.url)
  await slow.query('begin')
  await store(slow, 'late')
  await store(await connect(database.url), 'early')
  for (warnings.length = 0; warnings.length === 0; await delay(20))
    expect((await read()).names).toEqual([])
  expect(warnings[0]).toEqual({
    schema: 'events',
    position: expect.stringMatching(/^\d+$/),
    pid: (slow as unknown as { processID: number }).processID,
    applicationName: 'a writer',
    state: 'idle in transaction',
    ageSeconds: expect.any(Number),
  })
  await slow.query('commit')
  expect((await read()).names).toEqual(['late 1', 'late 2', 'early 1', 'early 2'])
  warnings.length = 0
  await delay(60)
  await read()
  expect(warnings).toEqual([])
})

test('numbers beyond 32 bits are in order', async () => {
  const read = await events.reader(10)
  const writer = await connect(database.url)
  await writer.query(`select setval('events.raw_event_id_seq', 1::bigint << 32)`)
  const slow = await connect(database.url)
  await slow.query('begin')
  await store(slow, 'slow')
  await store(writer, 'quick')
  expect((await read()).names).toEqual([])
  await slow.query('commit')
  expect((await read()).names).toEqual(['slow 1', 'slow 2', 'quick 1', 'quick 2'])
})

test('readers at the same time share a query, and one that asks later sees what was stored before', async () => {
  const { horizon } = events
  const first = horizon.read()
  expect(horizon.read()).toBe(first)
  await first
  await store(await connect(database.url), 'one more')
  expect((await horizon.read()).complete).not.toBe((await first).complete)
})
