import type { FetchNode, PlanNode } from '@apollo/query-planner'
import { buildSchema, type ExecutionResult, GraphQLError } from 'graphql'
import { AppError } from '../../../../../formats/errors.ts'
import type { Json } from '../../../../../gateway/federation/executor/own.ts'
import type { PlanRun } from '../../../../../gateway/federation/executor/plan-run.ts'
import { Changes } from '../../../../../gateway/federation/executor/shared-runs.ts'
import { compilePlan } from '../../../../../gateway/federation/executor/stages.ts'
import { bodyOf, type PlannedRequest } from '../../../../../gateway/federation/links/link.ts'
import { openCaller } from '../../../../../platform/access/caller.ts'
import { createLogger } from '../../../../../platform/process/logger.ts'
import { product } from '../../../../support/executor/run-fetch.ts'

const schema = buildSchema('type P { id: ID } type Query { p: P }')

/** A fetch of entities at `path`, as the planner writes it. */
const entities = (path: string, selection: string, service = 'shop', variables = ''): PlanNode => ({
  kind: 'Flatten',
  path: path.split('.'),
  node: {
    kind: 'Fetch',
    serviceName: service,
    operation: `query Q__${path.length}($representations:[_Any!]!${variables}){_entities(representations:$representations){...on P{${selection}}}}`,
    operationName: undefined,
    operationKind: 'query',
    variableUsages: variables ? ['size'] : [],
    requires: [
      {
        kind: 'InlineFragment',
        typeCondition: 'P',
        selections: [
          { kind: 'Field', name: '__typename' },
          { kind: 'Field', name: 'id' },
        ],
      },
    ],
  } as unknown as FetchNode,
})
const parallel = (...nodes: PlanNode[]): PlanNode => ({ kind: 'Parallel', nodes })
const sequence = (...nodes: PlanNode[]): PlanNode => ({ kind: 'Sequence', nodes })

type Answer = (request: PlannedRequest) => Partial<ExecutionResult> | Promise<never>

/** Runs a plan on these data. @returns its requests, and the data and errors gathered */
async function run(plan: PlanNode, data: Json, answer: Answer, variables: Json = {}) {
  const requests: string[] = []
  const errors: PlanRun['errors'] = []
  await compilePlan(plan)({
    ...{ schema, data, errors, room: Number.POSITIVE_INFINITY, variables, lost: [], text: '' },
    link: (name) => ({
      name,
      async execute(request) {
        const { query, variables: sent } = JSON.parse(bodyOf(request))
        expect({ query, variables: sent }).toEqual({
          query: request.document,
          variables: request.variables,
        })
        requests.push(`${name} ${request.document} ${JSON.stringify(sent)}`)
        return answer(request)
      },
      subscribe: () => Promise.reject(new Error('No subscription is expected')),
      async stop() {},
    }),
    changes: new Changes(),
    log: createLogger('silent'),
    context: { caller: openCaller('r') },
    characters: 0,
  })
  return { requests, errors: errors.map(({ message, path }) => `${path?.join('.')}: ${message}`) }
}

/** Answers each list of entities with a name for each representation. */
const names: Answer = ({ document, variables }) => ({
  data: Object.fromEntries(
    [...document.matchAll(/(?:(\w+):)?_entities\(representations:\$(\w+)\)/g)].map(
      ([, alias = '_entities', list = '']) => [
        alias,
        (variables[list] as Json[]).map(({ id }) => ({ name: `name of ${id}` })),
      ],
    ),
  ),
})

const data = () => ({ a: [product(1), product(2)], b: product(2) })

test('entity fetches of one depth from one subgraph are one request', async () => {
  const gathered = data()
  const plan = parallel(
    entities('a.@', 'name'),
    entities('b', 'name size(of:$size)', 'shop', ',$size:Int'),
    entities('b', 'name', 'stock'),
  )
  const { requests, errors } = await run(plan, gathered, names, { size: 5, other: 6 })
  expect(requests).toEqual([
    'shop query Q__3($representations_0:[_Any!]!,$representations_1:[_Any!]!,$size:Int){_entities_0:_entities(representations:$representations_0){...on P{name}}_entities_1:_entities(representations:$representations_1){...on P{name size(of:$size)}}} {"size":5,"representations_0":[{"__typename":"P","id":1},{"__typename":"P","id":2}],"representations_1":[{"__typename":"P","id":2}]}',
    expect.stringMatching(/^stock query Q__1\(\$representations:/),
  ])
  expect(errors).toEqual([])
  expect(gathered).toMatchObject({
    a: [{ name: 'name of 1' }, { name: 'name of 2' }],
    b: { name: 'name of 2' },
  })
})

test('fetches that differ in their place alone ask once, for each entity once', async () => {
  const gathered = data()
  const { requests } = await run(
    parallel(entities('a.@', 'name'), entities('b', 'name')),
    gathered,
    names,
  )
  expect(requests).toEqual([
    expect.stringContaining(
      '{"representations":[{"__typename":"P","id":1},{"__typename":"P","id":2}]}',
    ),
  ])
  expect(gathered.b).toMatchObject({ name: 'name of 2' })
})

test('equal representations are sent once for different selections', async () => {
  const plan = parallel(entities('a.@', 'name'), entities('a.@', 'size'))
  const { requests } = await run(plan, data(), names)
  expect(requests).toHaveLength(1)
  expect(requests[0]).toContain('_entities_1:_entities(representations:$representations_0)')
})

test('fetches of other branches are merged by depth', async () => {
  const gathered = { ...data(), c: product(3) }
  const { requests } = await run(
    parallel(
      sequence(entities('a.@', 'name', 'first'), entities('a.@', 'size')),
      sequence(entities('c', 'name', 'second'), entities('c', 'price')),
      entities('b', 'name'),
    ),
    gathered,
    names,
  )
  const services = requests.map((request) => request.split(' ', 1)[0])
  expect(services).toEqual(['first', 'second', 'shop', 'shop'])
  expect(requests[3]).toContain('_entities_1')
})

test('a request is not sent before all that it waits for has ended', async () => {
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const plan = parallel(
    sequence(entities('a.@', 'name', 'slow'), entities('a.@', 'size')),
    sequence(entities('b', 'name', 'fast'), entities('b', 'price')),
  )
  const ended = run(plan, data(), (request) => {
    order.push(request.document.includes('_entities_1') ? 'merged' : 'first')
    const answer = names(request)
    return request.document.includes('Q__3($representations:')
      ? (gate.promise.then(() => answer) as Promise<never>)
      : answer
  })
  await new Promise(setImmediate)
  expect(order).toEqual(['first', 'first'])
  gate.resolve()
  await ended
  expect(order).toEqual(['first', 'first', 'merged'])
})

test('errors stand at the places of their fetch, and one without a place at those of all', async () => {
  const plan = parallel(entities('a.@', 'name'), entities('b', 'size'))
  const { errors } = await run(plan, data(), () => ({
    data: { _entities_0: [{ name: 'x' }, null], _entities_1: [{ size: null }] },
    errors: [
      new GraphQLError('lost', { path: ['_entities_0', 1] }),
      new GraphQLError('bad', { path: ['_entities_1', 0, 'size'] }),
      new GraphQLError('all'),
      new GraphQLError('none', { path: ['_entities', 0, 'size'] }),
    ],
  }))
  expect(errors).toEqual(['a.1: lost', 'b.size: bad', 'a: all', 'b: all', 'a: none', 'b: none'])
})

test('an answer with one list alone fails the other fetch alone', async () => {
  const plan = parallel(entities('a.@', 'name'), entities('b', 'size'))
  const { errors } = await run(plan, data(), () => ({ data: { _entities_0: [{}, {}] } }))
  expect(errors).toEqual(['b: The subgraph shop failed'])
})

test('a merged request without data is repeated in its parts', async () => {
  const gathered = data()
  const plan = parallel(entities('a.@', 'name'), entities('b', 'size'))
  const { requests, errors } = await run(plan, gathered, (request) =>
    request.document.includes('size')
      ? { data: null, errors: [new GraphQLError('No size today')] }
      : names(request),
  )
  expect(requests).toHaveLength(3)
  expect(errors).toEqual(['b: No size today'])
  expect(gathered.a[1]).toMatchObject({ name: 'name of 2' })
})

test('a merged request that an overloaded subgraph refuses is not repeated', async () => {
  const plan = parallel(entities('a.@', 'name'), entities('b', 'size'))
  const refused = new GraphQLError('Too much', { extensions: { code: 'OVERLOADED' } })
  const { requests, errors } = await run(plan, data(), () => ({ data: null, errors: [refused] }))
  expect(requests).toHaveLength(1)
  expect(errors).toEqual(['a: Too much', 'b: Too much'])
})

test('a merged request that fails is not repeated, and fails all of its parts', async () => {
  const plan = parallel(entities('a.@', 'name'), entities('b', 'size'))
  const { requests, errors } = await run(plan, data(), () =>
    Promise.reject(new AppError('OVERLOADED', 'It cannot be reached')),
  )
  expect(requests).toHaveLength(1)
  expect(errors).toEqual(['a: It cannot be reached', 'b: It cannot be reached'])
})

test.each([
  [true, false, 1, 2],
  [false, false, 1, 1],
])('conditions %s and %s: %s request for %s fetches', async (yes, no, count, lists) => {
  const where = (condition: string, ifClause: PlanNode): PlanNode => ({
    kind: 'Condition',
    condition,
    ifClause,
  })
  const plan = parallel(
    entities('a.@', 'name'),
    where('yes', entities('b', 'size')),
    where('no', entities('b', 'price')),
  )
  const { requests } = await run(plan, data(), names, { yes, no })
  expect(requests).toHaveLength(count)
  expect(requests[0]?.match(/:_entities\(/g)?.length ?? 1).toBe(lists)
})

test('long lists are not merged, as subgraphs limit bodies', async () => {
  const many = (from: number) =>
    Array.from({ length: 1_000 }, (_, index) => product(`${from + index} ${'x'.repeat(30)}`))
  const plan = parallel(entities('a.@', 'name'), entities('b.@', 'size'))
  const { requests } = await run(plan, { a: many(0), b: many(5_000) }, names)
  expect(requests).toHaveLength(2)
})
