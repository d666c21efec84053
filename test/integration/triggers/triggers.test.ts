import { createHmac, randomUUID } from 'node:crypto'
import { type Caller, openCaller } from '../../../platform/access/caller.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import {
  type Data,
  type RunningArtifacts,
  refusal,
  runArtifacts,
  SCENARIO,
} from '../../support/artifacts/running-artifacts.ts'
import { eventually } from '../../support/eventually.ts'

const SECRET = 'a secret of GitHub'

let first: RunningArtifacts
let second: RunningArtifacts
beforeAll(async () => {
  first = await runArtifacts()
  second = await runArtifacts(first.url)
  for (const [id, isOpen] of [
    ['open', true],
    ['closed', false],
  ] as const)
    await first.create('TestCase', {
      ...{ id, name: id, scenario: SCENARIO },
      allowExecuteWithoutCredentials: isOpen,
    })
  await first.create('Suite', { id: 'mixed', name: 'mixed', testCases: ['open', 'closed'] })
  await first.create('Environment', {
    ...{ id: 'stage', name: 'stage' },
    secrets: [{ name: 'HOST', value: 'ci:pass:word' }],
  })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

let number = 0
const trigger = async (input: Record<string, unknown> = {}, caller?: Caller) => {
  const id = `t${number++}`
  await first.create('Trigger', { id, name: `Name ${id}`, target: 'open', ...input }, caller)
  return id
}
const QUERY = { query: 'severity:CRITICAL' }
const GITHUB = { webhook: 'github', secret: SECRET }
const read = async (id: string): Promise<Data> =>
  (
    await first.run(
      `query ($id: ID!) { trigger(id: $id) {
        secret storedBy lastRunAt lastResultId failure target { ... on TestCase { id } ... on Suite { id } } } }`,
      { id },
    )
  ).trigger
const executionsOf = (id: string): Promise<Data[]> =>
  first.sql(
    `select id, started_by, executed_by, environment_id, labels, credentials is not null as sealed
      from test_execution.execution where labels ->> 'trigger' = $1 and suite_id is null order by id`,
    [id],
  )
const eventsOf = (id: string) =>
  first.sql(
    `select data ->> 'status' as status from pgboss.job
      where name = 'own-event' and data -> 'source' ->> 'ref' = $1 order by created_on`,
    [id],
  )
/** Delivers changes as the events subgraph does, one job for each. */
const fire = (...changes: { triggerId: string; [attribute: string]: unknown }[]) =>
  first.sql(
    `insert into pgboss.job (name, data) select 'trigger-fired', data from jsonb_array_elements($1::jsonb) as data`,
    [
      JSON.stringify(
        changes.map((each) => ({
          change: randomUUID(),
          executionId: null,
          event: JSON.stringify({ title: 'Down', properties: { host: 'db-1', build: 7 } }),
          ...each,
        })),
      ),
    ],
  )
const isDone = () =>
  eventually(async () =>
    expect(
      await first.sql(
        `select from pgboss.job where name = 'trigger-fired' and state < 'completed'`,
      ),
    ).toEqual([]),
  )
const call = (name: string, payload: unknown, headers: Record<string, string> = {}, at = first) => {
  const body = JSON.stringify(payload)
  const digest = createHmac('sha256', SECRET).update(body).digest('hex')
  return at.run(
    'mutation ($input: CallTriggerInput!) { callTrigger(input: $input) { resultId } }',
    { input: { name, body, headers: { 'x-hub-signature-256': `sha256=${digest}`, ...headers } } },
  )
}

test.each<[Record<string, unknown>, string]>([
  [{}, 'query: expected either a query over events or a webhook'],
  [{ ...QUERY, ...GITHUB }, 'query: expected either a query over events or a webhook'],
  [{ query: 'severity:' }, 'query: it is wrong at character 10'],
  [{ query: '*', secret: SECRET }, 'secret: a trigger with a query has none'],
  [{ webhook: 'github' }, 'secret: it is missing'],
  [{ webhook: 'github', secret: 'short' }, 'secret: expected at least 16 characters'],
  [{ webhook: 'standard', secret: SECRET }, 'secret: expected whsec_'],
  [{ webhook: 'github', secret: '***' }, 'secret: *** stands for a stored value'],
  [{ ...QUERY, perHour: 0 }, 'perHour'],
  [{ ...QUERY, on: [] }, 'on'],
  [{ ...QUERY, target: 'none' }, 'target: no suite or testcase has the id none'],
  [
    { ...QUERY, labels: { trigger: 'x' } },
    'labels: executions of a trigger have the label trigger',
  ],
  [{ ...QUERY, labels: { host: '$.a[' } }, 'labels: host is no JSONPath'],
  [{ ...QUERY, target: 'closed' }, 'credentialsFrom: it is missing, and the testcase closed needs'],
  [{ ...QUERY, credentialsFrom: 'HOST' }, 'environment: it is missing'],
])('a trigger with %j is refused', async (input, message) => {
  const error = await trigger(input).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
  expect((error as Error).message).toContain(message)
})

test('a caller without executions:run stores no trigger', async () => {
  const permissions = ['artifacts:read', 'artifacts:write']
  const caller = { ...openCaller('t'), permissions } as Caller
  await expect(trigger(QUERY, caller)).rejects.toMatchObject({
    extensions: { code: 'UNAUTHENTICATED' },
  })
})

test('targets and environments of a trigger cannot be deleted, and the refusal names it', async () => {
  const id = await trigger({
    ...QUERY,
    target: 'mixed',
    environment: 'stage',
    credentialsFrom: 'HOST',
  })
  for (const [type, kind, name] of [
    ['Suite', 'suite', 'mixed'],
    ['Environment', 'environment', 'stage'],
  ] as const)
    await expect(
      first.run(`mutation ($id: ID!) { delete${type}(id: $id) }`, { id: name }),
    ).rejects.toMatchObject(refusal('CONFLICT', `The ${kind} ${name} is used by the trigger ${id}`))
  await first.run('mutation ($id: ID!) { deleteTrigger(id: $id) }', { id })
})

test('two processes start one execution for each change, also where its job is delivered again', async () => {
  const labels = { host: '$.properties.host', build: '$.properties.build', none: '$.x', team: 'a' }
  const id = await trigger({
    ...{ ...QUERY, labels, perHour: 100 },
    ...{ target: 'mixed', environment: 'stage', credentialsFrom: 'HOST' },
  })
  const changes = Array.from({ length: 6 }, () => ({ triggerId: id, change: randomUUID() }))
  await fire(...changes, ...changes)
  await isDone()
  // A process that was killed behind its commit left its job.
  await fire(...changes)
  await isDone()
  const runs = await executionsOf(id)
  expect(runs).toHaveLength(changes.length)
  for (const run of runs)
    expect(run).toMatchObject({
      ...{ started_by: 'TRIGGER', executed_by: 'ci', environment_id: 'stage', sealed: true },
      labels: { host: 'db-1', build: '7', team: 'a', trigger: id },
    })
  const { lastResultId, failure } = await read(id)
  expect(runs.map((run) => run.id)).toContain(lastResultId)
  expect([failure, await eventsOf(id)]).toEqual([null, []])
})

test('a loop through its own result is refused and said, also through a second trigger', async () => {
  const [one, other] = [await trigger(QUERY), await trigger(QUERY)]
  await fire({ triggerId: one })
  await isDone()
  const [own] = await executionsOf(one)
  await fire({ triggerId: one, executionId: own.id }, { triggerId: other, executionId: own.id })
  await isDone()
  expect(await executionsOf(one)).toHaveLength(1)
  expect((await read(one)).failure).toContain(`(${one} → ${one})`)
  const [theirs] = await executionsOf(other)
  await fire({ triggerId: one, executionId: theirs.id })
  await isDone()
  expect(await executionsOf(one)).toHaveLength(1)
  expect((await read(one)).failure).toContain(`(${one} → ${other} → ${one})`)
  expect(await eventsOf(one)).toEqual([{ status: 'OPEN' }, { status: 'OPEN' }])
  await fire({ triggerId: one })
  await isDone()
  expect((await read(one)).failure).toBeNull()
  expect((await eventsOf(one)).at(-1)).toEqual({ status: 'OK' })
})

test('the end of a scenario follows from the trigger of its suite', async () => {
  const where = { target: 'mixed', environment: 'stage', credentialsFrom: 'HOST' }
  const id = await trigger({ ...QUERY, ...where })
  await fire({ triggerId: id })
  await isDone()
  const [run] = await executionsOf(id)
  const [member] = await eventually(async () => {
    const rows = await first.sql(
      'select id from test_execution.execution where suite_id = $1 limit 1',
      [run.id],
    )
    expect(rows).toHaveLength(1)
    return rows
  })
  await fire({ triggerId: id, executionId: member.id })
  await isDone()
  expect(await executionsOf(id)).toHaveLength(1)
  expect((await read(id)).failure).toContain('would never end')
})

test('what is over the limit of an hour is refused and counted', async () => {
  const id = await trigger({ ...QUERY, perHour: 2 })
  const changes = Array.from({ length: 5 }, () => ({ triggerId: id, change: randomUUID() }))
  await fire(...changes)
  await isDone()
  await fire(...changes)
  await isDone()
  expect(await executionsOf(id)).toHaveLength(2)
  expect((await read(id)).failure).toContain('as many as it may (perHour)')
  expect(await eventsOf(id)).toEqual(Array(3).fill({ status: 'OPEN' }))
})

test('a signed request starts one execution for each delivery, at whichever process', async () => {
  const id = await trigger({ ...GITHUB, labels: { branch: '$.ref' } })
  expect(await read(id)).toMatchObject({ secret: '***', target: { id: 'open' } })
  const push = { ref: 'refs/heads/main' }
  const delivery = { 'x-github-delivery': 'd1' }
  const answers = await Promise.all(
    [id, `Name ${id}`, id, id].map((name, at) =>
      call(name, push, delivery, at % 2 ? first : second),
    ),
  )
  const runs = await executionsOf(id)
  expect(runs).toMatchObject([{ labels: { branch: 'refs/heads/main', trigger: id } }])
  expect(answers).toEqual(Array(4).fill({ callTrigger: { resultId: runs[0].id } }))
  const ping = { 'x-github-event': 'ping' }
  expect(await call(id, {}, ping)).toEqual({ callTrigger: { resultId: null } })
  expect(await executionsOf(id)).toHaveLength(1)
})

test('a request without proof is refused as is one to a trigger that is not there', async () => {
  const [id, events] = [await trigger(GITHUB), await trigger(QUERY)]
  const wrong = { 'x-hub-signature-256': 'sha256=00' }
  for (const [name, headers] of [
    [id, wrong],
    ['none', {}],
    [events, {}],
  ] as const)
    await expect(call(name, {}, headers)).rejects.toMatchObject(
      refusal('UNAUTHENTICATED', /does not prove that its sender knows the secret/),
    )
  expect(await executionsOf(id)).toEqual([])
})

test('a sender beyond the limit reads when it may come again', async () => {
  const id = await trigger({ ...GITHUB, perHour: 1 })
  await call(id, {})
  const error = await call(id, {}).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ extensions: { code: 'RATE_LIMITED' } })
  const { retryAfterSeconds } = (error as Data).extensions
  expect(retryAfterSeconds).toBeGreaterThan(3_590)
  expect((await read(id)).failure).toContain('perHour')
})

test('a payload that is no JSON is refused with the reason', async () => {
  const id = await trigger(GITHUB)
  const body = 'none'
  const digest = createHmac('sha256', SECRET).update(body).digest('hex')
  const input = { name: id, body, headers: { 'x-hub-signature-256': `sha256=${digest}` } }
  await expect(
    first.run('mutation ($input: CallTriggerInput!) { callTrigger(input: $input) { resultId } }', {
      input,
    }),
  ).rejects.toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
})

test('a trigger of an account that may no longer run starts nothing and raises an event', async () => {
  const account = randomUUID()
  const owner = { ...openCaller('t'), user: 'eve@a.example', account, permissions: ROLES.editor }
  await first.sql(
    `insert into accounts.account (id, email, role, active, password_hash, created)
      values ($1, 'eve@a.example', 'reader', true, 'x', now())`,
    [account],
  )
  const id = await trigger(QUERY, owner)
  await fire({ triggerId: id })
  await isDone()
  expect(await executionsOf(id)).toEqual([])
  const { failure, storedBy } = await read(id)
  expect(storedBy).toBe('eve@a.example')
  expect(failure).toContain('Runs have the rights of eve@a.example, who stored the trigger')
  expect(await eventsOf(id)).toEqual([{ status: 'OPEN' }])
})

test('a restored store starts nothing until it is resumed, and senders come again', async () => {
  const [events, hook] = [await trigger(QUERY), await trigger(GITHUB)]
  await first.sql(`insert into test_execution.schedule_hold values ('restored', now())`)
  await fire({ triggerId: events })
  await isDone()
  await expect(call(hook, {})).rejects.toMatchObject(refusal('OVERLOADED', /restored/))
  await first.run('mutation { resumeSchedules }')
  expect(await executionsOf(events)).toEqual([])
  expect((await read(events)).failure).toContain('restored')
  await call(hook, {})
  expect(await executionsOf(hook)).toHaveLength(1)
})

test('a trigger that is changed keeps its secret and what it has started', async () => {
  const id = await trigger(GITHUB)
  await call(id, {}, { 'x-github-delivery': 'd' })
  await first.run(
    'mutation ($input: UpdateTriggerInput!) { updateTrigger(input: $input) { id } }',
    {
      input: { id, name: id, target: 'open', webhook: 'github', secret: '***', enabled: false },
    },
  )
  await expect(call(id, {})).rejects.toMatchObject(refusal('CONFLICT', /is not enabled/))
  expect((await read(id)).lastRunAt).not.toBeNull()
})
