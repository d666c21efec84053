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
