import { AUDIT_MIGRATIONS } from '../../../subgraphs/platform/audit/migrations/index.ts'
import { startOrm } from '../../../subgraphs/platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { createDatabase, type TestDatabase } from '../../_support/database.ts'
import { schemaDrift } from '../../_support/schema-drift.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createDatabase()
})
afterEach(() => database.drop())

test('the migrations make the tables that the entities describe', async () => {
  const orm = await startOrm({ url: database.url, ...STORAGE })
  try {
    expect(await schemaDrift(orm)).toEqual([])
  } finally {
    await orm.close()
  }
})

test('four processes may migrate an empty database at once', async () => {
  const starts = Array.from({ length: 4 }, () => startOrm({ url: database.url, ...STORAGE }))
  const orms = await Promise.all(starts)
  try {
    expect(await orms[0]?.migrator.getPending()).toEqual([])
    expect(await orms[0]?.migrator.getExecuted()).toHaveLength(
      STORAGE.migrations.length + AUDIT_MIGRATIONS.length, // and those that all subgraphs share
    )
  } finally {
    for (const orm of orms) await orm.close()
  }
})

test('a start without migrations fails instead of leaving tables out', async () => {
  const start = startOrm({ url: database.url, ...STORAGE, migrations: [] })
  await expect(start).rejects.toThrow('No migration was found for test_execution')
})
