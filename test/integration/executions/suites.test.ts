import { type Collector, startCollector } from '../../support/collector.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
let collector: Collector
beforeAll(async () => {
  executions = await runExecutions()
  collector = await startCollector()
  await executions.run(STORE, {
    component: {
      id: 'switch',
      name: 'A switch',
      sourceCode: `let on = false
        export function set(to) {
          on = to
          return on
        }
        export function broken() { throw new Error('no light') }`,
    },
    environment: { id: 'lab', name: 'Lab' },
  })
  for (const [id, step] of Object.entries(STEPS)) {
    const testCase = { id, name: `Scenario ${id}`, scenario: { steps: [{ id: 'only', ...step }] } }
    await executions.run(CREATE_TEST, {
      input: { ...testCase, componentUnderTest: 'switch', environment: 'lab' },
    })
  }
  await executions.startWorker()
})
afterAll(async () => {
  await executions.stop()
  await collector.stop()
})

const on = { call: { function: 'set', args: [true] }, expect: [{ assert: 'equals', value: true }] }
const STEPS = {
  good: on,
  fine: { ...on, call: { function: 'set', args: [true] } },
  bad: { ...on, call: { function: 'set', args: [false] } },
  broken: { call: { function: 'broken' } },
  slow: { wait: { ms: 150 } },
}

const STORE = `mutation ($component: CreateComponentInput!, $environment: CreateEnvironmentInput!) {
  createComponent(input: $component) { id }
  createEnvironment(input: $environment) { id } }`
const CREATE_TEST =
  'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const CREATE_SUITE = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'

const RESULT = `id type contextId state started ended message errorCode executedBy log
  codeCoverage { componentName coveragePercentage executionCount }
  progress { queuePosition scenarios scenariosEnded }
  testCaseResults { id type contextId state started ended message suiteResult { id } }`
const EXECUTE = `mutation ($input: ExecuteInput!) { execute(input: $input) { ${RESULT} } }`
const EXECUTE_COMPONENT = `mutation ($input: ExecuteComponentInput!) {
  executeComponent(input: $input) { ${RESULT} context { ... on Suite { id name testCases { id } } } } }`

const credentials = { userId: 'tester', password: PASSWORD }

let suites = 0
/** Stores a suite and executes it to its end. */
async function run(testCases: string[], settings = {}, options = {}): Promise<Data> {
  suites += 1
  const input = { id: `suite-${suites}`, name: `Suite ${suites}`, testCases, ...settings }
  await executions.run(CREATE_SUITE, { input })
  const request = { contextId: input.id, credentials, wait: true, ...options }
  return (await executions.run(EXECUTE, { input: request })).execute
}

const contexts = ({ testCaseResults }: Data) =>
  testCaseResults.map(({ contextId, state }: Data) => `${contextId} ${state}`)

test('the scenarios of a suite run one after the other, each with a result of its own', async () => {
  const result = await run(['good', 'slow', 'fine'])
  expect(result).toMatchObject({
    type: 'SUITE',
    contextId: 'suite-1',
    state: 'COMPLETED',
    message: '',
    errorCode: null,
    executedBy: 'tester',
    progress: { queuePosition: null, scenarios: 3, scenariosEnded: 3 },
  })
  expect(contexts(result)).toEqual(['good COMPLETED', 'slow COMPLETED', 'fine COMPLETED'])
  const [good, slow, fine] = result.testCaseResults
  expect(good.ended <= slow.started && slow.ended <= fine.started).toBe(true)
  expect(fine.ended <= result.ended).toBe(true)
  expect(new Set(result.testCaseResults.map(({ id }: Data) => id)).size).toBe(3)
  for (const member of result.testCaseResults) {
    expect(member).toMatchObject({ type: 'TEST', suiteResult: { id: result.id } })
    const { executionResult } = await executions.run(
      `{ executionResult(id: "${member.id}") { contextId state log } }`,
    )
    expect(executionResult).toMatchObject({ contextId: member.contextId, state: 'COMPLETED' })
    expect(executionResult.log).toContain('COMPLETED')
  }
  expect(result.log).toMatch(/ INFO Suite {2}Scenario good starts\n/)
  expect(result.log).toMatch(/ INFO Suite {2}Scenario fine COMPLETED \(\d+ ms\)\n/)
})

test('lines that one scenario ran and another did not are merged', async () => {
  const { codeCoverage } = await run(['good', 'broken'])
  const [alone] = (await run(['good'])).codeCoverage
  expect(codeCoverage).toEqual([
    { componentName: 'A switch', coveragePercentage: 100, executionCount: 2 },
  ])
  expect(alone).toEqual({
    componentName: 'A switch',
    coveragePercentage: expect.any(Number),
    executionCount: 1,
  })
  expect(alone.coveragePercentage).toBeLessThan(100)
})

test.each([
  [['good', 'bad', 'fine'], 'FAILED', '1 of 3 scenarios failed'],
  [['broken', 'bad', 'good'], 'ERROR', '1 of 3 scenarios ended in error, 1 failed'],
])('%j ends %s', async (testCases, state, message) => {
  const result = await run(testCases)
  expect(result).toMatchObject({ state, message })
  expect(result.testCaseResults).toHaveLength(testCases.length)
})

test('with haltAtFailure the rest never begins', async () => {
  const result = await run(['good', 'bad', 'fine', 'slow'], { haltAtFailure: true })
  expect(result).toMatchObject({
    state: 'FAILED',
    message: '1 of 4 scenarios failed, 2 did not run',
    progress: { scenarios: 4, scenariosEnded: 2 },
  })
  expect(contexts(result)).toEqual(['good COMPLETED', 'bad FAILED'])
  const { executionResult } = await executions.run(
    'query ($id: ID!) { executionResult(id: $id) { report(format: JUNIT) } }',
    { id: result.id },
  )
  expect(executionResult.report).toContain('tests="4" failures="1" errors="0" skipped="2"')
  expect(executionResult.report).toMatch(
    /name="Scenario bad"[\s\S]*name="Scenario fine"[^>]*>\s*<skipped[\s\S]*name="Scenario slow"/,
  )
})

test('so many run at a time as maxParallel allows, also a scenario that stands there twice', async () => {
  const { testCaseResults } = await run(['slow', 'slow', 'slow', 'slow'], { maxParallel: 2 })
  const [first, second, third, fourth] = testCaseResults
  expect(first.started).toBe(second.started)
  const nextEnds = (results: Data[], at: number) =>
    Date.parse(results.map(({ ended }) => ended).sort()[at])
  // Time between ends that count as one: either may begin the last scenario.
  const TOGETHER_MS = 20
  expect(Date.parse(third.started)).toBeGreaterThan(nextEnds([first, second], 0) - TOGETHER_MS)
  expect(Date.parse(fourth.started)).toBeGreaterThan(
    nextEnds([first, second, third], 1) - TOGETHER_MS,
  )
})

test('a suite runs on what was stored when it was accepted', async () => {
  const { execute } = await executions.run(EXECUTE, {
    input: { contextId: 'finance', credentials, type: 'SUITE' },
  })
  expect(execute).toMatchObject({ state: 'RUNNING', ended: null, message: null, codeCoverage: [] })
  await executions.run('mutation { deleteSchedule(id: "nightly") }') // it names the suite
  await executions.run('mutation { deleteSuite(id: "finance") }')
  const updates: Data[] = []
  for await (const { executionUpdated } of executions.watch(WATCH, { id: execute.id }))
    updates.push(executionUpdated)
  expect(updates.at(-1).execution).toMatchObject({ state: 'FAILED', context: null })
  const steps = updates.flatMap(({ step }) => (step ? [`${step.name} ${step.state}`] : []))
  const loan = 'A loan over 12 months is repaid to the cent'
  const tax = "Income tax follows this year's table"
  expect(steps.toSorted()).toEqual(
    [`${loan} RUNNING`, `${loan} COMPLETED`, `${tax} RUNNING`, `${tax} FAILED`].toSorted(),
  )
  const lines = updates.flatMap(({ log }) => log ?? [])
  expect(lines).toHaveLength(4)
})

const WATCH = `subscription ($id: ID!) { executionUpdated(id: $id, after: "") {
  kind step { id: stepId name state } log execution { state context { __typename } } } }`

test('the callback of a suite tells the results of its scenarios, and theirs are told nowhere', async () => {
  const before = collector.requests.length
  const { id } = await run(['good', 'bad'], {}, { callbackUrl: collector.url })
  const [request] = (await collector.received(before + 1)).slice(before)
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    id,
    type: 'SUITE',
    state: 'FAILED',
    testCaseResults: [
      { type: 'TEST', contextId: 'good', state: 'COMPLETED', testCaseResults: [] },
      { type: 'TEST', contextId: 'bad', state: 'FAILED', validationFailures: [{ stepId: 'only' }] },
    ],
  })
  expect(collector.requests).toHaveLength(before + 1)
})

test('reports show the suite with its scenarios', async () => {
  const { id } = await run(['good', 'bad'])
  const { executionResult } = await executions.run(
    `{ executionResult(id: "${id}") { xa: report junit: report(format: JUNIT) } }`,
  )
  expect(executionResult.xa).toMatch(/<XaSuiteResult resultType="FAILURE"/)
  expect(executionResult.xa.match(/<XaUnitResult /g)).toHaveLength(2)
  expect(executionResult.junit).toMatch(/<testsuite [^>]*tests="2" failures="1"/)
})

test('an empty suite is refused, and so is one without the credentials that a scenario needs', async () => {
  const request = { contextId: 'good', wait: true }
  await executions.run(CREATE_SUITE, { input: { id: 'empty', name: 'Empty', testCases: [] } })
  expect(
    await executions.refused(EXECUTE, { input: { ...request, contextId: 'empty', credentials } }),
  ).toEqual(['CONFLICT', expect.stringContaining('empty')])
  expect(await executions.refused(EXECUTE, { input: request })).toEqual([
    'FORBIDDEN',
    expect.stringContaining('good'),
  ])
  for (const [contextId, type] of Object.entries({ good: 'SUITE', empty: 'TEST', none: null }))
    expect(await executions.refused(EXECUTE, { input: { contextId, type, credentials } })).toEqual([
      'NOT_FOUND',
      expect.stringContaining(contextId),
    ])
})

describe('all scenarios of a component', () => {
  const input = { componentName: 'A switch', environmentId: 'lab', credentials, wait: true }
  const execute = async () => (await executions.run(EXECUTE_COMPONENT, { input })).executeComponent

  test('run as one suite that is generated once and brought up to date', async () => {
    const [first, same] = await Promise.all([execute(), execute()])
    expect(first).toMatchObject({ contextId: 'component_switch', type: 'SUITE', state: 'ERROR' })
    expect(first.context.name).toBe('A switch in Lab')
    const members = ['bad', 'broken', 'fine', 'good', 'slow']
    expect(first.testCaseResults.map(({ contextId }: Data) => contextId)).toEqual(members)
    expect(same.contextId).toBe(first.contextId)
    expect(same.id).not.toBe(first.id)

    const another = {
      id: 'another',
      name: 'Scenario another',
      scenario: { steps: [{ id: 'w', wait: { ms: 1 } }] },
    }
    await executions.run(CREATE_TEST, {
      input: { ...another, componentUnderTest: 'switch', environment: 'lab' },
    })
    const later = await execute()
    expect(later.contextId).toBe(first.contextId)
    expect(later.context.testCases.map(({ id }: Data) => id)).toEqual(['another', ...members])
  })

  test('of another environment are another suite', async () => {
    await executions.run(
      'mutation { createEnvironment(input: { id: "field", name: "Field" }) { id } }',
    )
    const refused = { ...input, environmentId: 'field' }
    expect(await executions.refused(EXECUTE_COMPONENT, { input: refused })).toEqual([
      'NOT_FOUND',
      'No testcase tests the component switch in the environment field',
    ])
    const outside = {
      id: 'outside',
      name: 'Outside',
      scenario: { steps: [{ id: 'w', wait: { ms: 1 } }] },
    }
    await executions.run(CREATE_TEST, {
      input: { ...outside, componentUnderTest: 'switch', environment: 'field' },
    })
    const { executeComponent } = await executions.run(EXECUTE_COMPONENT, { input: refused })
    expect(executeComponent).toMatchObject({
      contextId: 'component_switch~field',
      state: 'COMPLETED',
      testCaseResults: [{ contextId: 'outside' }],
    })
  })

  test.each([
    ['A swi*', 'lab'],
    ['A switch', 'l*'],
    ['\u0000', 'lab'],
  ])('%j in %j is not there', async (componentName, environmentId) => {
    const [code] = await executions.refused(EXECUTE_COMPONENT, {
      input: { ...input, componentName, environmentId },
    })
    expect(code).toBe('NOT_FOUND')
  })
})
