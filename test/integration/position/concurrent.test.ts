import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import {
  eventChangesStream,
  eventsStream,
  type Stream,
  stateChangesStream,
} from '../../support/position.ts'

let database: TestDatabase
let streams: Record<'eventReceived' | 'eventChanged' | 'executionStateChanged', Stream>
beforeAll(async () => {
  database = await createDatabase()
  streams = {
    eventReceived: await eventsStream(database.url),
    eventChanged: await eventChangesStream(database.url),
    executionStateChanged: await stateChangesStream(database.url),
  }
})
afterAll(async () => {
  for (const { orm } of Object.values(streams)) await orm.close()
  await database.drop()
})

/** Statements of a writer in one transaction: rows of each statement with a pause behind it, and how it ends. */
const transaction = fc.record({
  statements: fc.array(
    fc.record({ rows: fc.integer({ min: 1, max: 40 }), pauseMs: fc.integer({ min: 0, max: 12 }) }),
    { minLength: 1, maxLength: 3 },
  ),
  isUndoneTo: fc.boolean(),
  end: fc.constantFrom('commit', 'commit', 'commit', 'rollback', 'killed'),
})
type Transaction = typeof transaction extends fc.Arbitrary<infer Value> ? Value : never

const schedule = fc.record({
  writers: fc.array(fc.array(transaction, { minLength: 1, maxLength: 5 }), {
    minLength: 2,
    maxLength: 5,
  }),
  limit: fc.integer({ min: 5, max: 50 }),
  readers: fc.integer({ min: 1, max: 3 }),
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => {}) // killed
  await client.connect()
  return client
}

/** @returns whether the connection is still there */
async function run(
  client: pg.Client,
  { insert }: Stream,
  { statements, isUndoneTo, end }: Transaction,
  name: string,
): Promise<boolean> {
  await client.query('begin')
  if (isUndoneTo) await client.query('savepoint undone')
  for (const [at, { rows, pauseMs }] of statements.entries()) {
    await client.query(insert, [`${name}.${at}`, rows])
    await delay(pauseMs)
    // An undone statement gives its lock back, and the next one takes it anew.
    if (isUndoneTo && at === 0) await client.query('rollback to savepoint undone')
  }
  if (end === 'killed') {
    const other = await connect()
    await other.query('select pg_terminate_backend($1, 10000)', [
      (client as unknown as { processID: number }).processID,
    ])
    await other.end()
    return false
  }
  await client.query(end)
  return true
}

async function runAll(stream: Stream, transactions: readonly Transaction[], name: string) {
  let client = await connect()
  for (const [at, each] of transactions.entries())
    if (!(await run(client, stream, each, `${name}.${at}`))) client = await connect()
  await client.end()
}

test.each(['eventReceived', 'eventChanged', 'executionStateChanged'] as const)(
  'readers of %s miss nothing and repeat nothing, whichever transactions roll back, die or commit late',
  async (field) => {
    const stream = streams[field]
    let runs = 0
    await fc.assert(
      fc.asyncProperty(schedule, async ({ writers, limit, readers }) => {
        const name = `run ${++runs}`
        let isOver = false
        const begun = await Promise.all(Array.from({ length: readers }, () => stream.reader(limit)))
        const reading = begun.map(async (read) => {
          const found: string[] = []
          for (let isLast = false; !isLast; ) {
            isLast = isOver
            const { names, isMore } = await read()
            found.push(...names)
            if (isMore) isLast = false
            else await delay(1)
          }
          return found
        })
        await Promise.all(
          writers.map((transactions, writer) => runAll(stream, transactions, `${name} ${writer}`)),
        )
        isOver = true
        const found = await Promise.all(reading)
        const rows = await stream.orm.em.getConnection().execute<{ name: string }[]>(stream.stored)
        const stored = rows.map((row) => row.name).filter((each) => each.startsWith(`${name} `))
        for (const each of found) expect(each).toEqual(stored)
      }),
      { numRuns: 10 },
    )
  },
)
