import { AUDIT_MIGRATIONS } from '../../../platform/audit/migrations/index.ts'
import { startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { schemaDrift } from '../../support/schema-drift.ts'

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

test('results become readable whose reports had times and lines that no result can carry', async () => {
  const before = STORAGE.migrations.filter(({ name }) => name < 'migration-018')
  const older = await startOrm({ url: database.url, ...STORAGE, migrations: before })
  const [began, ended] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z']
  const step = (path: string, durationMs: number | null, started: string | null = began) => ({
    ...{ id: path, path, name: path, kind: 'test', state: 'COMPLETED', message: '' },
    ...{ started, ended, durationMs },
  })
  const known = step('known', 1_000)
  const steps = [known, step('point-in-time', 1.7e15), step('infinite', null, null)]
  const coverage = { componentName: 'a', coveragePercentage: 50, sourceCode: 'a' }
  const lines = { hitLines: [1, 9e9, 2], untouchedLines: [1.5, 3] }
  const mended = [known, step('point-in-time', null, ended), step('infinite', null, ended)]
  const own = { ...coverage, hitLines: [1, 2], untouchedLines: [3] }
  const id = '01900000-0000-7000-8000-000000000000'
  await older.em.execute(
    `insert into test_execution.execution (id, type, context_id, context_name, state, attempt, update_count, started,
      executed_by, open, request_id, use_code_coverage, validation_failures, steps, tries, code_coverage)
    values (?, 'TEST', 'a', 'A', 'COMPLETED', 1, 4, now(), 'ann', false, '', true, '[]', ?, ?, ?)`,
    [
      id,
      JSON.stringify(steps),
      JSON.stringify([{ steps }, { steps: [] }]),
      JSON.stringify([{ ...coverage, ...lines }]),
    ],
  )
  for (const [seq, each] of steps.entries())
    await older.em.execute(
      `insert into test_execution.execution_update (execution_id, seq, kind, state, step) values (?, ?, 'STEP', 'RUNNING', ?)`,
      [id, seq, JSON.stringify(each)],
    )
  await older.close()

  const orm = await startOrm({ url: database.url, ...STORAGE })
  try {
    const em = orm.em.fork()
    expect(
      await em.execute('select steps, tries, code_coverage from test_execution.execution'),
    ).toEqual([{ steps: mended, tries: [{ steps: mended }, { steps: [] }], code_coverage: [own] }])
    expect(
      await em.execute('select step from test_execution.execution_update order by seq'),
    ).toEqual(mended.map((each) => ({ step: each })))
  } finally {
    await orm.close()
  }
})

test('a start without migrations fails instead of leaving tables out', async () => {
  const start = startOrm({ url: database.url, ...STORAGE, migrations: [] })
  await expect(start).rejects.toThrow('No migration was found for test_execution')
})
