import { startOrm } from '../../../platform/database/orm.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { RetentionRepository } from '../../../subgraphs/test-execution/executions/end/retention.repository.ts'
import { ExecutionRepository } from '../../../subgraphs/test-execution/executions/execution.repository.ts'
import { resultsBudget } from '../../../subgraphs/test-execution/executions/read/results-budget.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import {
  type Data,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const XML = `<testsuites><testsuite>
  <testcase classname="Tax" name="low" time="0.25"/>
  <testcase classname="Tax" name="high"><failure message="3 &lt; 4"/></testcase>
  <testcase name="later"><skipped/></testcase>
  <testcase classname="Tax" name="odd"><error message="gone"/></testcase></testsuite></testsuites>`

const STORE = `mutation ($environment: CreateEnvironmentInput!, $testCase: CreateTestCaseInput!, $suite: CreateSuiteInput!) {
  createEnvironment(input: $environment) { id }
  createTestCase(input: $testCase) { id }
  createSuite(input: $suite) { id } }`

const RESULT = `id type contextId state started ended message errorCode executedBy useCodeCoverage
  validationFailures { name message stepId path assert expectedValue actualValue datasetRow }
  codeCoverage { componentName }`
const READ = `query ($id: ID!) { executionResult(id: $id) { ${RESULT} steps { path kind }
  testCaseResults { ${RESULT} testCaseResults { ${RESULT} testCaseResults { id } } } } }`

let executions: RunningExecutions
let collector: Collector
beforeAll(async () => {
  executions = await runExecutions()
  const reports = [{ format: 'junit', path: 'r.xml' }]
  const command = { program: 'sh', args: ['-c', 'cat > r.xml'], stdin: XML, reports }
  await executions.run(STORE, {
    environment: { id: 'here', name: 'Here', runners: ['COMMAND'] },
    testCase: {
      ...{ id: 'unit', name: 'Unit tests', componentUnderTest: 'tax-table', environment: 'here' },
      scenario: { steps: [{ id: 'tests', command }] },
    },
    suite: { id: 'all', name: 'All', testCases: ['unit'] },
  })
  await executions.startWorker()
  collector = await startCollector()
})
afterAll(async () => {
  await executions.stop()
  await collector.stop()
})

const read = async (id: string): Promise<Data> =>
  (await executions.run(READ, { id })).executionResult

async function ended(contextId: string): Promise<Data> {
  const id = await executions.execute(collector.url, contextId)
  await executions.delivery(id, ({ state }) => state === 'DELIVERED')
  return read(id)
}

const nested = {
  ...{ type: 'TEST', executedBy: 'tester', testCaseResults: [] },
  ...{ useCodeCoverage: false, codeCoverage: [] },
}

test('tests that a command reports are whole results inside of its result', async () => {
  const result = await ended('unit')
  expect(result).toMatchObject({ type: 'TEST', state: 'ERROR', errorCode: 'REPORTED_ERROR' })
  expect(result.testCaseResults).toMatchObject([
    { ...nested, contextId: 'Tax low', state: 'COMPLETED', message: '', validationFailures: [] },
    {
      ...{ ...nested, contextId: 'Tax high', state: 'FAILED', message: '3 < 4' },
      validationFailures: [
        { name: 'Tax high', message: '3 < 4', assert: 'test', stepId: 'test[1]' },
      ],
    },
    { ...nested, contextId: 'Tax odd', state: 'ERROR', errorCode: 'REPORTED_ERROR' },
  ])
  const [{ started, ended: end }] = result.testCaseResults
  expect(Date.parse(end) - Date.parse(started)).toBe(250)
})

test('the whole has a cause, and each of its tests none', async () => {
  const { id } = await ended('unit')
  const why = 'cause { fault } failingSince { first { id } }'
  const { executionResult } = await executions.run(
    `query ($id: ID!) { executionResult(id: $id) { ${why} testCaseResults { ${why} } } }`,
    { id },
  )
  expect(executionResult).toMatchObject({ cause: { fault: 'TEST' }, failingSince: { first: {} } })
  expect(executionResult.testCaseResults).toEqual(
    Array(3).fill({ cause: null, failingSince: null }),
  )
})

test('in JUnit only those of steps that count are failures', async () => {
  const stdin = '<testsuite><testcase name="high"><failure message="3"/></testcase></testsuite>'
  const reports = [{ format: 'junit', path: 'r.xml' }]
  const command = { program: 'sh', args: ['-c', 'cat > r.xml'], stdin, reports }
  const store = async (id: string, steps: object[]) => {
    const input = { id, name: id, environment: 'here', scenario: { steps } }
    await executions.run(
      'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
      { input },
    )
    const { id: result, state } = await ended(id)
    const { executionResult } = await executions.run(
      `{ executionResult(id: "${result}") { report(format: JUNIT) } }`,
    )
    return [state, /failures="(\d)" errors="\d" skipped="\d"/.exec(executionResult.report)?.[0]]
  }
  const lenient = [
    { id: 'optional', optional: true, command },
    { id: 'negative', negative: true, command },
  ]
  expect(await store('lenient', lenient)).toEqual([
    'COMPLETED',
    'failures="0" errors="0" skipped="2"',
  ])
  expect(await store('strict', [{ id: 'strict', command }])).toEqual([
    'FAILED',
    'failures="2" errors="0" skipped="0"',
  ])
})

test('each of them can be read by its own id, and neither watched for long nor cancelled', async () => {
  const { id, testCaseResults } = await ended('unit')
  for (const each of testCaseResults) {
    expect(await read(each.id)).toEqual({ ...each, steps: [] })
    const detail = `{ executionResult(id: "${each.id}") { context { __typename } log report callbackDeliveries { id } } }`
    expect((await executions.run(detail)).executionResult).toEqual({
      ...{ context: null, log: '', callbackDeliveries: [] },
      report: expect.stringContaining(each.contextId),
    })
    const updates = []
    for await (const update of executions.watch(
      'subscription ($id: ID!) { executionUpdated(id: $id) { execution { state } } }',
      { id: each.id },
    ))
      updates.push(update.executionUpdated)
    expect(updates).toEqual([{ execution: { state: each.state } }])
    const cancel = `mutation { cancelExecution(input: { id: "${each.id}" }) { id } }`
    expect(await executions.refused(cancel)).toEqual(['CONFLICT', expect.any(String)])
  }
  for (const unknown of [`${id}~2`, `${id}~9`, `${id}~`, `${id}~0~0`])
    expect(await read(unknown)).toBeNull()
})

test('they are in the result of a suite and in its callback, and stay when details go', async () => {
  const result = await ended('all')
  const [{ testCaseResults: tests }] = result.testCaseResults
  expect(tests).toHaveLength(3)
  const body = JSON.parse(collector.requests.at(-1)?.body ?? '')
  expect(body.testCaseResults[0].testCaseResults).toMatchObject(
    tests.map(({ id, state }: Data) => ({ id, state })),
  )
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  expect(
    await new RetentionRepository(orm.em).prune(new Date(Date.now() + 1), 100),
  ).toBeGreaterThan(0)
  await orm.close()
  expect((await read(result.id)).testCaseResults[0].testCaseResults).toEqual(tests)
})

test('a suite whose details are too large to be read still has its simple result and its callback', async () => {
  const suite = { id: 'sources', name: 'Sources', testCases: ['loan-schedule', 'loan-schedule'] }
  await executions.run(
    'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }',
    { input: suite },
  )
  const { id } = await ended('sources')
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const jobs = {} as Jobs // reads enqueue nothing
  const repository = new ExecutionRepository(orm.em, jobs, resultsBudget(100))
  const simple = { componentName: expect.any(String), coveragePercentage: expect.any(Number) }
  const briefly = { steps: [], codeCoverage: [{ ...simple, sourceCode: '', hitLines: [] }] }
  expect(await repository.findWithMembers(id)).toMatchObject({ members: [briefly, briefly] })
  await expect(repository.members(id, 'WHOLE')).rejects.toThrow('PAGE_BYTES')
  await orm.close()
})
