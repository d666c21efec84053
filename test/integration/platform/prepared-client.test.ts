import pg from 'pg'
import { PreparedClient } from '../../../subgraphs/platform/database/prepared-client.ts'
import { createDatabase, type TestDatabase } from '../../_support/database.ts'

let database: TestDatabase
let client: PreparedClient
beforeAll(async () => {
  database = await createDatabase()
  client = new PreparedClient(database.url)
  await client.connect()
  await client.query('create table sheep (id int, name text)')
  await client.query("insert into sheep values (1, 'Dolly')")
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** How often each prepared statement of this connection that holds a text was run. */
async function runs(part: string): Promise<number[]> {
  const text = `select generic_plans + custom_plans as runs from pg_prepared_statements
    where statement like '%${part}%'`
  return (await client.query(text)).rows.map((row: { runs: string }) => Number(row.runs))
}

test('a statement with parameters is prepared once it is used again and again', async () => {
  const text = 'select name from sheep where id = $1 /* prepared */'
  for (let use = 0; use < 5; use++)
    expect((await client.query(text, [1])).rows).toEqual([{ name: 'Dolly' }])
  expect(await runs('prepared')).toEqual([3])
})

test('so is a query without parameters, but nothing that may be several statements', async () => {
  for (let use = 0; use < 5; use++) {
    await client.query('with one as (select 1 as lonely) select * from one', [])
    await client.query('select 2 as lonely; select 3 as lonely', [])
    await client.query('begin', [])
    await client.query('rollback', [])
  }
  expect(await runs('lonely')).toEqual([3])
})

test('other ways to ask are left alone', async () => {
  const text = 'select $1::int as other'
  for (let use = 0; use < 5; use++) {
    expect((await client.query({ text, values: [use], rowMode: 'array' })).rows).toEqual([[use]])
    const query = new pg.Query(text, [use])
    const ended = new Promise((resolve) => query.on('end', resolve))
    client.query(query)
    await ended
  }
  expect(await runs('other')).toEqual([])
})

test('a callback gets the result, and the error', async () => {
  const call = (text: string, values: unknown[]) =>
    new Promise<pg.QueryResult>((resolve, reject) =>
      client.query(text, values, (error: Error, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result),
      ),
    )
  for (let use = 0; use < 5; use++) {
    expect((await call('select $1::int as called', [use])).rows).toEqual([{ called: use }])
    await expect(call('select 1 / $1::int as called', [0])).rejects.toThrow('division by zero')
  }
  expect(await runs('called')).toHaveLength(2)
})

test('a statement that a change of its table made useless fails once, and is prepared again', async () => {
  const read = () => client.query('select * from sheep where id = $1', [1])
  for (let use = 0; use < 5; use++) await read()
  await client.query('alter table sheep add column wool text')
  await expect(read()).rejects.toMatchObject({ code: '0A000' })
  expect((await read()).rows).toEqual([{ id: 1, name: 'Dolly', wool: null }])
})
