import type { EntityManager } from '@mikro-orm/postgresql'
import pg from 'pg'
import { pino } from 'pino'
import { startOrm } from '../../../platform/database/orm.ts'
import { type Jobs, startJobs } from '../../../platform/jobs/jobs.ts'
import { ExecutionRepository } from '../../../subgraphs/test-execution/executions/execution.repository.ts'
import {
  EXECUTE,
  EXECUTION_LOST,
  type ExecuteJob,
} from '../../../subgraphs/test-execution/executions/execution.ts'
import { PART_MS } from '../../../subgraphs/test-execution/executions/suite/suite-run.ts'
import { STORAGE } from '../../../subgraphs/test-execution/storage.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const SCENARIOS = 60
const LANES = 2
let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
  for (const [id, rerunAfterCrash] of Object.entries({ short: true, once: false }))
    await executions.run(CREATE_TEST, {
      input: { id, name: id, rerunAfterCrash, scenario: { steps: [{ id: 'w', wait: { ms: 1 } }] } },
    })
  await store('many', Array(SCENARIOS).fill('short'))
})
afterAll(() => executions.stop())

const CREATE_TEST =
  'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const CREATE_SUITE = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
const EXECUTE_SUITE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id } }'
const WATCH = `subscription ($id: ID!) { executionUpdated(id: $id, after: "") {
  step { id: stepId state started } execution { state progress { scenariosEnded }
    testCaseResults { state message started ended } } } }`

const store = (id: string, testCases: string[]) =>
  executions.run(CREATE_SUITE, { input: { id, name: id, testCases, maxParallel: LANES } })

async function execute(contextId: string): Promise<string> {
  const credentials = { userId: 'tester', password: PASSWORD }
  const { execute } = await executions.run(EXECUTE_SUITE, { input: { contextId, credentials } })
  return execute.id
}

async function query(sql: string, values: unknown[] = []): Promise<Data[]> {
  const client = new pg.Client(executions.databaseUrl)
  await client.connect()
  const { rows } = await client.query(sql, values).finally(() => client.end())
  return rows
}

const jobs = async (): Promise<ExecuteJob[]> =>
  (
    await query('select data from pgboss.job where name = $1 order by created_on', [EXECUTE.name])
  ).map(({ data }) => data)

describe('before there is a worker', () => {
  test('a part is taken at once, apart from what must not run twice', async () => {
    const [short = '', once = ''] = await executeMixed()
    const take = (ids: string[], attempt: number) =>
      withRepository(async (repository) =>
        [...(await repository.claim(ids, attempt))].map(([id, each]) => [id, each.attemptsBefore]),
      )
    expect(await take([short, once], 1)).toEqual([[short, 0]])
    expect(await take([short, once], 1)).toEqual([])
    expect(await take([short], 2)).toEqual([[short, 1]])
    expect(await take([once], 2)).toEqual([[once, 0]])
  })

  /** @returns its scenarios, without the jobs that run them: each lane has one */
  async function executeMixed(): Promise<string[]> {
    await store('mixed', ['short', 'once'])
    lostSuite = await execute('mixed')
    await query('delete from pgboss.job where name = $1', [EXECUTE.name])
    const members = await query(
      'select id from test_execution.execution where suite_id = $1 order by position',
      [lostSuite],
    )
    return members.map(({ id }) => id)
  }
})

let lostSuite = ''

async function withRepository<Result>(
  use: (repository: ExecutionRepository, boss: Jobs, em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const boss = await startJobs(executions.databaseUrl, pino({ level: 'silent' }))
  try {
    await boss.declare(EXECUTION_LOST)
    return await use(new ExecutionRepository(orm.em, boss), boss, orm.em.fork())
  } finally {
    await boss.stop()
    await orm.close()
  }
}

describe('with a worker', () => {
  beforeAll(() => executions.startWorker())

  test('short scenarios of a suite share jobs; each starts once, before it ends, and never beside another of its lane', async () => {
    const suite = await execute('many')
    const updates: Data[] = []
    for await (const { executionUpdated } of executions.watch(WATCH, { id: suite }))
      updates.push(executionUpdated)
    expect(updates.at(-1).execution).toMatchObject({
      state: 'COMPLETED',
      progress: { scenariosEnded: SCENARIOS },
    })
    const states = new Map<string, string[]>()
    for (const { step } of updates)
      if (step) states.set(step.id, [...(states.get(step.id) ?? []), step.state])
    expect([...states.values()]).toEqual(Array(SCENARIOS).fill(['RUNNING', 'COMPLETED']))

    const results: { started: string; ended: string }[] = updates.at(-1).execution.testCaseResults
    // On a machine that is slow, scenarios are not short: one may lead to a job of a single scenario.
    const took = results.map(({ started, ended }) => Date.parse(ended) - Date.parse(started))
    const long = took.filter((ms) => ms > PART_MS / 2)
    expect((await jobs()).length - long.length).toBeLessThan(SCENARIOS)
    for (const { started } of results) {
      const running = results.filter((each) => each.started <= started && started < each.ended)
      expect(running.length).toBeLessThanOrEqual(LANES)
    }
  })

  test('a part whose worker was lost twice loses the scenario that ran, and the others run', async () => {
    const members = await query(
      `update test_execution.execution set attempt = case position when 0 then 2 else 0 end
       where suite_id = $1 returning id, position`,
      [lostSuite],
    )
    const [first, ...rest] = members.toSorted((a, b) => a.position - b.position).map(({ id }) => id)
    const job: ExecuteJob = { executionId: first, rest, requestId: 'lost' }
    await withRepository((_, boss, em) => boss.enqueue(em, EXECUTION_LOST.name, job))
    const states = []
    for await (const { executionUpdated } of executions.watch(WATCH, { id: lostSuite }))
      states.push(executionUpdated.execution)
    expect(states.at(-1)).toMatchObject({
      state: 'ERROR',
      testCaseResults: [
        { state: 'ERROR', message: 'The worker that ran this execution was lost twice' },
        { state: 'COMPLETED', message: '' },
      ],
    })
  })
})
