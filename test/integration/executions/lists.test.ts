import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { whereOf } from '../../../subgraphs/test-execution/executions/list/filter.sql.ts'
import {
  type ExecutionFilter,
  type Filtered,
  matcherOf,
} from '../../../subgraphs/test-execution/executions/list/filter.ts'
import {
  type Data,
  PASSWORD,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const COUNT = 20_000

let executions: RunningExecutions
let pool: pg.Pool
let database: Kysely<unknown>
beforeAll(async () => {
  executions = await runExecutions()
  pool = new pg.Pool({ connectionString: executions.databaseUrl, max: 1 })
  database = new Kysely({ dialect: new PostgresDialect({ pool }) })
  await pool.query(STORE, [COUNT])
  await pool.query('vacuum analyze test_execution.execution')
})
afterAll(async () => {
  await database.destroy()
  await executions.stop()
})

/** One in a thousand is rare in each regard. Ids and times rise together. */
const STORE = `
  insert into test_execution.execution (id, type, context_id, context_name, state, attempt, update_count,
    started, ended, executed_by, open, request_id, use_code_coverage, steps, validation_failures,
    code_coverage, suite_id, labels, environment_id, message, error_code, started_by, revisions)
  select ('0190' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-000000000000')::uuid,
    case when n % 10 = 0 then 'SUITE' else 'TEST' end,
    'context-' || n % 1000, case when n % 1000 = 7 then 'Rare name' else 'Common name ' || n % 100 end,
    case when n % 1000 = 7 then 'ERROR' else 'COMPLETED' end, 1, 2,
    timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute' + n * interval '1 ms',
    case when n % 1000 = 7 then 'rare' else 'common' end, false, '', n % 3 = 0, '[]', '[]', '[]',
    case when n % 2 = 0 then null else '01900000-0000-7000-8000-00000000ffff'::uuid end,
    jsonb_build_object('build', n::text, 'branch', case when n % 1000 = 7 then 'rare' else 'main' end),
    case when n % 1000 = 7 then 'rare' when n % 3 = 0 then 'local' end,
    case when n % 1000 = 7 then 'Cancelled by ' || n when n % 3 = 0 then '' end,
    case n % 2000 when 7 then 'CANCELLED' when 1007 then 'TIMEOUT' end,
    case when n % 1000 = 7 then 'SCHEDULE' when n % 1000 = 9 then 'EDITOR' else 'USER' end,
    case when n % 10 <> 7 then '[]' else jsonb_build_array(
      jsonb_build_object('kind', 'testcase', 'id', 'context-' || n % 1000, 'revision', 1,
        'tags', jsonb_build_array('all', case when n % 1000 = 7 then 'rare' else 'common' end)),
      jsonb_build_object('kind', 'testcase', 'id', 'inner', 'revision', 1),
      jsonb_build_object('kind', 'component', 'id', 'component-' || n % 1000, 'revision', 1)) end
  from generate_series(1, $1::int) n`

const idOf = (n: number) => `0190${n.toString(16).padStart(4, '0')}-0000-7000-8000-000000000000`

const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n))

const FILTERS: [string, ExecutionFilter][] = [
  ['a context', { contextId: 'context-7' }],
  ['contexts', { contextIds: ['context-7', 'context-8'] }],
  ['ids', { ids: [idOf(7), idOf(8), idOf(9), idOf(10).toUpperCase(), 'none'] }],
  ['origins', { startedBy: ['SCHEDULE', 'IMPORT'] }],
  ['tries', { startedBy: ['EDITOR'] }],
  ['an error code', { errorCodes: ['CANCELLED'] }],
  ['error codes with a wildcard', { errorCodes: ['CANC*', 'TIMEOUT'] }],
  ['a rare state', { states: ['ERROR'] }],
  ['a label', { labels: [{ name: 'branch', value: 'rare' }] }],
  ['labels', { labels: [{ name: 'build', value: '1007' }, { name: 'branch' }] }],
  ['one of several values of a label', { labels: [{ name: 'build', values: ['1007', '1008'] }] }],
  ['an environment', { environments: ['rare'] }],
  ['a component', { components: ['component-7'] }],
  ['a tag', { tags: ['rare', 'no such tag'] }],
  ['a user', { executedBy: ['rare'] }],
  ['a name', { names: ['Rare name'] }],
  ['the beginning of a name', { names: ['Rare*'] }],
  ['a part of a name', { text: 'rARE' }],
  ['a time of begin', { startedFrom: at(100), startedBefore: at(110) }],
  ['a time of end', { endedFrom: at(100), endedBefore: at(110) }],
]

const EVERYTHING: [string, ExecutionFilter][] = [
  ...FILTERS,
  ['nothing', {}],
  ['a type', { type: 'SUITE', startedBefore: at(200) }],
  ['members of suites', { isMember: true, startedBefore: at(200) }],
  ['all but members of suites', { isMember: false, startedBefore: at(200) }],
  ['a label with a wildcard', { labels: [{ name: 'build', value: '10*7' }] }],
  ['a star', { names: ['Rare\\*'] }],
  ['a percent sign', { text: '%' }],
  ['several things', { states: ['ERROR'], contextIds: ['context-*'], executedBy: ['*'] }],
  ['the start of an id', { ids: ['01900007*', idOf(8)] }],
  ['a message', { messages: ['Cancelled by 1*'] }],
  ['components with a wildcard', { components: ['component-1*7', 'component-7'] }],
  ['a scenario that is no component', { components: ['inner'] }],
  ['tags with a wildcard', { tags: ['ra*'] }],
  ['a tag that is a beginning', { tags: ['rar'] }],
  ['no message and no error code', { messages: [null], errorCodes: [null] }],
  ['coverage', { useCodeCoverage: true }],
  ['no coverage', { useCodeCoverage: false }],
  ['one of nothing', { environments: [] }],
  ['no environment', { environments: [null] }],
  ['an environment or none', { environments: [null, 'ra*'] }],
  ['no label of a name', { labels: [{ name: 'owner', values: [null] }], states: ['ERROR'] }],
  ['a label or none', { labels: [{ name: 'branch', values: [null, 'ra*'] }] }],
]

test.each(EVERYTHING)('%s: what the database finds is what subscribers get', async (_, filter) => {
  const { rows } = await sql<{ id: string }>`
    select id from test_execution.execution as execution where ${whereOf(filter)} order by id`.execute(
    database,
  )
  const { rows: all } = await pool.query<Filtered>(`select id, context_id as "contextId",
    revisions, cause_id as "causeId", context_name as "contextName", type, state, labels, environment_id as "environmentId",
    executed_by as "executedBy", started, ended, suite_id as "suiteId", message, error_code as "errorCode",
    started_by as "startedBy", use_code_coverage as "useCodeCoverage" from test_execution.execution order by id`)
  const matching = all.filter(matcherOf(filter)).map(({ id }) => id)
  expect(rows.map(({ id }) => id)).toEqual(matching)
  if (Object.keys(filter).length > 0) expect(matching.length).toBeLessThan(COUNT)
})

test.each(FILTERS)('%s is found through an index', async (_, filter) => {
  const { sql: text, parameters } = sql`explain (analyze, buffers, format json)
    select id from test_execution.execution as execution where ${whereOf(filter)}
    order by id desc limit 51`.compile(database)
  const { rows } = await pool.query(text, [...parameters])
  const root: PlanNode = (rows[0] as Data)['QUERY PLAN'][0].Plan
  const below = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(below)]
  expect(below(root).map((node) => node['Node Type'])).not.toContain('Seq Scan')
  expect(root['Shared Hit Blocks'] + root['Shared Read Blocks']).toBeLessThan(1_500) // most of them for a walk over all names
})

interface PlanNode {
  'Node Type': string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

test.each<[string, (values: string[]) => ExecutionFilter]>([
  ['names', (names) => ({ names })],
  ['values of a label', (values) => ({ labels: [{ name: 'build', values }] })],
  ['labels', (names) => ({ labels: names.map((name) => ({ name, value: '1' })) })],
])('a filter with more than 1 000 %s is refused', (_, filterOf) => {
  const values = Array.from({ length: 1_001 }, (_, index) => `v${index}`)
  const message = 'filter: expected at most 1000 values in all'
  for (const refuse of [whereOf, matcherOf]) expect(() => refuse(filterOf(values))).toThrow(message)
})

const LIST = `query ($filter: ExecutionResultFilter, $sort: [SortInput!], $first: Int, $offset: Int, $after: String, $last: Int, $before: String) {
  executionResults(filter: $filter, sort: $sort, first: $first, offset: $offset, after: $after, last: $last, before: $before) {
    totalCount nodes { id durationMs contextId } edges { cursor }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
const list = async (variables: Data): Promise<Data> =>
  (await executions.run(LIST, variables)).executionResults

test('a list is sorted by what is asked for, and read by numbered pages', async () => {
  const filter = { names: ['Rare name'] }
  const sort = [{ attribute: 'durationMs', direction: 'DESC' }]
  const first = await list({ filter, sort, first: 2 })
  const second = await list({ filter, sort, first: 2, offset: 2 })
  expect(first.totalCount).toBe(20)
  expect([...first.nodes, ...second.nodes].map(({ durationMs }: Data) => durationMs)).toEqual([
    19_007, 18_007, 17_007, 16_007,
  ])
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
  const last = await list({ filter, sort, first: 2, offset: 18 })
  expect(last.pageInfo).toMatchObject({ hasNextPage: false })
  expect((await list({ filter, sort, first: 2, offset: 100 })).nodes).toEqual([])
})

test.each([
  ['sorted', { sort: [{ attribute: 'name' }] }],
  ['with an offset', { offset: 2 }],
])('a page %s has no cursors that `after` refuses', async (_, numbered) => {
  const filter = { names: ['Rare name'] }
  const { nodes, edges, pageInfo } = await list({ filter, ...numbered, first: 3 })
  expect(pageInfo).toMatchObject({ hasNextPage: true, startCursor: null, endCursor: null })
  const newestFirst = await list({ filter, first: 1_000 })
  const at = newestFirst.nodes.findIndex(({ id }: Data) => id === nodes[2].id)
  const behind = await list({ filter, first: 1_000, after: edges[2].cursor })
  expect(behind.nodes).toEqual(newestFirst.nodes.slice(at + 1))
})

test('a filtered list is read backwards as well', async () => {
  const filter = { executedBy: 'rare' }
  const end = await list({ filter, last: 5 })
  const before = await list({ filter, last: 5, before: end.pageInfo.startCursor })
  const all = await list({ filter, first: 1_000 })
  expect([...before.nodes, ...end.nodes]).toEqual(all.nodes.slice(-10))
})

test.each([
  [{ sort: [{ attribute: 'steps' }] }, 'sort.steps'],
  [{ sort: [{ attribute: 'id' }], before: 'x' }, 'cursor'],
  [{ offset: -1 }, 'offset'],
  [{ offset: 0, first: 1_001 }, 'first'],
])('%j is refused', async (variables, words) => {
  const [code, message] = await executions.refused(LIST, variables)
  expect([code, message]).toEqual(['BAD_USER_INPUT', expect.stringContaining(words)])
})

describe('labels, environment and revisions', () => {
  const FIELDS = `id labels { name value } environmentId environment { name } durationMs
    revisions { kind id: artifactId revision } contextName`
  const EXECUTE = `mutation ($input: ExecuteInput!) { execute(input: $input) { ${FIELDS} } }`
  const credentials = { userId: 'tester', password: PASSWORD }
  const labels = [
    { name: 'build', value: '42' },
    { name: 'branch', value: 'feature/x' },
  ]
  const sorted = [labels[1], labels[0]]

  test('an execution has the labels that it was given, and says what it ran', async () => {
    const { execute } = await executions.run(EXECUTE, {
      input: { contextId: 'loan-schedule', credentials, labels },
    })
    expect(execute).toMatchObject({
      labels: sorted,
      environmentId: 'local',
      environment: { name: expect.any(String) },
      durationMs: null,
      contextName: expect.any(String),
    })
    expect(execute.revisions).toEqual(
      ['testcase', 'component', 'environment'].map((kind) => ({
        kind,
        id: kind === 'environment' ? 'local' : 'loan-schedule',
        revision: 1,
      })),
    )
  })

  test('the scenarios of a suite have its labels, and each its own revisions', async () => {
    const { execute } = await executions.run(EXECUTE, {
      input: { contextId: 'finance', credentials, labels },
    })
    expect(execute).toMatchObject({
      labels: sorted,
      revisions: [{ kind: 'suite', id: 'finance', revision: 1 }],
    })
    const { executionResult } = await executions.run(
      `query ($id: ID!) { executionResult(id: $id) { testCaseResults { ${FIELDS} } } }`,
      { id: execute.id },
    )
    const [member] = executionResult.testCaseResults
    expect(member).toMatchObject({ labels: sorted, environmentId: 'local' })
    expect(member.revisions[0]).toMatchObject({ kind: 'testcase', revision: 1 })
  })

  test('another environment can be chosen for everything', async () => {
    await executions.run(
      'mutation { createEnvironment(input: { id: "other", name: "Other" }) { id } }',
    )
    const { execute } = await executions.run(EXECUTE, {
      input: { contextId: 'finance', credentials, environmentId: 'other' },
    })
    expect(execute).toMatchObject({ environmentId: 'other' })
    expect(
      await executions.refused(EXECUTE, {
        input: { contextId: 'finance', credentials, environmentId: 'none' },
      }),
    ).toEqual(['NOT_FOUND', expect.stringContaining('none')])
  })

  test.each([
    ['a name with a blank', [{ name: 'a b', value: '' }], 'a b'],
    ['a long value', [{ name: 'a', value: 'x'.repeat(256) }], 'MAX_LABEL_VALUE'],
    ['a value with NUL', [{ name: 'a', value: '\0' }], 'NUL'],
    ['half a character', [{ name: 'a', value: '\ud800' }], 'surrogate pairs'],
    ['a name twice', [labels[0], labels[0]], 'twice'],
    [
      'too many',
      Array.from({ length: 21 }, (_, n) => ({ name: `n${n}`, value: '' })),
      'MAX_LABELS',
    ],
  ])('%s is refused', async (_, given, words) => {
    const input = { contextId: 'loan-schedule', credentials, labels: given }
    expect(await executions.refused(EXECUTE, { input })).toEqual([
      'BAD_USER_INPUT',
      expect.stringContaining(words),
    ])
  })
})
