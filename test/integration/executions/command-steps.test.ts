import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions([], undefined, false)
  await store('starts', { steps: [{ id: 'p', parallel: { steps: [START] } }] })
  await store('runs-it', { steps: [{ id: 'inner', scenario: { id: 'starts' } }] })
  await executions.run(
    'mutation { createSuite(input: { id: "both", name: "both", testCases: ["tax-table", "runs-it"] }) { id } }',
  )
})
afterAll(() => executions.stop())

const START = { id: 'start', command: { program: 'true' } }
const credentials = { userId: 'tester', password: 'open-sesame' }

const store = (id: string, scenario: object) =>
  executions.run(
    'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: { id, name: id, componentUnderTest: 'tax-table', scenario },
    },
  )

test.each(['starts', 'runs-it', 'both'])(
  '%s is not accepted, as it starts a program and these are off',
  async (contextId) => {
    const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id } }'
    expect(await executions.refused(EXECUTE, { input: { contextId, credentials } })).toEqual([
      'FORBIDDEN',
      'Step start of the testcase starts starts a program: command steps are off on this server; its operator turns them on with COMMAND_STEPS=on',
    ])
    expect(await executions.run('{ executionResults { totalCount } }')).toEqual({
      executionResults: { totalCount: 0 },
    })
  },
)

test('validation names the steps that start programs', async () => {
  const VALIDATE =
    'query ($scenario: ScenarioInput!) { validateScenario(scenario: $scenario) { isValid faults } }'
  const { validateScenario } = await executions.run(VALIDATE, { scenario: { steps: [START] } })
  expect(validateScenario).toEqual({
    isValid: false,
    faults: [expect.stringMatching(/step start: .*COMMAND_STEPS=on/)],
  })
})
