import { closeOrm, startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { createDatabase } from '../../support/database.ts'

test('queries that still wait for a connection end before the connections close', async () => {
  const database = await createDatabase()
  const orm = await startOrm({ url: database.url, ...STORAGE })
  const answers = Array.from({ length: 3 }, () => orm.em.fork().execute('select 1 as one'))
  await closeOrm(orm)
  expect(await Promise.all(answers)).toEqual([1, 2, 3].map(() => [{ one: 1 }]))
  await database.drop()
})
