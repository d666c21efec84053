import pg from 'pg'
import { type Collector, startCollector } from '../../support/collector.ts'
import {
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const SECRET = 'k3y-"4711"-and-more'

let product: RunningExecutions
let server: Collector
let pool: pg.Pool
beforeAll(async () => {
  server = await startCollector((response) => response.end('ok'))
  product = await runExecutions()
  pool = new pg.Pool({ connectionString: product.databaseUrl, max: 1 })
})
afterAll(async () => {
  await pool?.end()
  await product?.stop()
  await server?.stop()
})

const CREATE = `mutation ($environment: CreateEnvironmentInput!, $component: CreateComponentInput!, $testCase: CreateTestCaseInput!) {
  createEnvironment(input: $environment) { id }
  createComponent(input: $component) { id }
  createTestCase(input: $testCase) { id } }`

const RESULT = `query ($id: ID!) { executionResult(id: $id) {
  state message log report validationFailures { message actualValue datasetRow }
  steps { id: stepId path kind datasetRow name state message } } }`

/** Everything that is stored of it, of whatever table. */
const stored = async (table: string): Promise<string> =>
  JSON.stringify((await pool.query(`select * from ${table}`)).rows)

test('secrets and host credentials reach the steps, sealed until then, and nothing else', async () => {
  const environment = {
    id: 'stage',
    name: 'Stage',
    baseUrl: server.url,
    variables: { region: 'eu' },
    secrets: [{ name: 'API_KEY', value: SECRET }],
  }
  const steps = [
    {
      id: 'a',
      name: `with ${SECRET}`,
      http: { url: '/{{env.region}}', headers: { 'x-key': '{{env.API_KEY}}' } },
      expect: [{ path: '$.body', assert: 'equals', value: '{{env.API_KEY}}' }],
    },
  ]
  await product.run(CREATE, {
    environment,
    component: { id: 'c', name: 'c', sourceCode: '' },
    testCase: {
      id: 'uses-secrets',
      name: `Uses ${SECRET}`,
      componentUnderTest: 'c',
      environment: 'stage',
      scenario: { dataset: { rows: [{}] }, steps },
    },
  })
  const id = await product.execute(null, 'uses-secrets')
  const waiting = await pool.query('select snapshot, credentials from test_execution.execution')
  expect(waiting.rows).toEqual([
    {
      snapshot: expect.objectContaining({
        environment: expect.objectContaining({ sealed: { API_KEY: expect.any(String) } }),
      }),
      credentials: expect.any(String),
    },
  ])
  expect(JSON.stringify(waiting.rows[0].snapshot.environment)).not.toContain('4711')
  expect(waiting.rows[0].credentials).not.toContain(PASSWORD)

  // Later edits do not count any more.
  await product.run(
    'mutation ($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { id } }',
    { input: { id: 'stage', name: 'Stage', baseUrl: 'http://nowhere.example' } },
  )
  await product.startWorker()
  const [request] = await server.received(1)
  expect(request).toMatchObject({
    path: '/eu',
    headers: {
      'x-key': SECRET,
      authorization: `Basic ${Buffer.from(`tester:${PASSWORD}`).toString('base64')}`,
    },
  })

  let result = (await product.run(RESULT, { id })).executionResult
  while (result.state === 'RUNNING') result = (await product.run(RESULT, { id })).executionResult
  expect(result).toMatchObject({
    state: 'FAILED',
    steps: [
      { path: 'row[0]', kind: 'row', datasetRow: 0 },
      { id: 'a', path: 'row[0]/a', kind: 'http', datasetRow: 0, name: 'with ***' },
    ],
    validationFailures: [{ actualValue: 'ok', datasetRow: 0 }],
  })
  const ended = await pool.query('select snapshot, credentials from test_execution.execution')
  expect(ended.rows).toEqual([{ snapshot: null, credentials: null }])
  const { name: _, ...shown } = result
  const jobs = await stored('pgboss.job')
  expect(jobs).toContain('Uses ***')
  const everything = [
    JSON.stringify(shown),
    await stored('test_execution.execution_update'),
    jobs,
    product.logged(),
  ].join('\n')
  expect(everything).not.toContain(PASSWORD)
  expect(everything).not.toContain('4711')
})

test('a cancelled execution is torn down, too', async () => {
  const id = 'cleans-up'
  const scenario = {
    steps: [
      { id: 'begin', http: { method: 'POST', url: '/begin' } },
      { id: 'pause', wait: { ms: 60_000 } },
    ],
    teardown: [{ id: 'clean', http: { method: 'DELETE', url: '/begin' } }],
  }
  await product.run(CREATE, {
    environment: { id, name: id, baseUrl: server.url },
    component: { id, name: id, sourceCode: '' },
    testCase: { id, name: id, componentUnderTest: id, environment: id, scenario },
  })
  const execution = await product.execute(null, id)
  await server.received(1, ({ method }) => method === 'POST')
  await product.run(
    'mutation ($input: CancelExecutionInput!) { cancelExecution(input: $input) { state } }',
    { input: { id: execution } },
  )
  await server.received(1, ({ method, path }) => method === 'DELETE' && path === '/begin')
  expect((await product.run(RESULT, { id: execution })).executionResult).toMatchObject({
    state: 'ERROR',
    message: 'Cancelled by anonymous',
  })
})
