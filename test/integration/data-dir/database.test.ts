import pg from 'pg'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

const run = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const databases: TestDatabase[] = []
const create = async (template?: string) => {
  const database = await createDatabase(template)
  databases.push(database)
  return database
}
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.drop()))
})

test('a test database is a copy of its template and independent of it', async () => {
  const template = await create()
  await run(template.url, 'create table t as select 1 as n')
  const copy = await create(new URL(template.url).pathname.slice(1))
  await run(copy.url, 'insert into t values (2)')
  expect(await run(template.url, 'select n from t')).toEqual([{ n: 1 }])
})

test('text is UTF-8 and sorted the same on every machine', async () => {
  const { url } = await create()
  expect(
    await run(
      url,
      `select string_agg(w, '' order by w) as words, upper('ä') as upper
                    from unnest(array['b', 'ä', 'B', 'a']) as w`,
    ),
  ).toEqual([{ words: 'Babä', upper: 'Ä' }])
})
