import type { MikroORM } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { closeOrm, startOrm } from '../../../platform/database/orm.ts'
import { runPrepared, runSql } from '../../../platform/database/sql.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let orm: MikroORM
beforeAll(async () => {
  database = await createDatabase()
  orm = await startOrm({ url: database.url, ...STORAGE, poolSize: 2 })
  await runSql(orm.em, 'create table sheep (id int, name text)')
  await runSql(orm.em, "insert into sheep values (1, 'Dolly')")
})
afterAll(async () => {
  await closeOrm(orm)
  await database.drop()
})

/** Number of times that each prepared statement of the connection that holds a text was run, by name. */
async function runs(part: string): Promise<{ name: string; runs: number }[]> {
  const text = `select name, (generic_plans + custom_plans)::int as runs from pg_prepared_statements
    where statement like $1`
  return runSql(orm.em, text, [`%${part}%`])
}

test('a statement with a name is parsed once, one without a name each time', async () => {
  const text = 'select name from sheep where id = $1 /* plain */'
  for (let use = 0; use < 5; use++) {
    expect(await runSql(orm.em, { name: 'find-sheep', text }, [1])).toEqual([{ name: 'Dolly' }])
    await runSql(orm.em, 'select name from sheep where id = $1 /* unnamed */', [1])
  }
  expect(await runs('plain')).toEqual([{ name: 'find-sheep', runs: 5 }])
  expect(await runs('/* unnamed */')).toEqual([])
})

test('so is a statement of the builder, which returns how many rows it changed', async () => {
  for (let use = 0; use < 5; use++) {
    const shorn = sql`update sheep set name = name where id = ${1} /* shorn */`
    expect((await runPrepared(orm.em, 'shear', shorn)).numAffectedRows).toBe(1n)
  }
  expect(await runs('shorn')).toEqual([{ name: 'shear', runs: 5 }])
})

test('a name stands for one text', async () => {
  await runSql(orm.em, { name: 'one', text: 'select 1 as one' })
  await expect(runSql(orm.em, { name: 'one', text: 'select 2 as one' })).rejects.toThrow('unique')
})

test('a statement that a change of its table made useless fails once, and is prepared again', async () => {
  const read = () =>
    runSql(orm.em, { name: 'sheep', text: 'select * from sheep where id = $1' }, [1])
  await read()
  await runSql(orm.em, 'alter table sheep add column wool text')
  await expect(read()).rejects.toMatchObject({ code: '0A000' })
  expect(await read()).toEqual([{ id: 1, name: 'Dolly', wool: null }])
})

test('a pooler of transactions gets no prepared statements', async () => {
  const pooled = await startOrm({
    url: database.url,
    directUrl: database.url,
    ...STORAGE,
    poolSize: 2,
  })
  try {
    await runSql(pooled.em, { name: 'pooled', text: 'select $1::int as pooled' }, [1])
    expect(await runSql(pooled.em, 'select name from pg_prepared_statements')).toEqual([])
  } finally {
    await closeOrm(pooled)
  }
})
