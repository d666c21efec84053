import pg from 'pg'
import { IN_USE } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { descendantsOf, survivorsOf } from '../../support/process-tree.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
  await executions.run(STORE, {
    component: { id: 'c', name: 'C', sourceCode: SOURCE },
    testCase: {
      ...{ id: 'endless', name: 'Endless', componentUnderTest: 'c' },
      scenario: { steps: [{ id: 'loop', call: { function: 'endless' } }] },
    },
    tornDown: {
      ...{ id: 'torn-down', name: 'Torn down', componentUnderTest: 'c' },
      scenario: {
        setup: [{ id: 'open', wait: { ms: 0 } }],
        steps: [
          { id: 'loop', call: { function: 'endless' } },
          { id: 'never', wait: { ms: 0 } },
        ],
        teardown: [{ id: 'close', call: { function: 'close' } }],
      },
    },
    tearsDown: {
      ...{ id: 'tears-down', name: 'Tears down', componentUnderTest: 'c' },
      scenario: {
        steps: [{ id: 'open', wait: { ms: 0 } }],
        teardown: [
          { id: 'stays', wait: { ms: 2_500 } },
          { id: 'close', call: { function: 'close' } },
        ],
      },
    },
    waits: {
      ...{ id: 'waits', name: 'Waits', componentUnderTest: 'c' },
      scenario: { steps: [{ id: 'pause', wait: { ms: 600_000 } }] },
    },
    suite: { id: 'both', name: 'Both', testCases: ['endless', 'loan-schedule'] },
  })
  // Two slots.
  await executions.startWorker()
})
afterAll(() => executions.stop())
// A process that ended a run may be kept for a further one; it is in use no more.
afterEach(() => eventually(async () => expect(await sandboxes()).toEqual([])))

const SOURCE = `
export function endless() { for (;;); }
export function close() { console.log('closed') }`
const STORE = `mutation ($component: CreateComponentInput!, $testCase: CreateTestCaseInput!, $tornDown: CreateTestCaseInput!, $tearsDown: CreateTestCaseInput!, $waits: CreateTestCaseInput!, $suite: CreateSuiteInput!) {
  createComponent(input: $component) { id }
  createTestCase(input: $testCase) { id }
  tornDown: createTestCase(input: $tornDown) { id }
  tearsDown: createTestCase(input: $tearsDown) { id }
  waits: createTestCase(input: $waits) { id }
  createSuite(input: $suite) { id } }`
const RESULT = `id state ended message errorCode log steps { id: stepId state message durationMs }
  progress { queuePosition } testCaseResults { id contextId state errorCode }`
const CANCEL = `mutation ($input: CancelExecutionInput!) { cancelExecution(input: $input) { ${RESULT} } }`
const READ = `query ($id: ID!) { executionResult(id: $id) { ${RESULT} } }`
const WATCH =
  'subscription ($id: ID!) { executionUpdated(id: $id, after: "") { step { id: stepId state } execution { state } } }'

const sandboxes = async () =>
  (await descendantsOf([process.pid])).filter(({ command }) => command.startsWith(IN_USE))

const cancel = async (id: string, reason?: string): Promise<Data> =>
  (await executions.run(CANCEL, { input: { id, reason } })).cancelExecution
const read = async (id: string): Promise<Data> =>
  (await executions.run(READ, { id })).executionResult
const cancelled = (message = 'Cancelled by anonymous') => ({
  state: 'ERROR',
  errorCode: 'CANCELLED',
  message,
  ended: expect.any(String),
})

/** Reads the result once the last step of its teardown shows. */
async function readTornDown(id: string) {
  for (;;) {
    const result = await read(id)
    if (result.steps.at(-1).id === 'close') return result
  }
}

/** Executes a scenario, and returns when a step of it runs. */
async function startRunning(contextId: string): Promise<string> {
  const id = await executions.execute(null, contextId)
  for await (const { executionUpdated } of executions.watch(WATCH, { id }))
    if (executionUpdated.step?.state === 'RUNNING' && executionUpdated.step.id !== 'open') break
  return id
}

/** Executes a component that never ends by itself, and returns when it runs. */
async function startEndless(contextId = 'endless'): Promise<string> {
  const id = await startRunning(contextId)
  while ((await sandboxes()).length === 0) await new Promise(setImmediate)
  return id
}

/** Cancels what runs. @returns after how many milliseconds its processes were dead */
async function msToEnd(): Promise<number> {
  const id = await startEndless()
  const children = await sandboxes()
  const begin = Date.now()
  expect(await cancel(id, 'took too long')).toMatchObject({
    ...cancelled('Cancelled by anonymous: took too long'),
    steps: [{ id: 'loop', state: 'ERROR', durationMs: expect.any(Number) }],
    log: expect.stringMatching(/ ERROR Execution {2}Cancelled by anonymous: took too long\n$/),
  })
  expect(await survivorsOf(children)).toEqual([])
  return Date.now() - begin
}

test('what runs is ended at once, and its processes are dead within two seconds', async () => {
  let least = await msToEnd()
  // A busy machine delays one or the other.
  for (let again = 0; again < 2 && least > 2_000; again++) least = Math.min(least, await msToEnd())
  expect(least).toBeLessThanOrEqual(2_000)
})

test('the teardown of what is cancelled runs, and shows in the result', async () => {
  const id = await startEndless('torn-down')
  await cancel(id)
  expect(await readTornDown(id)).toMatchObject({
    ...cancelled(),
    steps: [
      { id: 'open', state: 'COMPLETED' },
      { id: 'loop', state: 'ERROR', message: 'Cancelled by anonymous' },
      { id: 'never', state: 'SKIPPED' },
      { id: 'close', state: 'COMPLETED' },
    ],
    log: expect.stringMatching(/ Cancelled by anonymous\n(.*\n)*.* INFO C {2}closed\n/),
  })
  const updates = []
  for await (const { executionUpdated } of executions.watch(WATCH, { id }))
    updates.push(executionUpdated)
  expect(updates.at(-1)).toEqual({ step: null, execution: { state: 'ERROR' } })
})

/** All changes of steps, also those behind the end. */
async function stepsShown(id: string): Promise<string[]> {
  const shown: string[] = []
  let after = ''
  for (let hasMore = true; hasMore; ) {
    hasMore = false
    const query =
      'subscription ($id: ID!, $after: String) { executionUpdated(id: $id, after: $after) { cursor step { id: stepId state } } }'
    for await (const { executionUpdated } of executions.watch(query, { id, after })) {
      const { cursor, step } = executionUpdated
      hasMore = true
      after = cursor
      if (step) shown.push(`${step.id} ${step.state}`)
    }
  }
  return shown
}

test('the teardown goes on to its end where the cancel comes while it runs', async () => {
  const id = await executions.execute(null, 'tears-down')
  for await (const { executionUpdated } of executions.watch(WATCH, { id }))
    if (executionUpdated.step?.id === 'stays') break
  expect(await cancel(id)).toMatchObject({
    ...cancelled(),
    steps: [
      { id: 'open', state: 'COMPLETED' },
      { id: 'stays', state: 'ERROR', message: 'Cancelled by anonymous' },
    ],
  })
  expect(await readTornDown(id)).toMatchObject({
    ...cancelled(),
    steps: [
      { id: 'open', state: 'COMPLETED' },
      { id: 'stays', state: 'COMPLETED', message: '' },
      { id: 'close', state: 'COMPLETED' },
    ],
    log: expect.stringMatching(/ Cancelled by anonymous\n(.*\n)*.* INFO C {2}closed\n/),
  })
  expect((await stepsShown(id)).filter((step) => !step.startsWith('open'))).toEqual([
    'stays RUNNING',
    'stays ERROR',
    'stays COMPLETED',
    'close RUNNING',
    'close COMPLETED',
  ])
})

test('what waits shows its place, and never starts', async () => {
  // They keep both slots, and no processor.
  const running = [await startRunning('waits'), await startRunning('waits')]
  const waiting: string[] = []
  for (let n = 0; n < 3; n++) waiting.push(await executions.execute(null))
  const places = async () =>
    (await Promise.all([...running, ...waiting].map(read))).map(
      ({ progress }) => progress.queuePosition,
    )
  expect(await places()).toEqual([null, null, 1, 2, 3])
  const [first = '', second = ''] = waiting
  expect(await cancel(first)).toMatchObject({ ...cancelled(), steps: [] })
  expect(await places()).toEqual([null, null, null, 1, 2])
  // A suite waits while none of its scenarios is with a worker.
  const suite = await executions.execute(null, 'both')
  expect((await read(suite)).progress.queuePosition).toBe(3)
  await cancel(suite)
  expect((await read(suite)).progress.queuePosition).toBeNull()

  for (const id of running) await cancel(id)
  for await (const _ of executions.watch(WATCH, { id: second }));
  expect(await read(second)).toMatchObject({ state: 'COMPLETED' })
  expect(await read(first)).toMatchObject({ ...cancelled(), steps: [] })
  expect((await read(first)).log).not.toContain('starts')
})

test('a suite ends with the scenario that runs, and the rest never begins', async () => {
  const id = await startEndless('both')
  const children = await sandboxes()
  expect(await cancel(id)).toMatchObject({
    ...cancelled(),
    testCaseResults: [{ contextId: 'endless', state: 'ERROR', errorCode: 'CANCELLED' }],
  })
  expect(await survivorsOf(children, 2_000)).toEqual([])
})

test('a suite goes on when one of its scenarios is cancelled', async () => {
  const id = await startEndless('both')
  const [member] = (await read(id)).testCaseResults
  await cancel(member.id)
  for await (const _ of executions.watch(WATCH, { id }));
  expect(await read(id)).toMatchObject({
    state: 'ERROR',
    errorCode: 'SCENARIO_ERROR',
    message: '1 of 2 scenarios ended in error',
    testCaseResults: [{ errorCode: 'CANCELLED' }, { state: 'COMPLETED' }],
  })
})

test('nothing ends before it began, though clocks differ and a cancel may wait', async () => {
  const id = await startEndless('both')
  const client = new pg.Client(executions.databaseUrl)
  await client.connect()
  try {
    // Its step is shown before it is stored.
    await eventually(async () => {
      const { rowCount } = await client.query(
        `update test_execution.execution set started = started + interval '1 hour',
          steps = (select jsonb_agg(step || jsonb_build_object('started', now() + interval '1 hour'))
            from jsonb_array_elements(steps) as step)
          where suite_id = $1 and jsonb_array_length(steps) = 1`,
        [id],
      )
      expect(rowCount).toBe(1)
    })
  } finally {
    await client.end()
  }
  await cancel(id)
  const { executionResult: suite } = await executions.run(
    `query ($id: ID!) { executionResult(id: $id) { started ended durationMs
      testCaseResults { started ended durationMs steps { started ended durationMs } } } }`,
    { id },
  )
  const [member] = suite.testCaseResults
  expect(member.steps).toHaveLength(1)
  for (const { started, ended, durationMs } of [suite, member, ...member.steps])
    expect([Date.parse(ended) - Date.parse(started), durationMs >= 0]).toEqual([durationMs, true])
  expect(suite.ended >= member.ended).toBe(true)
})

test('who waits for the end of it gets it', async () => {
  const credentials = { userId: 'tester', password: PASSWORD }
  const waited = executions.run(
    `mutation ($input: ExecuteInput!) { execute(input: $input) { ${RESULT} } }`,
    { input: { contextId: 'endless', credentials, wait: true } },
  )
  while ((await sandboxes()).length === 0) await new Promise(setImmediate)
  const { executionResults } = await executions.run(
    '{ executionResults(first: 1) { nodes { id } } }',
  )
  await cancel(executionResults.nodes[0].id)
  expect((await waited).execute).toMatchObject(cancelled())
})

test('what has ended, or never was, cannot be cancelled', async () => {
  const id = await startEndless()
  await cancel(id)
  expect(await executions.refused(CANCEL, { input: { id } })).toEqual([
    'CONFLICT',
    `The execution ${id} has ended`,
  ])
  const [code] = await executions.refused(CANCEL, { input: { id: 'no-such-id' } })
  expect(code).toBe('NOT_FOUND')
})
