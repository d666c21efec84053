import type { EntityManager } from '@mikro-orm/postgresql'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Lists, registerLists } from '../../../platform/database/lists.repository.ts'
import { COMPONENT } from '../../../subgraphs/test-execution/artifacts/component/component.kind.ts'
import { KINDS } from '../../../subgraphs/test-execution/artifacts/kinds.ts'
import { ArtifactListRepository } from '../../../subgraphs/test-execution/artifacts/list/artifact-list.repository.ts'
import {
  ArtifactListService,
  type ListRequest,
} from '../../../subgraphs/test-execution/artifacts/list/artifact-list.service.ts'
import { usersOf } from '../../../subgraphs/test-execution/artifacts/reference.repository.ts'
import {
  type Data,
  type RunningArtifacts,
  runArtifacts,
} from '../../support/artifacts/running-artifacts.ts'

const COUNT = 5_000

let repository: RunningArtifacts
let lists: ArtifactListService
let em: EntityManager
let database: Kysely<unknown>
const statements: { sql: string; parameters: readonly unknown[] }[] = []

beforeAll(async () => {
  repository = await runArtifacts()
  await repository.sql(
    `insert into test_execution.artifact
       (id_space, id, kind, name, revision, created, updated, fields)
     select kind, 'c' || n, kind, kind || ' ' || n, 1, now() + n * interval '1 ms', now(),
       jsonb_build_object('language', 'JAVASCRIPT', 'sourceCode', repeat(md5(n::text), 200))
         || case when n % 500 = 0 then '{"environment": "rare"}' else '{}' end::jsonb
     from generate_series(1, $1::int) n, unnest('{component,testcase}'::text[]) kind`,
    [COUNT],
  )
  await repository.sql('vacuum analyze test_execution.artifact')
  const pool = new pg.Pool({ connectionString: repository.url, max: 1 })
  database = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  })
  em = {
    fork: () => em,
    getConnection: () => database,
    getKysely: () => database,
  } as unknown as EntityManager
  registerLists(em, new Lists({ primary: em, replica: undefined, most: 1, log: undefined }))
  lists = new ArtifactListService(new ArtifactListRepository(em))
})
afterAll(async () => {
  await database.destroy()
  await repository.stop()
})

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  Plans?: PlanNode[]
}

/** The plan, as it was carried out, of the only statement that `ask` sends. */
async function planOf(ask: () => Promise<unknown>): Promise<{ root: PlanNode; nodes: PlanNode[] }> {
  statements.length = 0
  await ask()
  const [{ sql, parameters } = { sql: '', parameters: [] }, ...more] = statements
  expect(more).toEqual([])
  const [row] = await repository.sql(`explain (analyze, buffers, format json) ${sql}`, [
    ...parameters,
  ])
  const root: PlanNode = (row as Data)['QUERY PLAN'][0].Plan
  const below = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(below)]
  return { root, nodes: below(root) }
}

const page = (request: ListRequest) => () => lists.page(COMPONENT, request, false).items()
const count = (request: ListRequest) => () => lists.page(COMPONENT, request, false).count()

async function behind(sort: ListRequest['sort']): Promise<ListRequest> {
  const { edges } = await lists
    .page(COMPONENT, { sort, first: 1, offset: COUNT / 2 }, false)
    .items()
  return { sort, first: 10, after: edges[0]?.cursor }
}

const BY_NAME = [{ attribute: 'name', direction: 'ASC' as const }]

test.each<[string, () => Promise<() => Promise<unknown>>]>([
  ['the first page', async () => page({ first: 10 })],
  ['a page behind a cursor', async () => page(await behind([]))],
  ['the first page by name', async () => page({ first: 10, sort: BY_NAME })],
  ['a name', async () => page({ filter: { name: 'component 7' } })],
  ['several ids', async () => page({ filter: { id: ['c7', 'c70', 'c700'] } })],
  ['the beginning of a name', async () => count({ filter: { name: 'component 49*' } })],
  ['how many have an attribute', async () => count({ filter: { environment: 'rare' } })],
  ['what uses a component', async () => () => usersOf(em, COMPONENT, 'c7', KINDS)],
])('%s is read through an index, and little else with it', async (_what, prepare) => {
  const { root, nodes } = await planOf(await prepare())
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  expect(nodes.some((node) => node['Index Name'])).toBe(true)
  expect(root['Shared Hit Blocks']).toBeLessThan(300)
})

test.each<[string, ListRequest]>([
  ['an attribute', { filter: { environment: 'rare' } }],
  ['wildcards in an attribute', { filter: { sourceCode: '*no such text*' } }],
  ['a sort by an attribute', { sort: [{ attribute: 'language', direction: 'DESC' }] }],
])('a list by %s reads each artifact of its kind once at most', async (_what, request) => {
  const { nodes } = await planOf(page(request))
  const scans = nodes.filter((node) => /Scan$/.test(node['Node Type']) && !node.Plans)
  const rows = scans.map((node) => node['Actual Rows'])
  expect(Math.max(...rows)).toBeLessThanOrEqual(COUNT)
})

test('a filter finds the same among many as among few', async () => {
  const { list } = await repository.run(
    `{ list: components(filter: { name: "*99*" }, first: 1000, sort: { attribute: "created", direction: DESC }) { nodes { id } } }`,
  )
  const expected = Array.from({ length: COUNT }, (_, at) => `${COUNT - at}`)
    .filter((n) => n.includes('99'))
    .map((n) => `c${n}`)
  expect(list.nodes.map(({ id }: Data) => id)).toEqual(expected)
})
