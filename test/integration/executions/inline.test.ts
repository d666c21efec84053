import { type Caller, openCaller } from '../../../platform/access/caller.ts'
import {
  type Data,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
  await executions.startWorker()
})
afterAll(() => executions.stop())

const RUN = `mutation ($input: ExecuteInlineInput!) { executeInline(input: $input) {
  id state message type contextId context { __typename } steps { name state } testCaseResults { contextId state } } }`

const run = async (input: object): Promise<Data> =>
  (await executions.run(RUN, { input: { wait: true, ...input } })).executeInline

const component = (value: number) => ({
  kind: 'component',
  id: 'c',
  sourceCode: `export const value = () => ${value}`,
})
const scenario = (id: string, expected: unknown) => ({
  kind: 'testcase',
  id,
  componentUnderTest: 'c',
  scenario: {
    steps: [
      {
        id: 's',
        call: { function: 'value' },
        expect: [{ assert: 'equals', value: expected }],
      },
    ],
  },
})

test('artifacts run without being stored, and stand before stored ones', async () => {
  const stored = await executions.run(
    `mutation ($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { changes { artifactId } } }`,
    { input: { set: 'stored', artifacts: [component(1), scenario('kept', 1)] } },
  )
  expect(stored.applyArtifacts.changes).toHaveLength(2)
  const result = await run({ contextId: 'fresh', artifacts: [scenario('fresh', 1)] })
  expect(result).toMatchObject({ state: 'COMPLETED', contextId: 'fresh', context: null })
  const changed = await run({ contextId: 'kept', artifacts: [component(2)] })
  expect(changed).toMatchObject({ state: 'FAILED' })
  const { fresh, kept } = await executions.run(
    '{ fresh: testCase(id: "fresh") { id } kept: component(id: "c") { revision } }',
  )
  expect({ fresh, kept }).toEqual({ fresh: null, kept: { revision: 1 } })
})

test('a suite of given scenarios runs in the environment that is asked for', async () => {
  const environment = { kind: 'environment', id: 'stage', variables: { expected: 1 } }
  const suite = { kind: 'suite', id: 'all', testCases: ['a', 'b'] }
  const artifacts = [environment, suite, scenario('a', '{{env.expected}}'), scenario('b', 3)]
  const result = await run({ contextId: 'all', environmentId: 'stage', artifacts })
  expect(result).toMatchObject({
    type: 'SUITE',
    state: 'FAILED',
    testCaseResults: [
      { contextId: 'a', state: 'COMPLETED' },
      { contextId: 'b', state: 'FAILED' },
    ],
  })
})

test('a scenario without a component says so where a scenario that it runs calls one', async () => {
  const outer = {
    kind: 'testcase',
    id: 'outer',
    scenario: {
      steps: [
        { id: 'wait', wait: { ms: 1 } },
        { id: 'inner', scenario: { id: 'kept' } },
      ],
    },
  }
  expect(await run({ contextId: 'outer', artifacts: [outer] })).toMatchObject({
    state: 'COMPLETED',
  })
})

test('the same key starts nothing twice', async () => {
  const input = { contextId: 'fresh', idempotencyKey: 'k', artifacts: [scenario('fresh', 1)] }
  const [one, other] = await Promise.all([run(input), run(input)])
  expect(one.id).toBe(other.id)
  await expect(run({ ...input, artifacts: [scenario('fresh', 2)] })).rejects.toMatchObject({
    extensions: { code: 'IDEMPOTENCY_MISMATCH' },
  })
})

test.each<[string, object, string[], string, RegExp]>([
  [
    'faults',
    { artifacts: [{ kind: 'component', id: 'x' }] },
    [],
    'BAD_USER_INPUT',
    /component x: sourceCode/,
  ],
  ['no right to bring code', { artifacts: [] }, ['executions:run'], 'FORBIDDEN', /artifacts:write/],
  ['an id that is nowhere', { artifacts: [] }, [], 'NOT_FOUND', /testcase or suite/],
])('%s: nothing starts', async (_, input, permissions, code, message) => {
  const started = async () =>
    (await executions.run('{ executionResults { totalCount } }')).executionResults.totalCount
  const before = await started()
  const open = openCaller('test')
  const caller = permissions.length === 0 ? open : { ...open, user: 'ci', permissions }
  const refused = await executions.refused(
    RUN,
    { input: { contextId: 'x', ...input } },
    caller as Caller,
  )
  expect(refused).toEqual([code, expect.stringMatching(message)])
  expect(await started()).toBe(before)
})
