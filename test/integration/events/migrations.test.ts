import type { MikroORM } from '@mikro-orm/postgresql'
import { startOrm } from '../../../platform/database/orm.ts'
import { migrations } from '../../../subgraphs/events/migrations/index.ts'
import { entities } from '../../../subgraphs/events/tables/entities.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { schemaDrift } from '../../support/schema-drift.ts'

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
  expect(await schemaDrift(orm)).toEqual([])
})
