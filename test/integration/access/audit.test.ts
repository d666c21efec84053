import type { Caller } from '../../../platform/access/caller.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { querier } from '../../support/access/querier.ts'
import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'

const EDITOR: Caller = { requestId: 'audited', user: 'ada@example.com', permissions: ROLES.editor }

let executions: RunningExecutions
let entries: () => Promise<object[]>
let close: () => Promise<void>
beforeAll(async () => {
  executions = await runExecutions()
  const database = querier(executions.databaseUrl)
  close = database.close
  entries = () =>
    database.query(
      'select "user", action, target, request_id as "requestId" from audit.entry order by id',
    )
})
afterAll(async () => {
  await close()
  await executions.stop()
})

const entry = (action: string, target: string | null) => ({
  user: 'ada@example.com',
  action,
  target,
  requestId: 'audited',
})

test('what changes something is written down with it, and nothing else is', async () => {
  const CREATE =
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }'
  const DELETE = 'mutation ($id: ID!) { deleteEnvironment(id: $id) }'
  const { createEnvironment } = await executions.run(CREATE, { input: { name: 'Here' } }, EDITOR)
  const { id } = createEnvironment
  await executions.run('{ environments { nodes { id } } }', {}, EDITOR)
  await executions.refused(CREATE, { input: { name: 'Here' } }, EDITOR)
  await executions.refused(DELETE, { id: 'nothing' }, EDITOR)
  await executions.refused(DELETE, { id }, { ...EDITOR, permissions: ROLES.reader })
  await executions.run(DELETE, { id }, EDITOR)
  expect(await entries()).toEqual([entry('createEnvironment', id), entry('deleteEnvironment', id)])
})

test('an execution is one entry, also while somebody waits for it, and what a worker does is none', async () => {
  await executions.startWorker()
  const before = (await entries()).length
  const input = {
    contextId: 'loan-schedule',
    wait: true,
    credentials: { userId: 'host', password: 'never-in-the-audit-log' },
  }
  const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { state } }'
  await executions.run(EXECUTE, { input }, EDITOR)
  expect((await entries()).slice(before)).toEqual([entry('execute', 'loan-schedule')])
  expect(JSON.stringify(await entries())).not.toContain(input.credentials.password)
})

test('what a set changed has an entry each, beside the set itself', async () => {
  const APPLY = `mutation ($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }`
  const component = (id: string, sourceCode: string) => ({ kind: 'component', id, sourceCode })
  const apply = (artifacts: object[], more: object = {}) =>
    executions.run(APPLY, { input: { set: 'team', artifacts, ...more } }, EDITOR)
  const before = (await entries()).length
  await apply([component('first', '1'), component('second', '1')], { dryRun: true })
  await apply([component('first', '1'), component('second', '1')])
  await apply([component('first', '1'), component('second', '1')])
  await apply([component('first', '2')], { prune: true })
  const of = (...targets: string[]) => targets.map((target) => entry('applyArtifacts', target))
  expect((await entries()).slice(before)).toEqual([
    ...of('team', 'first', 'second'),
    ...of('team'), // its rows were locked, and nothing in them changed
    ...of('team', 'first', 'second'),
  ])
})

test('revisions say who stored them, and keep the text of a scenario while it says the same', async () => {
  const STORED = `{ id revision updatedBy scenarioText revisions { revision updatedBy attributes } }`
  const CREATE = `mutation ($input: CreateTestCaseInput!) { stored: createTestCase(input: $input) ${STORED} }`
  const UPDATE = `mutation ($input: UpdateTestCaseInput!) { stored: updateTestCase(input: $input) ${STORED} }`
  const text = '# Why it waits\nsteps: [{ id: pause, wait: { ms: 1 } }] # once\n'
  const { stored } = await executions.run(
    CREATE,
    { input: { name: 'Said', scenario: text } },
    EDITOR,
  )
  expect(stored).toMatchObject({ revision: 1, updatedBy: 'ada@example.com', scenarioText: text })

  const grace: Caller = { ...EDITOR, user: 'grace@example.com' }
  const change = async (scenario: unknown, caller: Caller | undefined) => {
    const input = { id: stored.id, name: 'Said', scenario }
    return (await executions.run(UPDATE, { input }, caller)).stored
  }
  const same = await change({ steps: [{ id: 'pause', wait: { ms: 1 } }] }, grace)
  expect(same).toMatchObject({ revision: 1, updatedBy: 'ada@example.com', scenarioText: text })
  const other = await change({ steps: [{ id: 'pause', wait: { ms: 2 } }] }, grace)
  expect(other).toMatchObject({ revision: 2, updatedBy: 'grace@example.com', scenarioText: null })
  expect(other.revisions[0]).toMatchObject({
    ...{ revision: 1, updatedBy: 'ada@example.com' },
    attributes: { scenarioText: text },
  })
  expect(await change(text, undefined)).toMatchObject({ revision: 3, updatedBy: null })
})
