import { pino } from 'pino'
import { startOrm } from '../../../platform/database/orm.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { PRUNE_DETAILS } from '../../../subgraphs/test-execution/executions/execution.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import {
  type Data,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
  await executions.startWorker()
})
afterAll(() => executions.stop())

const SIMPLE = `id state ended message validationFailures { name stepId actualValue }
  codeCoverage { componentName coveragePercentage }`
const READ = `query ($id: ID!) { executionResult(id: $id) { ${SIMPLE}
  steps { id: stepId } details: codeCoverage { sourceCode hitLines untouchedLines } } }`
const DETAIL = (field: string) => `query ($id: ID!) { executionResult(id: $id) { state ${field} } }`
const WATCH =
  'subscription ($id: ID!, $after: String) { executionUpdated(id: $id, after: $after) { cursor execution { state } } }'

const read = async (id: string): Promise<Data> =>
  (await executions.run(READ, { id })).executionResult

async function ended(scenario: string): Promise<string> {
  const id = await executions.execute(null, scenario)
  for await (const _ of executions.watch(WATCH, { id }));
  return id
}

/** Lets executions have ended two days ago, and asks for what the schedule asks for every hour. */
async function prune(old: readonly string[]): Promise<void> {
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const jobs = await startJobs(executions.databaseUrl, pino({ level: 'silent' }))
  const count = async (condition: string) => {
    const [row] = await orm.em
      .fork()
      .execute<{ n: number }[]>(`select count(*)::int as n from ${condition}`)
    return row?.n
  }
  try {
    const ids = old.map((id) => `'${id}'`).join()
    await orm.em.execute(
      `update test_execution.execution set ended = ended - interval '2 days' where id in (${ids})`,
    )
    await orm.em.fork().transactional((em) => jobs.enqueue(em, PRUNE_DETAILS.name, {}))
    while (await count(`pgboss.job where name = '${PRUNE_DETAILS.name}' and state < 'completed'`))
      await new Promise(setImmediate)
    expect(await count(`test_execution.execution_update where execution_id in (${ids})`)).toBe(0)
  } finally {
    await jobs.stop()
    await orm.close()
  }
}

test('old executions lose their details and keep their simple result, young ones keep all', async () => {
  // More than one batch.
  const old = [await ended('tax-table'), await ended('shipping-quote'), await ended('finance')]
  const young = await ended('tax-table')
  const before = await Promise.all([...old, young].map(read))
  await prune(old)

  for (const [at, id] of old.entries()) {
    const { steps, details, ...simple } = await read(id)
    const { steps: _, details: __, ended: ___, ...earlier } = before[at]
    expect(simple).toMatchObject(earlier)
    expect(steps).toEqual([])
    for (const each of details)
      expect(each).toEqual({ sourceCode: null, hitLines: [], untouchedLines: [] })
    for (const field of ['log', 'report', 'report(format: JUNIT)'])
      expect(await executions.refused(DETAIL(field), { id })).toEqual([
        'GONE',
        `The details of the execution ${id} were deleted because of their age; its simple result stays`,
      ])
  }
  expect(await read(young)).toEqual(before.at(-1))
  expect(await executions.run(DETAIL('log'), { id: young })).toMatchObject({
    executionResult: { log: expect.stringContaining('FAILED') },
  })
})

test('files go with the details of their execution, and their content when no other has it', async () => {
  const IMPORT = `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
    id testCaseResults { id steps { attachments { id } } } } }`
  const imported = async (name: string) => {
    const attachments = [{ name: 'a.txt', base64: btoa('kept') }]
    const steps = [{ name: 's', state: 'COMPLETED', attachments }]
    const scenarios = [{ name, state: 'COMPLETED', steps }]
    const { importExecution } = await executions.run(IMPORT, { input: { name, scenarios } })
    const [member] = importExecution.testCaseResults
    return { ids: [importExecution.id, member.id], file: member.steps[0].attachments[0].id }
  }
  const FILE = 'query ($id: ID!) { attachment(id: $id) { base64 } }'
  const fileOf = async (id: string) => (await executions.run(FILE, { id })).attachment
  const [old, young] = [await imported('old'), await imported('young')]
  await prune(old.ids)
  expect(await fileOf(old.file)).toBeNull()
  expect(await fileOf(young.file)).toEqual({ base64: btoa('kept') })
  await prune(young.ids)
  expect(await fileOf(young.file)).toBeNull()
})

test('who watches an old execution gets its final state, and no cursor into what is gone', async () => {
  const id = await ended('tax-table')
  const cursors: string[] = []
  for await (const { executionUpdated } of executions.watch(WATCH, { id, after: '' }))
    cursors.push(executionUpdated.cursor)
  await prune([id])
  const updates: Data[] = []
  for await (const { executionUpdated } of executions.watch(WATCH, { id }))
    updates.push(executionUpdated)
  expect(updates).toEqual([{ cursor: cursors.at(-1), execution: { state: 'FAILED' } }])
  for (const after of ['', cursors[0]])
    await expect(executions.watch(WATCH, { id, after }).next()).rejects.toMatchObject({
      extensions: { code: 'CURSOR_EXPIRED' },
    })
})
