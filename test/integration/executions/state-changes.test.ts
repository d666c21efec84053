import { startOrm } from '../../../platform/database/orm.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import {
  type Data,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeEach(async () => {
  executions = await runExecutions()
})
afterEach(() => executions.stop())

const WATCH = `subscription ($filter: ExecutionResultFilter, $after: String) {
  executionStateChanged(filter: $filter, after: $after) {
    cursor kind step { id: stepId } log execution { id contextId state ended message steps { id: stepId } } } }`

/** The first `count` changes. */
async function take(count: number, variables: object = {}): Promise<Data[]> {
  const changes: Data[] = []
  for await (const { executionStateChanged } of executions.watch(WATCH, { ...variables })) {
    changes.push(executionStateChanged)
    if (changes.length === count) break
  }
  return changes
}

const told = (changes: Data[]) => changes.map(({ execution: { id, state } }) => `${id} ${state}`)

test('begin and end of every execution are told, each once, as they were then', async () => {
  const watched = await executions.subscribed(WATCH)
  const first = watched.next()
  const id = await executions.execute(null, 'tax-table')
  expect((await first).value?.executionStateChanged).toMatchObject({
    ...{ kind: 'STATE', step: null, log: null },
    execution: { id, contextId: 'tax-table', state: 'RUNNING', ended: null, message: null },
  })
  await executions.startWorker()
  expect((await watched.next()).value?.executionStateChanged).toMatchObject({
    execution: {
      id,
      state: 'FAILED',
      ended: expect.any(String),
      message: expect.stringMatching(/./),
    },
  })
  await watched.return()
})

test('a change that has just been stored is judged by every field of a filter', async () => {
  const filter = {
    ...{ ids: ['*-*'], errorCodes: [null], messages: [null, '*'], useCodeCoverage: true },
    ...{ contextIds: ['tax*'], names: ['*'], executedBy: ['*'], isMember: false },
  }
  const watched = await executions.subscribed(WATCH, { filter })
  const first = watched.next()
  const id = await executions.execute(null, 'tax-table')
  expect((await first).value?.executionStateChanged.execution.id).toBe(id)
  await watched.return()
})

test('a suite and its scenarios are told in the order of commit, and a cursor goes on behind it', async () => {
  await executions.startWorker()
  const id = await executions.execute(null, 'finance')
  const all = await take(6, { after: '' })
  const states = all.map(({ execution: { contextId, state } }) => `${contextId} ${state}`)
  expect(states.slice(0, 2)).toEqual(['finance RUNNING', 'loan-schedule RUNNING'])
  // The end of its last scenario is in the transaction that ends the suite.
  expect(states.indexOf('finance FAILED')).toBeGreaterThan(3)
  expect(new Set(states).size).toBe(6)
  expect(all[0].execution.id).toBe(id)
  for (const [at, { cursor }] of all.slice(0, 5).entries())
    expect(told(await take(5 - at, { after: cursor }))).toEqual(told(all.slice(at + 1)))
})

test.each([
  [{ contextId: 'tax-table' }, ['tax-table RUNNING', 'tax-table FAILED']],
  [{ type: 'SUITE' }, ['finance RUNNING', 'finance FAILED']],
  [{ states: ['COMPLETED'] }, ['loan-schedule COMPLETED']],
])('of %j only what matches is told', async (filter, expected) => {
  await executions.startWorker()
  await executions.execute(null, 'finance')
  const changes = await take(expected.length, { filter, after: '' })
  expect(changes.map(({ execution: { contextId, state } }) => `${contextId} ${state}`)).toEqual(
    expected,
  )
})

test('what an older transaction holds back is told after it, and nothing is skipped', async () => {
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>()
  const older = await executions.execute(null)
  const holding = orm.em.fork().transactional(async (em) => {
    await em.execute(
      `insert into test_execution.execution_update (execution_id, seq, kind, state) values ('${older}', 99, 'STATE', 'ERROR')`,
    )
    opened()
    await released
  })
  await isOpen
  const [before] = await take(1, { after: '' })
  const younger = await executions.execute(null)
  const next = take(2, { after: before.cursor })
  await new Promise((resolve) => setTimeout(resolve, 700))
  release()
  await holding
  await orm.close()
  expect(told(await next)).toEqual([expect.stringContaining(older), `${younger} RUNNING`])
})

test('behind the cursor of now comes what started later, also while a transaction is open', async () => {
  const cursor = async (): Promise<string> =>
    (await executions.run('{ executionStateCursor }')).executionStateCursor
  expect(await cursor()).toBe('')
  const first = await executions.execute(null)
  const after = await cursor()
  const second = await executions.execute(null)
  expect(told(await take(1, { after }))).toEqual([`${second} RUNNING`])
  expect(told(await take(2, { after: '' }))).toEqual([`${first} RUNNING`, `${second} RUNNING`])
})

test.each(['x', Buffer.from('99999999999 0 1').toString('base64url')])(
  'a cursor of another stream is refused: %s',
  async (after) => {
    await expect(take(1, { after })).rejects.toMatchObject({
      extensions: { code: 'CURSOR_EXPIRED' },
    })
  },
)
