import { type Collector, startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
let server: Collector
beforeAll(async () => {
  server = await startCollector()
  server.answer((response, _, { path }) => {
    asked.push(path)
    const isDown = path.includes('/bad') || (path.includes('/flaky') && isFirst(path))
    response
      .writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' })
      .end(`{"id":9007199254740993,"token":${JSON.stringify(`token for ${path}`)}}`)
  })
  executions = await runExecutions()
  await executions.startWorker()
  for (const id of ['a', 'b'])
    await executions.run(
      'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
      { input: { id, name: `Environment ${id}`, baseUrl: `${server.url}/${id}` } },
    )
  for (const [id, more] of Object.entries(SCENARIOS)) await store(id, more)
})
afterAll(() => Promise.all([executions.stop(), server.stop()]))
beforeEach(() => {
  asked.length = 0
})

/** Paths of requests, in order. */
const asked: string[] = []
const isFirst = (path: string) => asked.filter((each) => each === path).length === 1

const SCENARIOS: Record<string, object> = {
  good: { tags: ['smoke'] },
  fine: { tags: ['smoke', 'slow'] },
  bad: {},
  flaky: { retries: 2 },
  hopeless: { retries: 1, scenario: { steps: [{ id: 'only', http: { url: '/bad/2' } }] } },
  known: { quarantine: true, scenario: { steps: [{ id: 'only', http: { url: '/bad/3' } }] } },
  login: {
    scenario: {
      steps: [{ id: 'only', http: { url: '/login' }, capture: { token: '$.body.token' } }],
    },
  },
  // So long that the scenarios behind it do not share a job.
  longLogin: {
    scenario: {
      steps: [
        { id: 'only', http: { url: '/login' }, capture: { token: '$.body.token' } },
        { id: 'pause', wait: { ms: 400 } },
      ],
    },
  },
  uses: { scenario: { steps: [{ id: 'only', http: { url: '/uses/{{setup.token}}' } }] } },
  needsBad: { needs: ['bad'] },
  needsKnown: { needs: ['known'] },
  both: { needs: ['known'], quarantine: true },
  needsThat: { needs: ['needsBad', 'good'] },
  needsGood: { needs: ['good'] },
}

async function store(id: string, more: object): Promise<void> {
  const scenario = { steps: [{ id: 'only', http: { url: `/${id}` } }] }
  await executions.run(
    'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    { input: { id, name: `Scenario ${id}`, environment: 'a', scenario, ...more } },
  )
}

const RESULT = `id state message errorCode isFlaky isQuarantined log
  tries { state message errorCode steps { id: stepId state message } }
  skippedScenarios { name reason } progress { scenarios scenariosEnded }`
const EXECUTE = `mutation ($input: ExecuteInput!) {
  execute(input: $input) { ${RESULT} report(format: JUNIT) testCaseResults { contextId contextName environmentId ${RESULT} } } }`

const READ = `query ($id: ID!) { executionResult(id: $id) { ${RESULT} testCaseResults { contextId ${RESULT} } } }`
const CANCEL = `mutation ($input: CancelExecutionInput!) {
  cancelExecution(input: $input) { ${RESULT} testCaseResults { contextId ${RESULT} } } }`

const credentials = { userId: 'tester', password: PASSWORD }

const execute = async (contextId: string, options: object = {}): Promise<Data> =>
  (await executions.run(EXECUTE, { input: { contextId, credentials, wait: true, ...options } }))
    .execute

let suites = 0
async function run(testCases: string[], settings = {}, options = {}): Promise<Data> {
  suites += 1
  const input = { id: `rules-${suites}`, name: `Rules ${suites}`, testCases, ...settings }
  await executions.run(
    'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }',
    { input },
  )
  return execute(input.id, options)
}

const states = ({ testCaseResults }: Data) =>
  testCaseResults.map(({ contextId, state }: Data) => `${contextId} ${state}`)

test('a scenario with retries runs again as a whole; one that then succeeds is flaky', async () => {
  const result = await execute('flaky')
  expect(result).toMatchObject({ state: 'COMPLETED', isFlaky: true, message: '' })
  expect(result.tries).toEqual([
    {
      ...{ state: 'FAILED', errorCode: null, message: expect.stringContaining('503') },
      steps: [{ id: 'only', state: 'FAILED', message: expect.stringContaining('503') }],
    },
  ])
  expect(result.log).toMatch(/ WARN Execution {2}Try 1 of 3 FAILED: /)
  expect(asked).toEqual(['/a/flaky', '/a/flaky'])
  expect(result.report).toMatch(/<flakyFailure message="[^"]*503/)
  expect(result.report).toContain('failures="0"')
})

test('without a good try the last one is the result, and all are kept', async () => {
  const result = await execute('hopeless')
  expect(result).toMatchObject({ state: 'FAILED', isFlaky: false, tries: [{ state: 'FAILED' }] })
  expect(asked).toHaveLength(2)
  expect(result.report).toMatch(/<failure [\s\S]*<rerunFailure message="[^"]*503/)
})

test('what fails in quarantine makes no suite fail, and keeps nothing from running', async () => {
  const result = await run(['known', 'good'], { haltAtFailure: true })
  expect(states(result)).toEqual(['known FAILED', 'good COMPLETED'])
  expect(result).toMatchObject({
    state: 'COMPLETED',
    message: '1 of 2 scenarios did not succeed in quarantine',
    progress: { scenarios: 2, scenariosEnded: 2 },
  })
  expect(result.testCaseResults).toMatchObject([{ isQuarantined: true }, { isQuarantined: false }])
  expect(result.report).toMatch(/<skipped message="Quarantined: [^"]*503/)
})

test.each([
  ['a need', ['known', 'needsKnown'], {}],
  ['the setup', ['good'], { setup: 'known' }],
])(
  '%s that fails in quarantine fails the suite whose scenarios needed it',
  async (_, scenarios, settings) => {
    const result = await run(scenarios, settings)
    expect(states(result)).toEqual(['known FAILED'])
    const message = '1 of 2 scenarios did not succeed in quarantine, 1 did not run'
    expect(result).toMatchObject({ state: 'FAILED', message })
    expect(result.report).toContain('tests="3" failures="1" errors="0" skipped="2"')
    expect(result.report).toContain(`<failure message="${message}"`)
  },
)

test('a scenario in quarantine that is skipped fails no suite', async () => {
  expect(await run(['known', 'both'])).toMatchObject({ state: 'COMPLETED' })
})

test('a scenario whose need did not succeed is skipped with the reason, and so is what needs it', async () => {
  const result = await run(['needsThat', 'needsBad', 'bad', 'needsGood', 'good'])
  expect(states(result)).toEqual(['bad FAILED', 'needsGood COMPLETED', 'good COMPLETED'])
  expect(result.skippedScenarios).toEqual([
    { name: 'Scenario needsThat', reason: 'It needs Scenario bad, which is FAILED' },
    { name: 'Scenario needsBad', reason: 'It needs Scenario bad, which is FAILED' },
  ])
  expect(asked).toEqual(['/a/bad', '/a/good', '/a/needsGood'])
  expect(result.message).toBe('1 of 5 scenarios failed, 2 did not run')
  expect(result.log).toContain('Scenario needsBad SKIPPED: It needs Scenario bad, which is FAILED')
  expect(result.report).toContain('<skipped message="It needs Scenario bad, which is FAILED"/>')
})

test('a need outside of the suite counts for nothing', async () => {
  expect(states(await run(['needsBad', 'good']))).toEqual(['needsBad COMPLETED', 'good COMPLETED'])
})

test('scenarios that need each other in a circle are refused', async () => {
  await store('first', {})
  await store('second', { needs: ['first'] })
  const update = executions.refused(
    'mutation ($input: UpdateTestCaseInput!) { updateTestCase(input: $input) { id } }',
    {
      input: {
        ...{ id: 'first', name: 'first', needs: ['second'] },
        scenario: { steps: [{ id: 'a', wait: { ms: 1 } }] },
      },
    },
  )
  expect(await update).toEqual(['BAD_USER_INPUT', 'needs: the testcase first names itself'])
})

test('a setup runs first and hands its captures on; the teardown runs last', async () => {
  const result = await run(['uses', 'good'], { setup: 'login', teardown: 'fine', maxParallel: 4 })
  expect(result.state).toBe('COMPLETED')
  expect(states(result)[0]).toBe('login COMPLETED')
  expect(states(result)[3]).toBe('fine COMPLETED')
  expect(asked[0]).toBe('/a/login')
  expect(asked).toContain('/a/uses/token%20for%20/a/login')
  expect(asked[3]).toBe('/a/fine')
})

test('scenarios read integers that a double would change as the setup captured them', async () => {
  await store('ids', {
    scenario: { steps: [{ id: 'only', http: { url: '/ids' }, capture: { ids: '$.body' } }] },
  })
  await store('order', {
    scenario: { steps: [{ id: 'only', http: { url: '/orders/{{setup.ids.id}}' } }] },
  })
  expect(await run(['order'], { setup: 'ids' })).toMatchObject({ state: 'COMPLETED' })
  expect(asked).toEqual(['/a/ids', '/a/orders/9007199254740993'])
})

test('a setup that fails keeps all others from running, but not the teardown', async () => {
  const result = await run(['good', 'fine'], {
    setup: 'bad',
    teardown: 'login',
    haltAtFailure: true,
  })
  expect(states(result)).toEqual(['bad FAILED', 'login COMPLETED'])
  expect(result).toMatchObject({
    state: 'FAILED',
    skippedScenarios: [
      { name: 'Scenario good', reason: 'It needs Scenario bad, which is FAILED' },
      { name: 'Scenario fine', reason: 'It needs Scenario bad, which is FAILED' },
    ],
  })
})

test('a suite with environments runs all of it once in each', async () => {
  const result = await run(['uses', 'good'], { setup: 'login', environments: ['a', 'b'] })
  expect(
    result.testCaseResults.map(({ contextName, environmentId }: Data) => [
      contextName,
      environmentId,
    ]),
  ).toEqual([
    ['Scenario login [a]', 'a'],
    ['Scenario uses [a]', 'a'],
    ['Scenario good [a]', 'a'],
    ['Scenario login [b]', 'b'],
    ['Scenario uses [b]', 'b'],
    ['Scenario good [b]', 'b'],
  ])
  expect(result.state).toBe('COMPLETED')
  expect(asked).toContain('/b/uses/token%20for%20/b/login')
})

test('tags choose scenarios of a suite, and others skip them', async () => {
  const all = ['good', 'fine', 'login']
  expect(states(await run(all, {}, { tags: ['smoke'] }))).toEqual([
    'good COMPLETED',
    'fine COMPLETED',
  ])
  expect(states(await run(all, {}, { skipTags: ['slow'] }))).toEqual([
    'good COMPLETED',
    'login COMPLETED',
  ])
  expect(
    await executions.refused(EXECUTE, {
      input: { contextId: `rules-${suites}`, credentials, tags: ['none'] },
    }),
  ).toEqual([
    'CONFLICT',
    `No testcase of the suite rules-${suites} has the tags that are asked for`,
  ])
})

test('a suite that is cancelled ends with its teardown, which reads what the setup captured', async () => {
  await store('slow', { scenario: { steps: [{ id: 'only', wait: { ms: 60_000 } }] } })
  const started = await run(
    ['slow', 'good'],
    { setup: 'longLogin', teardown: 'uses' },
    { wait: false },
  )
  const read = async (id: string = started.id) =>
    (await executions.run(READ, { id })).executionResult as Data
  await eventually(async () => expect(states(await read())).toContain('slow RUNNING'))
  const cancelled = await executions.run(CANCEL, { input: { id: started.id, reason: 'enough' } })
  expect(cancelled.cancelExecution.testCaseResults).toMatchObject([
    { contextId: 'longLogin', state: 'COMPLETED' },
    { contextId: 'slow', state: 'ERROR', errorCode: 'CANCELLED' },
    { contextId: 'uses' },
  ])
  await eventually(async () => expect((await read()).state).not.toBe('RUNNING'))
  const result = await read()
  expect(states(result)).toEqual(['longLogin COMPLETED', 'slow ERROR', 'uses COMPLETED'])
  expect(result).toMatchObject({
    ...{ state: 'ERROR', errorCode: 'CANCELLED', message: 'Cancelled by anonymous: enough' },
    skippedScenarios: [{ name: 'Scenario good', reason: 'The suite ended before it began' }],
  })
  expect(asked).toEqual(['/a/login', '/a/uses/token%20for%20/a/login'])
})

test('the teardown of a suite waits for those of scenarios that a cancel cut off', async () => {
  const teardown = [
    { id: 'clean', wait: { ms: 1_500 } },
    { id: 'closed', http: { url: '/closed' } },
  ]
  await store('cleansUp', { scenario: { steps: [{ id: 'only', wait: { ms: 60_000 } }], teardown } })
  for (const which of ['suite', 'scenario']) {
    asked.length = 0
    const started = await run(['cleansUp'], { teardown: 'fine' }, { wait: false })
    const read = async () => (await executions.run(READ, { id: started.id })).executionResult
    const begun = async () => {
      const { testCaseResults } = await read()
      expect(testCaseResults[0].log).not.toBe('')
      return testCaseResults[0].id
    }
    const scenario = await eventually(begun)
    await executions.run(CANCEL, { input: { id: which === 'suite' ? started.id : scenario } })
    await eventually(async () => expect((await read()).state).toBe('ERROR'))
    expect([which, ...asked]).toEqual([which, '/a/closed', '/a/fine'])
  }
})

test('a teardown that does not end is cancelled by its own id', async () => {
  const started = await run(['slow'], { teardown: 'slow' }, { wait: false })
  const cancel = (id: string) => ({ input: { id } })
  const { cancelExecution } = await executions.run(CANCEL, cancel(started.id))
  expect(cancelExecution.state).toBe('RUNNING')
  expect(await executions.refused(CANCEL, cancel(started.id))).toEqual([
    'CONFLICT',
    `The execution ${started.id} is cancelled and ends with its teardown, which can be cancelled by its own id`,
  ])
  await executions.run(CANCEL, cancel(cancelExecution.testCaseResults[1].id))
  const { executionResult } = await executions.run(READ, { id: started.id })
  expect(executionResult).toMatchObject({ state: 'ERROR', message: 'Cancelled by anonymous' })
})
