import { create, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { type ExecutionResult, execute } from '../../executions.ts'
import { inSection } from '../../row.ts'

const SCENARIO = { scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] } }

/** A component with scenarios in an environment of its own, all of which may run without credentials. */
async function testedComponent(scenarios: number) {
  const component = await create('component')
  const environment = await create('environment')
  const common = { ...SCENARIO, componentUnderTest: component.id }
  const inEnvironment = { ...common, environment: environment.id, ...WITHOUT_CREDENTIALS }
  for (let i = 0; i < scenarios; i++) await create('testcase', inEnvironment)
  await create('testcase', common)
  return { component, environment, inEnvironment, path: path(component.name, environment.id) }
}

const WITHOUT_CREDENTIALS = { allowExecuteWithoutCredentials: true }

const path = (componentName: string, environmentId: string, more = {}) =>
  `/noauth/testcases/execute?${new URLSearchParams({ componentName, environmentId, ...more })}`

const run = async (address: string): Promise<ExecutionResult> => {
  const { status, body } = await execute(`${address}&synchron=true`, {})
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

export const executeComponent = inSection('TX', 'Endpoints: execute', [
  {
    id: 'TX-114',
    rule: 'POST /noauth/testcases/execute MUST run every scenario that tests componentName in environmentId, its own or else that of the component.',
    check: async () => {
      const tested = await testedComponent(2)
      const { type, state, testCaseResults } = await run(tested.path)
      expect({ type, state, members: testCaseResults.length }).toEqual({
        type: 'SUITE',
        state: 'COMPLETED',
        members: 2,
      })
      const elsewhere = await create('environment')
      const deployed = await create('component', { environment: tested.environment.id })
      const tests = { ...SCENARIO, ...WITHOUT_CREDENTIALS, componentUnderTest: deployed.id }
      const { id: inherits } = await create('testcase', tests)
      await create('testcase', { ...tests, environment: elsewhere.id })
      const { id: names } = await create('testcase', {
        ...tests,
        environment: tested.environment.id,
      })
      const all = await run(path(deployed.name, tested.environment.id))
      const ids = all.testCaseResults.map(({ contextId }) => contextId)
      expect(ids.sort()).toEqual([inherits, names].sort())
      expect((await run(path(deployed.name, elsewhere.id))).testCaseResults).toHaveLength(1)
    },
  },
  {
    id: 'TX-115',
    rule: 'componentName and environmentId MUST be required: 400 naming the missing one.',
    check: async () => {
      for (const [query, missing] of [
        ['environmentId=local', 'componentName'],
        ['componentName=&environmentId=local', 'componentName'],
        ['componentName=Loan%20schedule', 'environmentId'],
      ]) {
        const answer = await execute(`/noauth/testcases/execute?${query}`, {})
        expect(expectError(answer, 400, 'BAD_USER_INPUT').message).toContain(missing)
      }
    },
  },
  {
    id: 'TX-116',
    rule: 'synchron, callbackUrl, loadlibrary (ignored) and the credentials header MUST be optional there, and an empty JSON body allowed.',
    check: async () => {
      const { component, environment } = await testedComponent(1)
      const address = path(component.name, environment.id, { loadlibrary: 'LIB' })
      const headers = { 'content-type': 'application/json' }
      expect(await call('POST', address, { headers, body: '' })).toMatchObject({
        status: 200,
        body: { state: 'RUNNING', executedBy: 'anonymous' },
      })
      expect(await execute(address)).toMatchObject({ status: 200, body: { executedBy: 'tester' } })
    },
  },
  {
    id: 'TX-117',
    rule: 'It MUST answer 404 when no scenario matches.',
    check: async () => {
      const { component, environment, path: empty } = await testedComponent(0)
      for (const address of [
        empty,
        path(unique('no-such-component'), environment.id),
        path(component.name, unique('no-such-environment')),
      ])
        expectError(await execute(address, {}), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-118',
    rule: 'It MUST generate one suite per component and environment and use it again: same contextId, new result id.',
    check: async () => {
      const tested = await testedComponent(1)
      const first = await run(tested.path)
      await create('testcase', tested.inEnvironment)
      const second = await run(tested.path)
      expect(second.contextId).toBe(first.contextId)
      expect(second.id).not.toBe(first.id)
      expect([first, second].map(({ testCaseResults }) => testCaseResults.length)).toEqual([1, 2])
    },
  },
  {
    id: 'TX-119',
    rule: 'The contextId of a component tested in one environment MUST be component_<component id>.',
    check: async () => {
      const tested = await testedComponent(1)
      expect((await run(tested.path)).contextId).toBe(`component_${tested.component.id}`)
    },
  },
])
