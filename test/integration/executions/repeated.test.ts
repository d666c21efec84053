import pg from 'pg'
import { type Caller, openCaller } from '../../../platform/access/caller.ts'
import { eventually } from '../../support/eventually.ts'
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

const credentials = { userId: 'tester', password: PASSWORD }
const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id state } }'
const EXECUTE_COMPONENT = `mutation ($input: ExecuteComponentInput!) {
  executeComponent(input: $input) { id state } }`
const REQUEST = { contextId: 'loan-schedule', credentials }

const execute = async (input: Data, caller?: Caller): Promise<string> =>
  (await executions.run(EXECUTE, { input }, caller)).execute.id

const as = (user: string): Caller => ({ ...openCaller('test'), user })

test('twenty calls under one key at the same time start one execution', async () => {
  const input = { ...REQUEST, idempotencyKey: 'together' }
  // On a busy machine some are asked to come again.
  const repeated = () => eventually(() => execute(input))
  const ids = await Promise.all(Array.from({ length: 20 }, repeated))
  expect(new Set(ids).size).toBe(1)
  const [{ count }] = await sql(`select count(*)::int from test_execution.execution`)
  expect(count).toBe(1)
})

test.each([
  ['another context', { contextId: 'tax-table' }],
  ['a type', { type: 'TEST' }],
  ['a callback', { callbackUrl: 'http://receiver.example/' }],
  ['another host user', { credentials: { ...credentials, userId: 'other' } }],
])('the same key with %s is refused', async (name, change) => {
  const input = { ...REQUEST, idempotencyKey: `mismatch: ${name}` }
  const id = await execute(input)
  expect(await executions.refused(EXECUTE, { input: { ...input, ...change } })).toEqual([
    'IDEMPOTENCY_MISMATCH',
    'This idempotency key came with another request',
  ])
  expect(await execute(input)).toBe(id)
})

test('keys of different accounts do not meet', async () => {
  const input = { ...REQUEST, idempotencyKey: 'shared' }
  const id = await execute(input, as('ann'))
  expect(await execute(input, as('bob'))).not.toBe(id)
  expect(await execute(input, as('ann'))).toBe(id)
})

test('keys of two subjects with one name do not meet, and those of the version before hold for it', async () => {
  const ann = (subject: string): Caller => ({
    ...as('ann'),
    subject: `https://id.example\n${subject}`,
  })
  const input = { ...REQUEST, idempotencyKey: 'one name' }
  const id = await execute(input, ann('u1'))
  expect(await execute(input, ann('u2'))).not.toBe(id)
  expect(await execute(input, as('ann'))).not.toBe(id)
  expect(await execute(input, ann('u1'))).toBe(id)

  const subjects = await sql(
    "select distinct snapshot ->> 'subject' as subject from test_execution.execution where executed_by = 'ann'",
  )
  expect(subjects).toEqual(
    expect.arrayContaining([
      { subject: 'https://id.example\nu1' },
      { subject: 'https://id.example\nu2' },
      { subject: null },
    ]),
  )

  const earlier = { ...REQUEST, idempotencyKey: 'of before' }
  const before = await execute(earlier, as('ann'))
  expect(await execute(earlier, ann('u1'))).toBe(before)
  const mismatch = { input: { ...earlier, contextId: 'tax-table' } }
  const [code] = await executions.refused(EXECUTE, mismatch, ann('u1'))
  expect(code).toBe('IDEMPOTENCY_MISMATCH')
  await sql("update test_execution.execution_key set taken_at = now() - interval '25 hours'")
  expect(await execute(earlier, ann('u1'))).not.toBe(before)
})

test('a key holds for 24 hours', async () => {
  const input = { ...REQUEST, idempotencyKey: 'daily' }
  const first = await execute(input)
  const age = (hours: number) =>
    sql(`update test_execution.execution_key set taken_at = now() - interval '${hours} hours'
      where key = 'daily'`)
  await age(23)
  expect(await execute(input)).toBe(first)
  await age(25)
  const second = await execute({ ...input, contextId: 'tax-table' })
  expect(second).not.toBe(first)
})

test.each(['', 'a\0b', 'x'.repeat(256)])('the key %j is refused', async (idempotencyKey) => {
  const [code] = await executions.refused(EXECUTE, { input: { ...REQUEST, idempotencyKey } })
  expect(code).toBe('BAD_USER_INPUT')
})

test('a call that starts nothing leaves its key free', async () => {
  const input = { contextId: 'later', credentials, idempotencyKey: 'later' }
  expect(await executions.refused(EXECUTE, { input })).toEqual(['NOT_FOUND', expect.anything()])
  expect(await execute({ ...REQUEST, idempotencyKey: 'later' })).toEqual(expect.any(String))
})

test('what was deleted meanwhile is not started again, and its execution is found', async () => {
  await executions.run(
    `mutation { createTestCase(input: { id: "gone", name: "Gone", componentUnderTest: "tax-table",
      scenario: { steps: [{ id: "pause", wait: { ms: 0 } }] } }) { id } }`,
  )
  const input = { contextId: 'gone', credentials, idempotencyKey: 'gone' }
  const id = await execute(input)
  await executions.run('mutation { deleteTestCase(id: "gone") }')
  expect(await execute(input)).toBe(id)
})

test('a component is executed once under a key, too', async () => {
  const input = {
    ...{ componentName: 'Loan schedule', environmentId: 'local', credentials },
    idempotencyKey: 'component',
  }
  const run = async () =>
    (await executions.run(EXECUTE_COMPONENT, { input })).executeComponent.id as string
  const ids = await Promise.all([run(), run(), run()])
  expect(new Set(ids).size).toBe(1)
  expect(
    await executions.refused(EXECUTE, { input: { ...REQUEST, idempotencyKey: 'component' } }),
  ).toContain('IDEMPOTENCY_MISMATCH')
})

test('a waiting caller gets the end of the first execution, and gets it again later', async () => {
  const input = { ...REQUEST, idempotencyKey: 'waited for' }
  const id = await execute(input)
  const waiting = Promise.all(
    [1, 2].map(() => executions.run(EXECUTE, { input: { ...input, wait: true } })),
  )
  await executions.startWorker()
  const ended = { execute: { id, state: 'COMPLETED' } }
  expect(await waiting).toEqual([ended, ended])
  expect(await executions.run(EXECUTE, { input: { ...input, wait: true } })).toEqual(ended)
})

async function sql(text: string): Promise<Data[]> {
  const client = new pg.Client({ connectionString: executions.databaseUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
