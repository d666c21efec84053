import { closeOrm, MIGRATIONS_TABLE, startOrm } from '../../../platform/database/orm.ts'
import { runSql } from '../../../platform/database/sql.ts'
import { STORAGE } from '../../../subgraphs/test-execution/storage.ts'
import { createMigratedDatabase } from '../../support/database.ts'

test('migrations that ran under their former names do not run again', async () => {
  const database = await createMigratedDatabase()
  const options = { url: database.url, ...STORAGE }
  const orm = await startOrm(options)
  const former = Object.entries(STORAGE.renamedMigrations)
  for (const [name, renamed] of former)
    await runSql(
      orm.em,
      `update test_execution.${MIGRATIONS_TABLE} set name = $1 where name = $2`,
      [name, renamed],
    )
  await closeOrm(orm)

  const again = await startOrm(options)
  const rows = await runSql<{ name: string }>(
    again.em,
    `select name from test_execution.${MIGRATIONS_TABLE}`,
  )
  await closeOrm(again)
  await database.drop()
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(former.map(([, renamed]) => renamed)))
  expect(names).not.toEqual(expect.arrayContaining([former[0]?.[0]]))
})
