import pg from 'pg'
import { openCaller } from '../../../platform/access/caller.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

let executions: RunningExecutions
let server: Collector
let pool: pg.Pool
/** Status of paths below a name; 200 if absent. */
const statuses = new Map<string, number>()

beforeAll(async () => {
  server = await startCollector()
  server.answer((response, _, { path }) => {
    const [, first = ''] = path.split('/')
    response
      .writeHead(statuses.get(first) ?? 200, { 'content-type': 'application/json' })
      .end('{"id":7}')
  })
  executions = await runExecutions()
  await executions.startWorker()
  pool = new pg.Pool({ connectionString: executions.databaseUrl, max: 1 })
  await executions.run(
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    { input: { id: 'lab', name: 'Lab', baseUrl: server.url } },
  )
})
afterAll(async () => {
  await pool.end()
  await Promise.all([executions.stop(), server.stop()])
})

const CREATE = 'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const scenario = (id: string, url: string, more: object = {}) =>
  executions.run(CREATE, {
    input: {
      ...{ id, name: `Scenario ${id}`, environment: 'lab' },
      scenario: { steps: [{ id: `read-${id}`, http: { url }, ...more }] },
    },
  })

const credentials = { userId: 'tester', password: PASSWORD }
const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id state } }'
const execute = async (contextId: string, labels: object[] = []): Promise<Data> =>
  (
    await executions.run(EXECUTE, {
      input: { contextId, credentials, labels, wait: true },
    })
  ).execute

const CAUSE = `id firstSeen lastSeen fault step expectation message count scenarioCount currentCount
  scenarios { contextId environmentId count isCurrent isQuarantined } suites { contextId }
  since { id } lastGood { id revisions { kind artifactId revision } } verdict owner comment ticket verdictBy verdictAt`
const CAUSES = `query ($filter: ExecutionResultFilter, $causes: FailureCauseFilter, $first: Int, $after: String, $last: Int, $before: String) {
  failureCauses(filter: $filter, causes: $causes, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { ${CAUSE} } pageInfo { hasNextPage endCursor startCursor } } }`
const causes = async (variables: object): Promise<Data> =>
  (await executions.run(CAUSES, { ...variables })).failureCauses
const labelled = (value: string) => ({ filter: { labels: [{ name: 'of', value }] } })
const WHY = `query ($id: ID!) { executionResult(id: $id) { cause { ${CAUSE} }
  failingSince { failures first { id } lastGood { id } changes { kind name before after } } } }`
const why = async (id: string): Promise<Data> => (await executions.run(WHY, { id })).executionResult
const JUDGE = `mutation ($input: SetFailureVerdictInput!) { setFailureVerdict(input: $input) { ${CAUSE} } }`

test('thirty scenarios of one broken service are one cause, with the last good run of all', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => `thirty-${n}`)
  for (const id of ids) await scenario(id, `/thirty/${id}`)
  await executions.run(
    'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }',
    { input: { id: 'thirty', name: 'Thirty', testCases: ids, maxParallel: 4 } },
  )
  const label = [{ name: 'of', value: 'thirty' }]
  const good = await execute('thirty', label)
  expect(good.state).toBe('COMPLETED')
  expect(await causes(labelled('thirty'))).toMatchObject({ totalCount: 0, nodes: [] })
  statuses.set('thirty', 503)
  const bad = await execute('thirty', label)
  expect(bad.state).toBe('FAILED')
  await execute('thirty-0', label)
  const { totalCount, nodes } = await causes(labelled('thirty'))
  expect(totalCount).toBe(1)
  const [cause] = nodes
  expect(cause).toMatchObject({
    ...{ fault: 'HTTP_503', step: new URL(server.url).host, expectation: '' },
    ...{ count: 31, scenarioCount: 30, currentCount: 30, suites: [{ contextId: 'thirty' }] },
    ...{ verdict: null, owner: null, verdictBy: null },
  })
  expect(cause.scenarios).toHaveLength(20)
  expect(cause.scenarios[0]).toEqual({
    ...{ contextId: 'thirty-0', environmentId: 'lab', count: 2 },
    ...{ isCurrent: true, isQuarantined: false },
  })
  expect(cause.lastGood.revisions).toContainEqual({
    ...{ kind: 'environment', artifactId: 'lab', revision: 1 },
  })
  const members = `query ($id: ID!) { executionResult(id: $id) { testCaseResults { id cause { id } } } }`
  const { executionResult } = await executions.run(members, { id: bad.id })
  expect(new Set(executionResult.testCaseResults.map(({ cause: { id } }: Data) => id)).size).toBe(1)
  expect(executionResult.testCaseResults.map(({ id }: Data) => id)).toContain(cause.since.id)

  statuses.delete('thirty')
  await execute('thirty', label)
  expect((await causes(labelled('thirty'))).nodes).toMatchObject([{ currentCount: 0, count: 31 }])
  const current = { ...labelled('thirty'), causes: { isCurrent: true } }
  expect(await causes(current)).toMatchObject({ totalCount: 0, nodes: [] })
})

test('an execution names the run since which it fails, and what changed then', async () => {
  await scenario('since', '/since/a')
  await execute('since', [{ name: 'build', value: '1' }])
  const good = await execute('since', [{ name: 'build', value: '2' }])
  statuses.set('since', 500)
  await executions.run(
    'mutation ($input: UpdateEnvironmentInput!) { updateEnvironment(input: $input) { id } }',
    { input: { id: 'lab', name: 'Laboratory', baseUrl: server.url } },
  )
  const label = [{ name: 'build', value: '3' }]
  const [first, second] = [await execute('since', label), await execute('since', label)]
  expect((await why(second.id)).failingSince).toEqual({
    ...{ failures: 2, first: { id: first.id }, lastGood: { id: good.id } },
    changes: [
      { kind: 'environment', name: 'lab', before: '1', after: '2' },
      { kind: 'label', name: 'build', before: '2', after: '3' },
    ],
  })
  expect((await why(first.id)).failingSince).toMatchObject({ failures: 1, first: { id: first.id } })
  expect(await why(good.id)).toEqual({ cause: null, failingSince: null })
  expect((await why(second.id)).cause).toMatchObject({
    ...{ since: { id: first.id }, lastGood: { id: good.id }, count: 2 },
  })
})

test('a verdict is shown on the next equal failure, and stays as long as details do', async () => {
  await scenario('judged', '/judged', {
    expect: [{ path: '$.body.id', assert: 'equals', value: 8 }],
  })
  const { cause } = await why((await execute('judged')).id)
  expect(cause).toMatchObject({ fault: 'EXPECTATION', expectation: '$.body.id equals', since: {} })
  const said = { verdict: 'TEST', owner: 'ann', comment: 'The id is 7 now', ticket: 'QA-7' }
  const editor = { ...openCaller('test'), user: 'eve' }
  const set = await executions.run(JUDGE, { input: { id: cause.id, ...said } }, editor)
  expect(set.setFailureVerdict).toMatchObject({ ...said, verdictBy: 'eve' })
  expect((await why((await execute('judged')).id)).cause).toMatchObject({ ...said, count: 2 })
  const { nodes } = await causes({ causes: { verdicts: ['TEST'], owners: ['ann'] } })
  expect(nodes.map(({ id }: Data) => id)).toEqual([cause.id])
  expect((await causes({ causes: { verdicts: [null] } })).nodes).not.toContainEqual(
    expect.objectContaining({ id: cause.id }),
  )
  const listed = `query ($causes: [ID!]) { executionResults(filter: { causes: $causes }) { totalCount } }`
  expect(await executions.run(listed, { causes: [cause.id] })).toEqual({
    executionResults: { totalCount: 2 },
  })
  const { rows } = await pool.query(
    `select "user", target from audit.entry where action = 'setFailureVerdict'`,
  )
  expect(rows).toEqual([{ user: 'eve', target: cause.id }])
  // One that only reads and runs.
  const runner = { ...editor, permissions: ['executions:read', 'executions:run'] as const }
  for (const [mutation, id] of [
    [JUDGE, cause.id],
    [QUARANTINE, 'judged'],
  ])
    expect(
      (
        await executions.refused(
          mutation,
          { input: { id, ...(mutation === QUARANTINE && { quarantine: true }) } },
          { ...runner, permissions: [...runner.permissions] },
        )
      )[0],
    ).toBe('FORBIDDEN')
  expect((await executions.refused(JUDGE, { input: { id: 'nothing' } }))[0]).toBe('NOT_FOUND')
  const long = { id: cause.id, owner: 'x'.repeat(256) }
  expect(await executions.refused(JUDGE, { input: long })).toEqual([
    'BAD_USER_INPUT',
    'owner: expected at most 255 characters, not 256',
  ])
})

const QUARANTINE = `mutation ($input: SetQuarantineInput!) { setQuarantine(input: $input) { id revision quarantine } }`

test('quarantine keeps all else of a scenario, and says so at its failures', async () => {
  await scenario('kept', '/judged', { expect: [{ path: '$.body.id', assert: 'equals', value: 9 }] })
  const set = async (quarantine: boolean) =>
    (await executions.run(QUARANTINE, { input: { id: 'kept', quarantine } })).setQuarantine
  expect(await set(true)).toEqual({ id: 'kept', revision: 2, quarantine: true })
  expect(await set(true)).toEqual({ id: 'kept', revision: 2, quarantine: true })
  const { cause } = await why((await execute('kept')).id)
  expect(cause.scenarios).toMatchObject([{ contextId: 'kept', isQuarantined: true }])
  expect(await set(false)).toMatchObject({ revision: 3, quarantine: false })
  const gone = { input: { id: 'nothing', quarantine: true } }
  expect((await executions.refused(QUARANTINE, gone))[0]).toBe('NOT_FOUND')
})

test('causes are read page by page in both directions', async () => {
  for (const n of ['a', 'b', 'c']) {
    await scenario(`page-${n}`, '/page', {
      expect: [{ path: `$.body.${n}`, assert: 'equals', value: 9 }],
    })
    await execute(`page-${n}`, [{ name: 'of', value: 'page' }])
  }
  const places = ({ nodes }: Data) => nodes.map(({ expectation }: Data) => expectation.slice(7, 8))
  const first = await causes({ ...labelled('page'), first: 2 })
  expect([places(first), first.totalCount]).toEqual([['c', 'b'], 3])
  const after = first.pageInfo.endCursor
  const second = await causes({ ...labelled('page'), first: 2, after })
  expect([places(second), second.pageInfo.hasNextPage]).toEqual([['a'], false])
  const before = second.pageInfo.startCursor
  expect(places(await causes({ ...labelled('page'), last: 1, before }))).toEqual(['b'])
  expect((await executions.refused(CAUSES, { after: 'eA' }))[0]).toBe('BAD_USER_INPUT')
})
