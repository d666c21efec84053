import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
})
afterAll(() => executions.stop())

const CREATE = 'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id state } }'
const credentials = { userId: 'tester', password: PASSWORD }
const execute = (contextId: string) => [EXECUTE, { input: { contextId, credentials } }] as const

/** Scenarios that each run the one before them `times` times. */
async function createChain(name: string, length: number, times: number): Promise<void> {
  for (let n = 0; n < length; n++) {
    const inner = (at: number) => ({ id: `s${at}`, scenario: { id: `${name}-${n - 1}` } })
    const steps =
      n === 0
        ? [{ id: 'end', wait: { ms: 0 } }]
        : Array.from({ length: times }, (_, at) => inner(at))
    const id = `${name}-${n}`
    await executions.run(CREATE, {
      input: { id, name: id, componentUnderTest: 'tax-table', scenario: { steps } },
    })
  }
}

test('scenarios may stand ten deep inside of each other, and no deeper', async () => {
  await createChain('deep', 12, 1)
  const started: Data = await executions.run(...execute('deep-10'))
  expect(started.execute.state).toBe('RUNNING')
  expect(await executions.refused(...execute('deep-11'))).toEqual([
    'CONFLICT',
    expect.stringMatching(
      /^Scenarios run each other more than 10 deep: deep-11 → deep-10 → .* → deep-0$/,
    ),
  ])
})

test('what is named again and again is looked at once', async () => {
  // Ten times ten times ten…: nobody would wait for that.
  await createChain('wide', 11, 10)
  const started: Data = await executions.run(...execute('wide-10'))
  expect(started.execute.state).toBe('RUNNING')
})
