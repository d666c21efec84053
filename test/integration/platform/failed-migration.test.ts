import { Migration } from '@mikro-orm/migrations'
import pg from 'pg'
import { startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/accounts/storage.ts'
import { createDatabase } from '../../support/database.ts'

class Faulty extends Migration {
  override up(): void {
    this.addSql("select 'none'::integer")
  }
}

test('a failed migration is named, and its start has stored none', async () => {
  const database = await createDatabase()
  const migrations = [...STORAGE.migrations, { name: 'Faulty', class: Faulty }]
  const start = startOrm({ url: database.url, ...STORAGE, migrations })
  await expect(start).rejects.toThrow(
    /^The migration Faulty of the database schema accounts failed: .*invalid input syntax.*\nThis start has stored no migration .*upgrade\.md\.$/s,
  )
  await expect(start).rejects.toMatchObject({ code: '22P02' })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    "select to_regclass('accounts.account') as made, count(name)::integer as stored from accounts.mikro_orm_migrations",
  )
  await client.end()
  await database.drop()
  expect(rows).toEqual([{ made: null, stored: 0 }])
})
