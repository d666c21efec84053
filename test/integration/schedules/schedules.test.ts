import { randomUUID } from 'node:crypto'
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
      id,
      name: id,
      scenario: SCENARIO,
      allowExecuteWithoutCredentials: isOpen,
    })
  await first.create('Suite', { id: 'mixed', name: 'mixed', testCases: ['open', 'closed'] })
  await first.create('Environment', {
    id: 'stage',
    name: 'stage',
    secrets: [
      { name: 'HOST', value: 'ci:pass:word' },
      { name: 'KEY', value: 'no credentials' },
    ],
  })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

let number = 0
const schedule = async (input: Record<string, unknown> = {}, caller?: Caller) => {
  const id = `s${number++}`
  const given = { id, name: id, cron: '@daily', target: 'open', ...input }
  await first.create('Schedule', given, caller)
  return id
}
const read = async (id: string): Promise<Data> =>
  (
    await first.run(
      `query ($id: ID!) { schedule(id: $id) {
        nextRuns lastRunAt lastResultId failure storedBy target { ... on TestCase { id } ... on Suite { id } } } }`,
      { id },
    )
  ).schedule
/** Moves the next run of schedules into the past. */
const due = (ids: readonly string[], seconds = 1) =>
  first.sql(
    `update test_execution.schedule_state set next_at = now() - make_interval(secs => $2) where schedule_id = any($1)`,
    [ids, seconds],
  )
const executionsOf = (id: string): Promise<Data[]> =>
  first.sql(
    `select id, started_by, executed_by, state, environment_id, credentials is not null as sealed
      from test_execution.execution where labels ->> 'schedule' = $1 order by id`,
    [id],
  )
/** Statuses of events of a schedule, in order. */
const eventsOf = (id: string) =>
  first.sql(
    `select data ->> 'status' as status from pgboss.job
      where name = 'own-event' and data -> 'source' ->> 'ref' = $1 order by created_on`,
    [id],
  )
const remove = (type: string, id: string) =>
  first.run(`mutation ($id: ID!) { delete${type}(id: $id) }`, { id })
/** A run has been due, and nothing is any more. */
const passed = (id: string) =>
  eventually(async () => {
    const { nextRuns } = await read(id)
    expect(Date.parse(nextRuns[0])).toBeGreaterThan(Date.now())
  })

test('a schedule shows its next three runs, and none while it is not enabled', async () => {
  const id = await schedule({ cron: '0 12 * * *', timeZone: 'Asia/Kolkata', labels: { team: 'a' } })
  const { nextRuns, ...rest } = await read(id)
  expect(rest).toMatchObject({ lastRunAt: null, lastResultId: null, failure: null })
  expect(nextRuns.map((time: string) => time.slice(11, 16))).toEqual(['06:30', '06:30', '06:30'])
  expect(Date.parse(nextRuns[0])).toBeGreaterThan(Date.now())
  const other = await schedule({ enabled: false })
  expect((await read(other)).nextRuns).toEqual([])
})

test.each<[Record<string, unknown>, string]>([
  [{ cron: '' }, 'cron: "" is no cron expression'],
  [{ cron: '0 0 2 * * *' }, 'is no cron expression'],
  [{ cron: '0 0 31 2 *' }, 'cron: 0 0 31 2 * has no run within eight years'],
  [{ timeZone: 'Mars/Olympus' }, 'timeZone: "Mars/Olympus" is no time zone'],
  [{ spread: '2 days' }, 'spread: expected a duration such as 30s, 5m or 1h'],
  [{ target: 'none' }, 'target: no suite or testcase has the id none'],
  [{ environment: 'none' }, 'environment: no environment has the id none'],
  [{ labels: { schedule: 'x' } }, 'labels: executions of a schedule have the label schedule'],
  [{ labels: { 'a b': 'x' } }, 'The name of a label is'],
  [{ target: 'closed' }, 'credentialsFrom: it is missing, and the testcase closed needs host'],
  [{ target: 'mixed' }, 'credentialsFrom: it is missing, and the testcase closed needs host'],
  [{ credentialsFrom: 'HOST' }, 'environment: it is missing, and credentialsFrom names a secret'],
  [
    { environment: 'stage', credentialsFrom: 'NONE' },
    'credentialsFrom: the environment stage has no secret NONE',
  ],
])('a schedule with %j is refused', async (input, message) => {
  const error = await schedule(input).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } })
  expect((error as Error).message).toContain(message)
})

test('a caller without executions:run stores no schedule', async () => {
  const caller = {
    ...openCaller('t'),
    permissions: ['artifacts:read', 'artifacts:write'],
  } as Caller
  const denied = { extensions: { code: 'UNAUTHENTICATED' } }
  await expect(schedule({}, caller)).rejects.toMatchObject(denied)
})

test('targets and environments of a schedule cannot be deleted, and the refusal names it', async () => {
  await first.create('TestCase', {
    ...{ id: 'kept', name: 'kept', scenario: SCENARIO },
    allowExecuteWithoutCredentials: true,
  })
  await first.create('Suite', { id: 'kept-suite', name: 'kept', testCases: ['open'] })
  await first.create('Environment', { id: 'kept', name: 'kept' })
  const one = await schedule({ target: 'kept', environment: 'kept' })
  const other = await schedule({ target: 'kept-suite' })
  for (const [type, kind, id, user] of [
    ['TestCase', 'testcase', 'kept', one],
    ['Environment', 'environment', 'kept', one],
    ['Suite', 'suite', 'kept-suite', other],
  ] as const)
    await expect(remove(type, id)).rejects.toMatchObject(
      refusal('CONFLICT', `The ${kind} ${id} is used by the schedule ${user}`),
    )
  for (const id of [one, other]) await remove('Schedule', id)
  for (const [type, id] of [
    ['TestCase', 'kept'],
    ['Environment', 'kept'],
    ['Suite', 'kept-suite'],
  ] as const)
    await remove(type, id)
})

test('two processes start each due run once, with labels, environment and credentials', async () => {
  const ids: string[] = []
  for (let at = 0; at < 12; at++)
    ids.push(await schedule({ target: 'mixed', environment: 'stage', credentialsFrom: 'HOST' }))
  await due(ids)
  for (const id of ids) await passed(id)
  for (const id of ids) {
    const runs = await executionsOf(id)
    expect(runs).toMatchObject([
      { started_by: 'SCHEDULE', executed_by: 'ci', environment_id: 'stage' },
      ...[{ started_by: 'SCHEDULE' }],
    ])
    const { lastResultId, lastRunAt } = await read(id)
    expect(lastResultId).toBe(runs[0].id)
    expect(runs[0].sealed).toBe(true)
    expect(lastRunAt).not.toBeNull()
  }
})

test('runs that are due together start together, and one that cannot start holds up none', async () => {
  const many: string[] = []
  for (let at = 0; at < 60; at++)
    many.push(await schedule({ target: 'open', labels: { number: String(at) } }))
  const suite = await schedule({ target: 'mixed', environment: 'stage', credentialsFrom: 'HOST' })
  const faulty = await schedule({ target: 'open', environment: 'stage', credentialsFrom: 'KEY' })
  const lost = await schedule()
  await first.sql(
    `update test_execution.schedule_state set owner = '{"user": null, "permissions": []}' where schedule_id = $1`,
    [lost],
  )
  const all = [...many, suite, faulty, lost]
  await due(all)
  for (const id of all) await passed(id)
  const runs = await first.sql(
    `select labels ->> 'schedule' as id, labels ->> 'number' as number from test_execution.execution
      where suite_id is null and labels ->> 'schedule' = any($1)`,
    [all],
  )
  const started = new Map(runs.map(({ id, number }) => [id, number]))
  expect(runs).toHaveLength(61)
  expect(many.map((id) => started.get(id))).toEqual(many.map((_, at) => String(at)))
  expect(started.has(suite)).toBe(true)
  expect((await read(faulty)).failure).toContain('holds no credentials')
  expect((await read(lost)).failure).toContain('this needs executions:run')
})

test('a time that no process has noticed is skipped, or made up for once', async () => {
  const [skipped, once] = [await schedule(), await schedule({ missed: 'ONCE' })]
  await due([skipped, once], 300_000)
  await passed(skipped)
  await passed(once)
  expect(await executionsOf(skipped)).toEqual([])
  expect(await executionsOf(once)).toHaveLength(1)
  expect((await read(once)).failure).toBeNull()
  const { failure } = await read(skipped)
  expect(failure).toContain('was left out: no process noticed it in time')
  expect(failure).toContain('missed ONCE')
  await due([skipped])
  await passed(skipped)
  expect(await executionsOf(skipped)).toHaveLength(1)
  expect((await read(skipped)).failure).toBeNull()
  expect(await eventsOf(skipped)).toEqual([])
})

test('a run that is due while the one before it runs is skipped, waits, or takes its place', async () => {
  const [skip, queue, cancel] = [
    await schedule(),
    await schedule({ overlap: 'QUEUE' }),
    await schedule({ overlap: 'CANCEL' }),
  ]
  await due([skip, queue, cancel])
  for (const id of [skip, queue, cancel]) await passed(id)
  await due([skip, queue, cancel])
  await passed(skip)
  await passed(cancel)
  expect(await executionsOf(skip)).toHaveLength(1)
  expect((await read(skip)).failure).toContain('was left out: the one before it still ran')
  expect(await executionsOf(cancel)).toMatchObject([{ state: 'ERROR' }, { state: 'RUNNING' }])
  const [before] = await executionsOf(queue)
  expect(Date.parse((await read(queue)).nextRuns[0])).toBeLessThan(Date.now())
  await first.sql(`update test_execution.execution set state = 'COMPLETED' where id = $1`, [
    before.id,
  ])
  await passed(queue)
  expect(await executionsOf(queue)).toHaveLength(2)
})

test('a schedule of a closed account starts nothing and raises an event, and another account revives it', async () => {
  const account = randomUUID()
  const owner = { ...openCaller('t'), user: 'ada@a.example', account, permissions: ROLES.editor }
  await first.sql(
    `insert into accounts.account (id, email, role, active, password_hash, created)
      values ($1, 'ada@a.example', 'editor', true, 'x', now())`,
    [account],
  )
  const id = await schedule({}, owner)
  expect((await read(id)).storedBy).toBe('ada@a.example')
  await first.sql(`update accounts.account set role = 'reader' where id = $1`, [account])
  await due([id])
  await passed(id)
  expect(await executionsOf(id)).toEqual([])
  expect((await read(id)).failure).toContain('it needs executions:run. Runs have the rights of ada')
  expect(await eventsOf(id)).toEqual([{ status: 'OPEN' }])
  await first.run(
    `mutation ($id: ID!, $name: String!) { updateSchedule(input: {
      id: $id, name: $name, cron: "@daily", target: "open" }) { id } }`,
    { id, name: id },
  )
  await due([id])
  await passed(id)
  expect(await executionsOf(id)).toMatchObject([{ executed_by: 'anonymous' }])
  expect((await read(id)).failure).toBeNull()
  expect(await eventsOf(id)).toEqual([{ status: 'OPEN' }, { status: 'OK' }])
})

test('a schedule that was stored without a sign-in says so where users sign in, and the way out', async () => {
  const id = await schedule()
  await first.sql(
    `update test_execution.schedule_state set owner = '{"user": null, "permissions": []}' where schedule_id = $1`,
    [id],
  )
  await due([id])
  await passed(id)
  const { failure } = await read(id)
  expect(failure).toContain('stored without a sign-in (AUTH_MODE=none)')
  expect(failure).toContain('sign in as a user with executions:run and store it again')
  expect(await executionsOf(id)).toEqual([])
  expect(await eventsOf(id)).toEqual([{ status: 'OPEN' }])
})

test('a secret that holds no credentials starts nothing, and the reason is shown without it', async () => {
  const id = await schedule({ target: 'closed', environment: 'stage', credentialsFrom: 'KEY' })
  await due([id])
  await passed(id)
  const { failure } = await read(id)
  expect(failure).toContain('The secret KEY of the environment stage holds no credentials')
  expect(failure).not.toContain('no credentials"')
})

test('a restored store starts nothing until schedules are resumed', async () => {
  const id = await schedule()
  await first.sql(`insert into test_execution.schedule_hold values ('restored', now())`)
  expect(await first.run('{ schedulesPaused }')).toEqual({ schedulesPaused: 'restored' })
  await eventually(async () => expect(first.facts()).toEqual({ schedules: 'paused' }))
  await due([id], 3)
  const noticed = () =>
    first.sql('select noticed_at from test_execution.schedule_state where schedule_id = $1', [id])
  expect(await noticed()).toEqual([{ noticed_at: null }])
  expect(await first.run('mutation { resumeSchedules }')).toEqual({ resumeSchedules: true })
  await passed(id)
  expect(await executionsOf(id)).toHaveLength(1)
  expect(await first.run('{ schedulesPaused }')).toEqual({ schedulesPaused: null })
  await eventually(async () => expect(first.facts()).toEqual({}))
})

test('a change of the times sets the next run, and another change keeps it', async () => {
  const id = await schedule({ cron: '0 3 * * *' })
  const { nextRuns: before } = await read(id)
  const change = (cron: string, description: string) =>
    first.run(`mutation ($input: UpdateScheduleInput!) { updateSchedule(input: $input) { id } }`, {
      input: { id, name: id, target: 'open', cron, description },
    })
  await due([id], -5_000)
  const { nextRuns: moved } = await read(id)
  await change('0 3 * * *', 'other')
  expect((await read(id)).nextRuns).toEqual(moved)
  await change('0 4 * * *', 'other')
  expect((await read(id)).nextRuns[0]).not.toBe(moved[0])
  expect(before[0].slice(11, 16)).toBe('03:00')
})
