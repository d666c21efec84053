import pg from 'pg'
import {
  type Data,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
let pool: pg.Pool
beforeAll(async () => {
  executions = await runExecutions()
  pool = new pg.Pool({ connectionString: executions.databaseUrl, max: 1 })
})
beforeEach(() => pool.query('delete from test_execution.execution'))
afterAll(async () => {
  await pool.end()
  await executions.stop()
})

interface Stored {
  type?: 'TEST' | 'SUITE'
  /** The execution of a suite that it belongs to. */
  suiteId?: string
  environmentId?: string
  contextId?: string
  state: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'ERROR'
  started: string
  ms?: number
  digest?: string
  errorCode?: string
  steps?: Data[]
}

let n = 0
async function store({
  type = 'TEST',
  suiteId,
  environmentId,
  contextId = 'a',
  state,
  started,
  ms = 1_000,
  digest = 'x',
  errorCode,
  steps = [],
}: Stored) {
  n += 1
  const id = `01900000-${String(n).padStart(4, '0')}-7000-8000-000000000000`
  const ended = state === 'RUNNING' ? null : new Date(Date.parse(started) + ms)
  await pool.query(
    `insert into test_execution.execution (id, context_id, context_name, state, attempt, update_count,
      started, ended, error_code, executed_by, open, request_id, use_code_coverage, steps,
      validation_failures, code_coverage, revision_digest, type, suite_id, position, environment_id, suite)
    values ($1, $2::text, 'Name of ' || $2::text, $3, 1, 2, $4, $5, $6, 'ann', false, '', false, $7, '[]', '[]', $8,
      $9, $10, $11, $12, $13)`,
    [
      ...[id, contextId, state, started, ended, errorCode ?? null, JSON.stringify(steps), digest],
      ...[type, suiteId ?? null, suiteId ? n : null, environmentId ?? null],
      type === 'SUITE' ? '{}' : null,
    ],
  )
  return id
}

const COUNTS = 'total running completed failed error passRate durationP50Ms durationP95Ms'
const STATISTICS = `query ($interval: ExecutionInterval!, $from: DateTime, $to: DateTime, $timeZone: String, $filter: ExecutionResultFilter) {
  executionStatistics(interval: $interval, from: $from, to: $to, timeZone: $timeZone, filter: $filter) { ${COUNTS} buckets { start ${COUNTS} } } }`
const FLAKY = `query ($runs: Int! = 50, $from: DateTime, $filter: ExecutionResultFilter) {
  flakyContexts(runs: $runs, from: $from, filter: $filter) { contextId name runs changes score lastState } }`

test('executions are counted by state and bucket, with pass rate and durations', async () => {
  for (const ms of [100, 200, 300])
    await store({ state: 'COMPLETED', started: '2026-03-02T01:00:00Z', ms })
  await store({ state: 'FAILED', started: '2026-03-02T02:00:00Z', ms: 1_000 })
  await store({ state: 'ERROR', started: '2026-03-04T23:59:59.999Z', contextId: 'b' })
  await store({ state: 'RUNNING', started: '2026-03-04T00:00:00Z' })
  await store({ state: 'COMPLETED', started: '2026-03-05T00:00:00Z' })
  const span = { interval: 'DAY', from: '2026-03-02T00:00:00Z', to: '2026-03-05T00:00:00Z' }
  const { executionStatistics } = await executions.run(STATISTICS, span)
  expect(executionStatistics).toMatchObject({
    ...{ total: 6, running: 1, completed: 3, failed: 1, error: 1, passRate: 0.6 },
    ...{ durationP50Ms: 300 },
  })
  expect(executionStatistics.buckets).toMatchObject([
    { start: '2026-03-02T00:00:00.000Z', total: 4, passRate: 0.75, durationP50Ms: 250 },
    { start: '2026-03-03T00:00:00.000Z', total: 0, passRate: null, durationP50Ms: null },
    { start: '2026-03-04T00:00:00.000Z', total: 2, running: 1, error: 1, passRate: 0 },
  ])
  const filter = { contextId: 'b' }
  const { executionStatistics: ofB } = await executions.run(STATISTICS, { ...span, filter })
  expect(ofB).toMatchObject({ total: 1, error: 1 })
  const weeks = await executions.run(STATISTICS, { ...span, interval: 'WEEK' })
  expect(weeks.executionStatistics.buckets).toMatchObject([
    { start: '2026-03-02T00:00:00.000Z', total: 7 },
  ])
})

test('days begin at midnight of the zone, also where its clocks change', async () => {
  // Clocks of Berlin go forward on 29 March 2026.
  await store({ state: 'COMPLETED', started: '2026-03-28T22:59:59Z' })
  await store({ state: 'COMPLETED', started: '2026-03-28T23:00:00Z' })
  await store({ state: 'COMPLETED', started: '2026-03-29T21:59:59Z' })
  await store({ state: 'COMPLETED', started: '2026-03-29T22:00:00Z' })
  const span = { interval: 'DAY', from: '2026-03-28T12:00:00Z', to: '2026-03-30T12:00:00Z' }
  const berlin = await executions.run(STATISTICS, { ...span, timeZone: 'Europe/Berlin' })
  expect(berlin.executionStatistics.buckets).toMatchObject([
    { start: '2026-03-27T23:00:00.000Z', total: 1 },
    { start: '2026-03-28T23:00:00.000Z', total: 2 },
    { start: '2026-03-29T22:00:00.000Z', total: 1 },
  ])
  expect(await executions.refused(STATISTICS, { ...span, timeZone: 'Mars/Base' })).toEqual([
    'BAD_USER_INPUT',
    'timeZone: expected a name such as Europe/Berlin, not "Mars/Base"',
  ])
})

test('a span without executions has empty buckets, and too many buckets are refused', async () => {
  const { executionStatistics } = await executions.run(STATISTICS, { interval: 'HOUR' })
  expect(executionStatistics.buckets).toHaveLength(30)
  expect(executionStatistics).toMatchObject({ total: 0, passRate: null })
  const span = { interval: 'MINUTE', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  expect(await executions.refused(STATISTICS, span)).toEqual([
    'BAD_USER_INPUT',
    expect.stringContaining('MAX_BUCKETS'),
  ])
})

test('flaky is what changes its verdict on the same revisions', async () => {
  const run = (contextId: string, states: Stored['state'][], more: Partial<Stored> = {}) =>
    states.reduce(
      (before, state, at) =>
        before.then(() =>
          store({
            contextId,
            state,
            started: new Date(Date.now() - 60_000 + at).toISOString(),
            ...more,
          }),
        ),
      Promise.resolve<unknown>(null),
    )
  await run('flaky', ['COMPLETED', 'FAILED', 'COMPLETED', 'ERROR', 'ERROR'])
  await run('steady', ['FAILED', 'ERROR', 'FAILED'])
  await run('mended', ['FAILED'], { digest: 'old' })
  await run('mended', ['COMPLETED'], { digest: 'new' })
  await run('unknown', ['FAILED', 'COMPLETED'], { digest: '' })
  await run('cancelled', ['COMPLETED'])
  await run('cancelled', ['ERROR'], { errorCode: 'CANCELLED' })
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const { flakyContexts } = await executions.run(FLAKY, { from })
  expect(flakyContexts).toEqual([
    {
      ...{ contextId: 'flaky', name: 'Name of flaky', runs: 5, changes: 3, score: 0.75 },
      lastState: 'ERROR',
    },
  ])
  const last = await executions.run(FLAKY, { from, runs: 2 })
  expect(last.flakyContexts).toEqual([])
})

test('two executions are compared step by step', async () => {
  const step = (id: string, state: string, message = '') => ({
    ...{ id, path: id, name: id, state, message, durationMs: 1 },
    ...{ started: '2026-01-01T00:00:00Z', ended: '2026-01-01T00:00:00Z' },
  })
  const started = '2026-01-01T00:00:00Z'
  const before = await store({
    ...{ state: 'FAILED', started },
    steps: [step('same', 'COMPLETED'), step('gone', 'COMPLETED'), step('mended', 'FAILED', 'no')],
  })
  const after = await store({
    ...{ state: 'FAILED', started },
    steps: [step('new', 'COMPLETED'), step('same', 'COMPLETED'), step('mended', 'COMPLETED')],
  })
  const COMPARE = `query ($before: ID, $after: ID!) { compareExecutions(before: $before, after: $after) {
    before { id } after { id } steps { path change stateBefore stateAfter messageBefore durationMsAfter } } }`
  const { compareExecutions } = await executions.run(COMPARE, { before, after })
  expect(compareExecutions).toMatchObject({ before: { id: before }, after: { id: after } })
  expect(compareExecutions.steps).toMatchObject([
    { path: 'new', change: 'ADDED', stateBefore: null, stateAfter: 'COMPLETED' },
    { path: 'same', change: 'SAME', durationMsAfter: 1 },
    { path: 'mended', change: 'FIXED', messageBefore: 'no' },
    { path: 'gone', change: 'REMOVED', stateAfter: null, durationMsAfter: null },
  ])
  const back = await executions.run(COMPARE, { before: after, after: before })
  expect(back.compareExecutions.steps).toContainEqual(
    expect.objectContaining({ path: 'mended', change: 'BROKEN' }),
  )
  const last = await executions.run(COMPARE, { after })
  expect(last).toEqual({ compareExecutions })
  const good = await store({ state: 'COMPLETED', started, contextId: 'compared' })
  await store({ state: 'FAILED', started, contextId: 'compared' })
  const later = await store({ state: 'FAILED', started, contextId: 'compared' })
  const withGood = await executions.run(COMPARE, { after: later })
  expect(withGood.compareExecutions.before).toEqual({ id: good })
  const first = await executions.run(COMPARE, { after: before })
  expect(first.compareExecutions).toMatchObject({
    before: null,
    steps: [{ change: 'ADDED' }, {}, {}],
  })
  expect(await executions.refused(COMPARE, { before, after: 'none' })).toEqual([
    'NOT_FOUND',
    expect.stringContaining('none'),
  ])
})

test('scenarios of suites are compared by environment where they ran in several', async () => {
  const suite = async (states: Record<string, Stored['state']>) => {
    const started = '2026-01-01T00:00:00Z'
    const suiteId = await store({ type: 'SUITE', contextId: 'all', state: 'FAILED', started })
    for (const [environmentId, state] of Object.entries(states))
      await store({ suiteId, environmentId, contextId: 'price', state, started })
    return suiteId
  }
  const COMPARE = `query ($before: ID, $after: ID!) { compareExecutions(before: $before, after: $after) {
    steps { path environmentId change } } }`
  const compare = async (before: string, after: string) =>
    (await executions.run(COMPARE, { before, after })).compareExecutions.steps
  const both = await suite({ stage: 'COMPLETED', test: 'FAILED' })
  const price = (environmentId: string | null, change: string) => ({
    ...{ path: 'price', environmentId, change },
  })
  expect(await compare(both, await suite({ stage: 'FAILED', test: 'COMPLETED' }))).toEqual([
    price('stage', 'BROKEN'),
    price('test', 'FIXED'),
  ])
  const test = await suite({ test: 'FAILED' })
  expect(await compare(both, test)).toEqual([price('test', 'SAME'), price('stage', 'REMOVED')])
  // Each ran in one environment, whichever it was.
  const stage = await suite({ stage: 'COMPLETED' })
  expect(await compare(stage, test)).toEqual([price(null, 'BROKEN')])
})
