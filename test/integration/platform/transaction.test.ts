import type { MikroORM } from '@mikro-orm/postgresql'
import { startOrm } from '../../../platform/database/orm.ts'
import { inTransaction } from '../../../platform/database/sql.ts'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'

const LOSE_CONNECTION = 'select pg_terminate_backend(pg_backend_pid())'

let database: TestDatabase
let orm: MikroORM
beforeAll(async () => {
  database = await createDatabase()
  orm = await startOrm({ url: database.url, ...STORAGE, poolSize: 2 })
  await orm.em.execute('create table kept (id int unique deferrable initially deferred)')
  // Commit itself loses the connection.
  await orm.em.execute(`create function lose() returns trigger language plpgsql as
    'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`)
  await orm.em.execute(`create table fatal (id int)`)
  await orm.em.execute(`create constraint trigger lose after insert on fatal
    deferrable initially deferred for each row execute function lose()`)
})
afterAll(async () => {
  await orm.close()
  await database.drop()
})

const count = async () => (await orm.em.fork().execute('select * from kept')).length

test.each([
  ['a statement', LOSE_CONNECTION],
  ['the commit', 'insert into fatal values (1)'],
])('a connection that is lost in %s is given back, and nothing is kept', async (_, statement) => {
  for (let round = 0; round < 3; round++)
    await expect(
      inTransaction(orm.em, async (em) => {
        await em.execute('insert into kept values (1)')
        await em.execute(statement)
      }),
    ).rejects.toThrow()
  expect(await count()).toBe(0)
})

test('what a transaction throws, or its commit refuses, undoes it', async () => {
  const insert = (id: number, fault?: Error) =>
    inTransaction(orm.em, async (em) => {
      await em.execute('insert into kept values (?)', [id])
      if (fault) throw fault
    })
  await expect(insert(2, new Error('on purpose'))).rejects.toThrow('on purpose')
  await insert(3)
  await expect(insert(3)).rejects.toThrow('duplicate key')
  expect(await count()).toBe(1)
})

test('the length of a list that is asked for is of the snapshot of its page', async () => {
  const em = orm.em.fork()
  const page = { limit: 1, isBackward: false, from: [], isCounted: true }
  const before = await count()
  const { count: length } = await readCounted(orm.em, page, async (snapshot) => {
    const rows = await snapshot.execute('select * from kept')
    await em.execute('insert into kept values (100)')
    return {
      rows,
      cursorOf: String,
      count: async () => (await snapshot.execute('select * from kept')).length,
    }
  })
  expect(await length()).toEqual({ value: before, isEstimated: false })
  expect(await count()).toBe(before + 1)
})
