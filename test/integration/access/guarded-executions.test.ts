import type { Caller } from '../../../platform/access/caller.ts'
import { type Permission, ROLES } from '../../../platform/access/permissions.ts'
import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'

const caller = (user: string | null, permissions: readonly Permission[]): Caller => ({
  requestId: 'guarded',
  user,
  permissions,
})
const NOBODY = caller(null, [])
const READER = caller('reader@example.com', ROLES.reader)
const RUNNER = caller('runner@example.com', ROLES.runner)

const credentials = { userId: 'tester', password: 'open-sesame' }
const input = { contextId: 'loan-schedule', credentials }
const EXECUTE =
  'mutation ($input: ExecuteInput!) { execute: FIELD(input: $input) { id executedBy } }'
const execute = EXECUTE.replace('FIELD', 'execute')
const executeWithoutSignIn = EXECUTE.replace('FIELD', 'executeWithoutSignIn')
/** A scenario that allows execution without credentials. */
const OPEN = { contextId: 'open' }
const CREATE = 'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const READ = 'query ($id: ID!) { executionResult(id: $id) { id state } }'
const ENTITY = `query ($id: ID!) { _entities(representations: [{ __typename: "ExecutionResult", id: $id }]) {
  ... on ExecutionResult { state } } }`

let executions: RunningExecutions
beforeAll(async () => {
  executions = await runExecutions()
  await store('open', { id: 'pause', wait: { ms: 1 } })
})
afterAll(() => executions.stop())

const { stringContaining } = expect

/** Stores a scenario of one step that allows execution without credentials. */
const store = (id: string, step: object) =>
  executions.run(CREATE, {
    input: {
      ...{ id, name: id, componentUnderTest: 'loan-schedule', scenario: { steps: [step] } },
      allowExecuteWithoutCredentials: true,
    },
  })

test('running takes a sign-in, and the right to run', async () => {
  const refused = (who: Caller) => executions.refused(execute, { input }, who)
  expect(await refused(NOBODY)).toEqual(['UNAUTHENTICATED', 'Sign in: this needs executions:run'])
  expect(await refused(READER)).toEqual([
    'FORBIDDEN',
    'reader@example.com may not do this: it needs executions:run',
  ])
  const { execute: begun } = await executions.run(execute, { input }, RUNNER)
  expect(begun.executedBy).toBe('runner@example.com')
})

const SIGN_IN = ['UNAUTHENTICATED', stringContaining('Sign in')]

test('host credentials open nothing to callers who have not signed in', async () => {
  for (const contextId of ['loan-schedule', 'finance', 'no-such-id'])
    expect(
      await executions.refused(executeWithoutSignIn, { input: { contextId, credentials } }, NOBODY),
    ).toEqual(SIGN_IN)
  const { execute: begun } = await executions.run(executeWithoutSignIn, { input: OPEN }, NOBODY)
  expect(begun.executedBy).toBe('anonymous')
  const named = { input: { ...OPEN, credentials: { userId: 'runner@example.com', password: 'x' } } }
  const { execute: forged } = await executions.run(executeWithoutSignIn, named, NOBODY)
  expect(forged.executedBy).toBe('anonymous')
})

test('a scenario is closed when one that it runs is, however deep', async () => {
  const of = (id: string) => ({ input: { contextId: id } })
  await store('open-runs-closed', { id: 'inner', scenario: { id: 'loan-schedule' } })
  await store('open-runs-open', { id: 'inner', scenario: { id: 'open' } })
  await store('open-runs-deeper', { id: 'inner', scenario: { id: 'open-runs-closed' } })
  for (const id of ['open-runs-closed', 'open-runs-deeper']) {
    expect(await executions.refused(executeWithoutSignIn, of(id), NOBODY)).toEqual(SIGN_IN)
    expect(await executions.refused(execute, of(id), RUNNER)).toEqual([
      'FORBIDDEN',
      `The testcase loan-schedule needs host credentials to be executed, so the testcase ${id} does, too`,
    ])
  }
  expect(await executions.run(executeWithoutSignIn, of('open-runs-open'), NOBODY)).toMatchObject({
    execute: { executedBy: 'anonymous' },
  })
})

test('callers who have signed in need the right to run on every way', async () => {
  const token = caller('runner@example.com', ['artifacts:write', 'executions:read'])
  for (const who of [READER, token, caller('no-role', [])])
    for (const given of [OPEN, input])
      expect(await executions.refused(executeWithoutSignIn, { input: given }, who)).toEqual([
        'FORBIDDEN',
        `${who.user} may not do this: it needs executions:run`,
      ])
  const closed = { input: { contextId: 'loan-schedule' } }
  expect(await executions.refused(executeWithoutSignIn, closed, RUNNER)).toEqual([
    'FORBIDDEN',
    'The testcase loan-schedule needs host credentials to be executed',
  ])
  for (const given of [OPEN, input])
    expect(await executions.run(executeWithoutSignIn, { input: given }, RUNNER)).toMatchObject({
      execute: { executedBy: 'runner@example.com' },
    })
})

test('where nobody signs in, the flag or credentials are enough, and the user id is shown', async () => {
  const closed = { input: { contextId: 'loan-schedule' } }
  expect(await executions.refused(executeWithoutSignIn, closed)).toEqual([
    'FORBIDDEN',
    stringContaining('needs host credentials'),
  ])
  for (const [given, executedBy] of [
    [OPEN, 'anonymous'],
    [input, 'tester'],
  ] as const)
    expect(await executions.run(executeWithoutSignIn, { input: given })).toMatchObject({
      execute: { executedBy },
    })
})

test('a result that was begun without a sign-in is for whoever knows its id, any other for readers', async () => {
  const { execute: open } = await executions.run(executeWithoutSignIn, { input: OPEN }, NOBODY)
  const { execute: closed } = await executions.run(execute, { input }, RUNNER)
  const WATCH = 'subscription ($id: ID!) { executionUpdated(id: $id) { execution { state } } }'

  const read = await executions.run(READ, { id: open.id }, NOBODY)
  expect(read).toEqual({ executionResult: { id: open.id, state: 'RUNNING' } })
  for await (const { executionUpdated } of executions.watch(WATCH, { id: open.id }, NOBODY)) {
    expect(executionUpdated).toEqual({ execution: { state: 'RUNNING' } })
    break
  }

  const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
  for (const id of [closed.id, UNKNOWN]) {
    const refusal = ['UNAUTHENTICATED', 'Sign in: this needs executions:read']
    expect(await executions.refused(READ, { id }, NOBODY)).toEqual(refusal)
    await expect(executions.watch(WATCH, { id }, NOBODY).next()).rejects.toThrow(refusal[1])
  }
  expect(await executions.run(READ, { id: closed.id }, READER)).toMatchObject({
    executionResult: { id: closed.id },
  })
  expect(await executions.run(READ, { id: UNKNOWN }, READER)).toEqual({ executionResult: null })
})

test('entities are guarded like the fields that lead to them', async () => {
  const { execute: open } = await executions.run(executeWithoutSignIn, { input: OPEN }, NOBODY)
  expect(await executions.refused(ENTITY, { id: open.id }, NOBODY)).toEqual([
    'UNAUTHENTICATED',
    'Sign in: this needs executions:read',
  ])
  expect(await executions.run(ENTITY, { id: open.id }, READER)).toEqual({
    _entities: [{ state: 'RUNNING' }],
  })
})

test('what a result leads to takes the right to see that', async () => {
  const { execute: begun } = await executions.run(execute, { input }, RUNNER)
  const token = caller('runner@example.com', ['executions:read'])
  const CONTEXT =
    'query ($id: ID!) { executionResult(id: $id) { context { ... on TestCase { name } } } }'
  const CALLBACKS = 'query ($id: ID!) { executionResult(id: $id) { callbackDeliveries { url } } }'
  expect(await executions.refused(CONTEXT, { id: begun.id }, token)).toEqual([
    'FORBIDDEN',
    stringContaining('it needs artifacts:read'),
  ])
  expect(await executions.refused(CALLBACKS, { id: begun.id }, RUNNER)).toEqual([
    'FORBIDDEN',
    stringContaining('it needs callbacks:manage'),
  ])
})

test('what may not be executed leaves no generated suite behind', async () => {
  const COMPONENT =
    'mutation ($input: ExecuteComponentInput!) { executeComponent(input: $input) { contextId } }'
  const SUITES = '{ suites { nodes { id } } }'
  const before = await executions.run(SUITES)
  const component = { componentName: 'Loan schedule', environmentId: 'local' }
  const refused = (more: object, who: Caller) =>
    executions.refused(COMPONENT, { input: { ...component, ...more } }, who)
  for (const more of [{}, { credentials }, { credentials, environmentId: 'no-such-id' }])
    expect(await refused(more, NOBODY)).toEqual(SIGN_IN)
  expect(await refused({ credentials }, READER)).toEqual([
    'FORBIDDEN',
    stringContaining('executions:run'),
  ])
  expect(await refused({}, RUNNER)).toEqual([
    'FORBIDDEN',
    stringContaining('needs host credentials'),
  ])
  expect(await refused({ credentials, callbackUrl: 'ftp://127.0.0.1/' }, RUNNER)).toEqual([
    'BAD_USER_INPUT',
    stringContaining('callbackUrl'),
  ])
  expect(await executions.run(SUITES)).toEqual(before)
})

test.each([
  ['userId', { userId: 'u'.repeat(256), password: 'p' }],
  ['userId', { userId: 'a\0b', password: 'p' }],
  ['password', { userId: 'u', password: 'p'.repeat(4_097) }],
])('host credentials with an unusable %s are refused', async (name, unusable) => {
  const longest = { userId: 'u'.repeat(255), password: 'p'.repeat(4_096) }
  const variables = (credentials: object) => ({ input: { ...input, credentials } })
  expect(await executions.refused(execute, variables(unusable), RUNNER)).toEqual([
    'BAD_USER_INPUT',
    stringContaining(`credentials: expected a ${name}`),
  ])
  expect((await executions.run(execute, variables(longest), RUNNER)).execute.id).toBeDefined()
})
