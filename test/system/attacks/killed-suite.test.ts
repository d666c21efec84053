import { createClient } from '../../bench/client.ts'
import { type Assay, startAssay } from '../../support/assay.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'

const SCENARIOS = 150
/** A lease ends 10 s after its last heartbeat, and then all scenarios run. */
const SECOND_RUN_MS = 120_000

let assay: Assay
let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
  assay = await startAssay({
    mode: 'in-process',
    env: { OUTBOUND_ALLOW: '127.0.0.0/8' },
  })
})
afterAll(async () => {
  await assay.stop()
  await collector.stop()
})

interface Suite {
  state: string
  progress: { scenarios: number; scenariosEnded: number }
  testCaseResults: { id: string; state: string; events: { timesSeen: number }[] }[]
  events: { timesSeen: number }[]
}

const RESULT = `query ($id: ID!) { executionResult(id: $id) { state progress { scenarios scenariosEnded }
  events { timesSeen } testCaseResults { id state events { timesSeen } } } }`

test('a suite whose process is killed between its batches ends once, with each scenario once', async () => {
  const client = createClient(assay.url)
  const graphql = <Answer>(source: string, variables: object) =>
    client.graphql<Answer>(source, variables)
  await graphql(
    `mutation ($testCase: CreateTestCaseInput!, $suite: CreateSuiteInput!) {
      createTestCase(input: $testCase) { id } createSuite(input: $suite) { id } }`,
    {
      testCase: { id: 'short', name: 'short', scenario: { steps: [{ id: 'w', wait: { ms: 5 } }] } },
      suite: { id: 's', name: 's', testCases: Array(SCENARIOS).fill('short'), maxParallel: 4 },
    },
  )
  const { execute } = await graphql<{ execute: { id: string } }>(
    'mutation ($input: ExecuteInput!) { execute(input: $input) { id } }',
    {
      input: {
        contextId: 's',
        callbackUrl: collector.url,
        credentials: { userId: 'tester', password: 'secret' },
      },
    },
  )
  const read = async () =>
    (await graphql<{ executionResult: Suite }>(RESULT, { id: execute.id })).executionResult
  await eventually(async () => {
    expect((await read()).progress.scenariosEnded).toBeGreaterThan(SCENARIOS / 4)
  })
  await assay.kill('server', 'SIGKILL')
  await assay.restart('server')
  await eventually(async () => {
    expect((await read()).state).not.toBe('RUNNING')
  }, SECOND_RUN_MS)

  await eventually(async () => {
    const { events, testCaseResults, ...suite } = await read()
    expect(suite).toEqual({
      state: 'COMPLETED',
      progress: { scenarios: SCENARIOS, scenariosEnded: SCENARIOS },
    })
    expect(testCaseResults.map(({ state }) => state)).toEqual(Array(SCENARIOS).fill('COMPLETED'))
    expect(events).toEqual([{ timesSeen: 1 }])
    expect(testCaseResults.map((each) => each.events)).toEqual(
      Array(SCENARIOS).fill([{ timesSeen: SCENARIOS }]),
    )
  }, SECOND_RUN_MS)
  expect(await collector.received(1)).toHaveLength(1)
})
