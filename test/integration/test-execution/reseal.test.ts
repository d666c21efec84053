import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createSecrets } from '../../../platform/secrets.ts'
import { resealAll } from '../../../subgraphs/test-execution/reseal/passes.ts'
import { reseal } from '../../../subgraphs/test-execution/reseal/reseal.ts'
import {
  SEALED_COLUMNS,
  sealedRows,
} from '../../../subgraphs/test-execution/reseal/sealed-columns.repository.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import {
  PASSWORD,
  type RunningExecutions,
  runExecutions,
  SECRETS_KEY,
} from '../../support/running-executions.ts'

const SECRET = 'swordfish-4711'
const NEW_KEY = randomBytes(32).toString('base64')

let executions: RunningExecutions
let collector: Collector
let client: pg.Client
beforeAll(async () => {
  executions = await runExecutions()
  collector = await startCollector()
  client = new pg.Client({ connectionString: executions.databaseUrl })
  await client.connect()
  await executions.run(
    `mutation ($input: CreateEnvironmentInput!, $testCase: CreateTestCaseInput!, $suite: CreateSuiteInput!) {
      createEnvironment(input: $input) { id } createTestCase(input: $testCase) { id } createSuite(input: $suite) { id } }`,
    {
      input: {
        id: 'lab',
        name: 'Lab',
        secrets: [
          { name: 'TOKEN', value: SECRET },
          { name: 'OTHER', value: `${SECRET}-2` },
        ],
      },
      testCase: {
        id: 'secretive',
        name: 'Needs a secret',
        environment: 'lab',
        componentUnderTest: 'loan-schedule',
        scenario: { steps: [{ id: 'wait', wait: { ms: 1 } }] },
      },
      suite: { id: 'twice', name: 'Twice', testCases: ['secretive', 'loan-schedule'] },
    },
  )
  // No worker takes them yet, so all of what a running execution needs is stored.
  for (const id of ['secretive', 'twice'])
    await executions.execute(`${collector.url}/hook?token=${SECRET}`, id)
})
afterAll(async () => {
  await client?.end()
  await executions?.stop()
  await collector?.stop()
})

const rotated = createSecrets({ secretsKey: NEW_KEY, previousSecretsKey: SECRETS_KEY })

/** Numbers of rows of each column, after each sealed value was opened. */
async function openAll({ open } = rotated): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const column of SEALED_COLUMNS)
    for await (const { sealed } of sealedRows(client, column)) {
      for (const text of typeof sealed === 'string' ? [sealed] : Object.values(sealed))
        expect(open(text)).toMatch(new RegExp(`${SECRET}|${PASSWORD}`))
      counts[column.name] = (counts[column.name] ?? 0) + 1
    }
  return counts
}

test('a run that is killed after any row leaves everything readable, and the next one goes on', async () => {
  const before = await openAll()
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      'secrets of environments',
      'secrets in running executions',
      'host credentials of running executions',
      'callback addresses of executions',
    ]),
  )
  let runs = 0
  for (let isKilled = true; isKilled; runs++) {
    let writes = 0
    const killed = {
      query: async (text: string, values: unknown[]) => {
        if (text.startsWith('update') && ++writes > 1)
          throw Object.assign(new Error('killed'), { code: 'KILLED' })
        return client.query(text, values)
      },
    }
    isKilled = await reseal(killed as never, rotated).then(
      () => false,
      () => true,
    )
    expect(await openAll()).toEqual(before)
  }
  expect(runs).toBe(Object.values(before).reduce((sum, rows) => sum + rows, 0))
  expect(await openAll(createSecrets({ secretsKey: NEW_KEY }))).toEqual(before)
  const again = await reseal(client, rotated)
  expect(again.map(({ resealed, unreadable }) => [resealed, unreadable])).toEqual(
    again.map(() => [0, []]),
  )
})

test('what no key opens is counted with its reason and stays, and addresses in clear are sealed', async () => {
  await client.query(
    `update test_execution.execution set callback = jsonb_set(callback, '{sealedUrl}', $1) where context_id = 'twice'`,
    [JSON.stringify(`${collector.url}/clear?token=${SECRET}`)],
  )
  const strange = createSecrets({ secretsKey: randomBytes(32).toString('base64') })
  const counts = await reseal(client, strange)
  const [environments] = counts
  expect(environments).toMatchObject({
    resealed: 0,
    unreadable: [
      { key: 'environment lab', reason: expect.stringContaining('SECRETS_KEY_PREVIOUS') },
    ],
  })
  expect(JSON.stringify(counts)).not.toContain(SECRET)
  const callbacks = counts.find(({ column }) => column === 'callback addresses of executions')
  expect(callbacks).toMatchObject({ resealed: 1 })
  const sealedAgain = createSecrets({ secretsKey: NEW_KEY })
  await client.query(
    `update test_execution.execution set callback = jsonb_set(callback, '{sealedUrl}', $1) where context_id = 'twice'`,
    [JSON.stringify(sealedAgain.seal(`${collector.url}/hook?token=${SECRET}`))],
  )
})

test('a row that no key opens ends no run, and what is inserted after a pass is found by the next', async () => {
  const former = createSecrets({ secretsKey: SECRETS_KEY })
  const stranger = createSecrets({ secretsKey: randomBytes(32).toString('base64') })
  const setUrl = (sealedUrl: string) =>
    client.query(
      `update test_execution.execution set callback = jsonb_set(callback, '{sealedUrl}', $1) where context_id = 'twice'`,
      [JSON.stringify(sealedUrl)],
    )
  const environment = `from test_execution.artifact where id_space = 'environment' and id = 'lab'`
  const { rows } = await client.query(`select sealed ${environment}`)
  const setEnvironment = (sealed: object) =>
    client.query(
      `update test_execution.artifact set sealed = $1 where id_space = 'environment' and id = 'lab'`,
      [JSON.stringify(sealed)],
    )
  await setEnvironment({ ...rows[0].sealed, TOKEN: stranger.seal(SECRET) })
  const resealed: number[] = []
  const result = await resealAll(
    client,
    rotated,
    async (pass, counts) => {
      resealed.push(counts.reduce((sum, count) => sum + count.resealed, 0))
      // As an execution does that was planned before.
      if (pass === 1) await setUrl(former.seal(`${collector.url}/hook?token=${SECRET}`))
    },
    0,
  )
  expect(resealed.slice(1)).toEqual([1, 0, 0])
  expect(result).toEqual({
    isDone: true,
    unreadable: [
      {
        ...{ column: 'secrets of environments', key: 'environment lab' },
        reason: expect.stringContaining('SECRETS_KEY'),
      },
    ],
  })
  await setEnvironment(rows[0].sealed)
})

test('a worker with another key ends an execution with the reason, and runs what it can read', async () => {
  const back = createSecrets({ secretsKey: SECRETS_KEY, previousSecretsKey: NEW_KEY })
  await reseal(client, back)
  const unreadable = await executions.execute(null, 'secretive')
  const strange = createSecrets({ secretsKey: NEW_KEY }).seal('{}')
  await client.query('update test_execution.execution set credentials = $1 where id = $2', [
    strange,
    unreadable,
  ])
  await executions.startWorker()
  for (const { body } of await collector.received(2))
    expect(JSON.parse(body)).toMatchObject({ state: 'COMPLETED' })
  const result = await eventually(async () => {
    const { executionResult } = await executions.run(
      'query ($id: ID!) { executionResult(id: $id) { state errorCode message } }',
      { id: unreadable },
    )
    expect(executionResult.state).not.toBe('RUNNING')
    return executionResult
  })
  expect(result).toMatchObject({ state: 'ERROR', errorCode: 'SECRETS_UNREADABLE' })
  expect(executions.logged()).toMatch(/sealed with the key .{8}, which is not the present one/)
})
