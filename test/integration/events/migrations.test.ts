import type { MikroORM } from '@mikro-orm/postgresql'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { startOrm } from '../../../subgraphs/shared/orm.ts'
import { createDatabase, type TestDatabase } from '../../_support/database.ts'

let database: TestDatabase
let orm: MikroORM
beforeAll(async () => {
  database = await createDatabase()
  orm = await startOrm({ url: database.url, schema: 'events', entities, migrations })
})
afterAll(async () => {
  await orm.close()
  await database.drop()
})

test('the migrations make the tables that the entities describe', async () => {
  // Dropping is left out: partitions and the migrator's own table belong to no entity.
  const statements = await orm.schema.getUpdateSchemaSQL({ safe: true, dropTables: false })
  expect(statements.trim()).toBe('')
})
