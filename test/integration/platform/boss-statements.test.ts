import type pg from 'pg'
import { BossClient } from '../../../platform/jobs/boss-statements.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let client: BossClient
beforeAll(async () => {
  database = await createDatabase()
  client = new BossClient(database.url)
  await client.connect()
  await client.query('create table sheep (id int, name text)')
  await client.query("insert into sheep values (1, 'Dolly')")
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** As pools call it. */
const call = (text: string, values?: unknown[]) =>
  new Promise<pg.QueryResult>((resolve, reject) =>
    client.query(text, values, (error: Error, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result),
    ),
  )

/** Number of times that each prepared statement of this connection that holds a text was run. */
async function runs(part: string): Promise<number[]> {
  const text = `select generic_plans + custom_plans as runs from pg_prepared_statements
    where statement like '%${part}%'`
  return (await client.query(text)).rows.map((row: { runs: string }) => Number(row.runs))
}

test('each text with parameters is prepared', async () => {
  for (let use = 0; use < 5; use++) {
    const { rows } = await call('select name from sheep where id = $1 /* prepared */', [1])
    expect(rows).toEqual([{ name: 'Dolly' }])
    await expect(call('select 1 / $1::int as prepared', [0])).rejects.toThrow('division by zero')
  }
  expect(await runs('prepared')).toHaveLength(2)
})

test('so is a query without parameters, but nothing that may be several statements', async () => {
  for (let use = 0; use < 5; use++) {
    await call('with one as (select 1 as lonely) select * from one', [])
    await call('select 2 as lonely; select 3 as lonely', [])
    await call('begin')
    await call('rollback', [])
  }
  expect(await runs('lonely')).toEqual([5])
})

test('a statement that a change of its table made useless fails once, and is prepared again', async () => {
  const read = () => call('select * from sheep where id = $1', [1])
  await read()
  await client.query('alter table sheep add column wool text')
  await expect(read()).rejects.toMatchObject({ code: '0A000' })
  expect((await read()).rows).toEqual([{ id: 1, name: 'Dolly', wool: null }])
})
