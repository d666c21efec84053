import { isDeepStrictEqual } from 'node:util'
import { OperationTypeNode, parse, print } from 'graphql'
import type { Json } from '../../../../gateway/federation/executor/own.ts'
import { loadSupergraph } from '../../../../gateway/federation/supergraph/supergraph.ts'
import { CALM } from '../../../support/federation/calm.ts'
import { mergedOf, payloadsOf, type Sent, type Spec } from '../../../support/federation/deferred.ts'
import { type Graph, graphOf, SILENT } from '../../../support/federation/graph.ts'
import { ourGraph } from '../../../support/federation/our-graph.ts'
import { withRandomDefers } from '../../../support/federation/random-defers.ts'
import { randomOperation } from '../../../support/federation/random-operation.ts'
import { seededRandom } from '../../../support/federation/seeded-random.ts'

const OLDER: Spec = 'deferSpec=20220824'
const NEWER: Spec = 'incrementalSpec=v0.2'

/** Gates of slow fields by their names; open unless a test closes them. */
const gates = new Map<string, Promise<void>>()
function closed(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gates.set(name, promise)
  return resolve
}
afterEach(() => gates.clear())
const slowly =
  <Value>(name: string, value: Value) =>
  async () => {
    await gates.get(name)
    return value
  }

const product = (id: string) => ({ __typename: 'Product', id })
let graph: Graph
beforeAll(async () => {
  graph = await graphOf({
    name: 'shop',
    subgraphs: {
      catalog: {
        sdl: `
          type Query { product(id: ID): Product products: [Product!]! none: Product fast: String slow: String shop: Shop }
          type Mutation { buy: Product }
          type Product @key(fields: "id") { id: ID! name: String slow: String details: Details }
          type Details { size: Int weight: Int }
          type Shop { name: String opened: String }`,
        resolvers: {
          Query: {
            product: (_: unknown, { id }: { id?: string }) => product(id ?? 'p1'),
            products: () => [product('p1'), product('p2')],
            fast: () => 'fast',
            slow: slowly('root', 'slow'),
            shop: () => ({ name: 'corner', opened: '1999' }),
          },
          Mutation: { buy: () => product('p1') },
          Product: {
            __resolveReference: (reference: object) => reference,
            name: ({ id }: { id: string }) => `name of ${id}`,
            slow: slowly('product', 'at last'),
            details: () => ({ size: 1, weight: 2 }),
          },
        },
      },
      reviews: {
        sdl: `
          type Product @key(fields: "id") { id: ID! score: Int must: Int! wrong: Int reviews: [Review!]! }
          type Review @key(fields: "id") { id: ID! text: String }`,
        resolvers: {
          Product: {
            __resolveReference: (reference: object) => reference,
            score: slowly('score', 5),
            must: () => null,
            wrong() {
              throw new Error('It is wrong')
            },
            reviews: () => [
              { __typename: 'Review', id: 'r1' },
              { __typename: 'Review', id: 'r2' },
            ],
          },
          Review: {
            __resolveReference: (reference: object) => reference,
            text: ({ id }: { id: string }) => `text of ${id}`,
          },
        },
      },
      authors: {
        sdl: 'type Review @key(fields: "id") { id: ID! author: String }',
        resolvers: {
          Review: {
            __resolveReference: (reference: object) => reference,
            author: slowly('author', 'Ada'),
          },
        },
      },
    },
  })
})
afterAll(() => graph?.stop())

const payloads = async (query: string, spec: Spec, variables = {}): Promise<Sent[]> => {
  const all: Sent[] = []
  for await (const one of payloadsOf(await graph.supergraph.prepare(query), spec, variables))
    all.push(one)
  return all
}

test.each<[string, string, string, object]>([
  ['root', 'a root field of the same subgraph', '{ fast ... @defer { slow } }', { fast: 'fast' }],
  [
    'product',
    'a field of an entity in the same subgraph',
    '{ product { id ... @defer { slow } } }',
    { product: { id: 'p1' } },
  ],
  [
    'score',
    'a field of another subgraph',
    '{ product { name ... @defer { score } } }',
    { product: { name: 'name of p1' } },
  ],
  [
    'author',
    'a part within a part',
    '{ product { id ... @defer { reviews { text ... @defer { author } } } } }',
    { product: { id: 'p1', reviews: [{ text: 'text of r1' }, { text: 'text of r2' }] } },
  ],
])('while %s waits, all else has come: %s', async (gate, _name, query, before) => {
  for (const spec of [OLDER, NEWER]) {
    const open = closed(gate)
    const all = payloadsOf(await graph.supergraph.prepare(query), spec)
    const early: Sent[] = []
    early.push((await all.next()).value)
    if (gate === 'author') early.push((await all.next()).value)
    expect((await mergedOf(early)).data).toEqual(before)
    expect(early.every(({ hasNext }) => hasNext)).toBe(true)
    open()
    expect((await all.next()).value).toMatchObject({
      hasNext: false,
      incremental: expect.anything(),
    })
    expect((await all.next()).done).toBe(true)
  }
})

const LISTS = `query ($later: Boolean = true) {
  products { id ... @defer(label: "more", if: $later) { name reviews { id } } }
}`

test('in a list, each item has a part with its path and label', async () => {
  const reviews = [{ id: 'r1' }, { id: 'r2' }]
  const [first, second] = [
    { name: 'name of p1', reviews },
    { name: 'name of p2', reviews },
  ]
  const data = { products: [{ id: 'p1' }, { id: 'p2' }] }
  expect(await payloads(LISTS, OLDER)).toEqual([
    { data, hasNext: true },
    {
      incremental: [
        { label: 'more', path: ['products', 0], data: first },
        { label: 'more', path: ['products', 1], data: second },
      ],
      hasNext: false,
    },
  ])
  expect(await payloads(LISTS, NEWER)).toEqual([
    {
      data,
      pending: [
        { id: '0', label: 'more', path: ['products', 0] },
        { id: '1', label: 'more', path: ['products', 1] },
      ],
      hasNext: true,
    },
    {
      incremental: [
        { id: '0', data: first },
        { id: '1', data: second },
      ],
      completed: [{ id: '0' }, { id: '1' }],
      hasNext: false,
    },
  ])
})

test.each<[string, string, Json]>([
  ['`if` is false by a variable', LISTS, { later: false }],
  ['`if` is false', '{ product { id ... @defer(if: false) { name } } }', {}],
  ['the fragment is skipped', '{ fast ... @defer @include(if: false) { slow } }', {}],
  ['its object is null', '{ none { id ... @defer { name } } }', {}],
])('nothing comes later where %s', async (_name, query, variables) => {
  const operation = await graph.supergraph.prepare(query)
  if (!('run' in operation)) throw new AggregateError(operation)
  const result = await operation.run(variables, CALM, true)
  expect(result.rest).toBeUndefined()
  expect(result.text).toBe((await operation.run(variables, CALM)).text)
})

test('clients of `incrementalSpec` get nothing twice', async () => {
  const query =
    '{ product { details { size } ... @defer { id details { size weight } } } shop { name ... @defer { name } } }'
  const [first, ...later] = await payloads(query, NEWER)
  expect(first?.data).toEqual({ product: { details: { size: 1 } }, shop: { name: 'corner' } })
  const parts = later.flatMap(({ incremental = [] }) => incremental)
  expect(parts).toEqual([
    { id: '0', subPath: ['details'], data: { weight: 2 } },
    { id: '0', data: { id: 'p1' } },
  ])
  const completed = later.flatMap((one) => one.completed ?? [])
  expect(completed.map(({ id }) => id).sort()).toEqual(['0', '1'])
})

test('an error stays in the part that it is in', async () => {
  const query = '{ product { id ... @defer(label: "w") { wrong score } } }'
  const errors = [{ path: ['product', 'wrong'] }]
  const part = { data: { wrong: null, score: 5 }, errors }
  const first = { data: { product: { id: 'p1' } }, hasNext: true }
  const [older, later] = await payloads(query, OLDER)
  expect(older).toEqual(first)
  expect(later).toMatchObject({ incremental: [{ label: 'w', ...part }], hasNext: false })
  const [newer, behind] = await payloads(query, NEWER)
  expect(newer).toEqual({ ...first, pending: [{ id: '0', label: 'w', path: ['product'] }] })
  expect(behind).toMatchObject({ incremental: [{ id: '0', ...part }], completed: [{ id: '0' }] })
})

test('a null that bubbles ends at the part', async () => {
  const query = '{ product { id ... @defer { must } } fast }'
  const first = { product: { id: 'p1' }, fast: 'fast' }
  const errors = [{ path: ['product', 'must'] }]
  expect(await payloads(query, OLDER)).toMatchObject([
    { data: first },
    { incremental: [{ path: ['product'], data: null, errors }], hasNext: false },
  ])
  const [, last] = await payloads(query, NEWER)
  expect(last).toMatchObject({ completed: [{ id: '0', errors }], hasNext: false })
  expect(last).not.toHaveProperty('incremental')
})

test('a fragment that stands in several places comes to each of them', async () => {
  const query = `{ one: product(id: "a") { ...P } two: product(id: "b") { ...P } }
    fragment P on Product { id ... @defer(label: "n") { name score } }`
  const { data, count } = await mergedOf(payloadsOf(await graph.supergraph.prepare(query), NEWER))
  expect(data).toEqual({
    one: { id: 'a', name: 'name of a', score: 5 },
    two: { id: 'b', name: 'name of b', score: 5 },
  })
  expect(count).toBeGreaterThan(1)
})

test('what a mutation returns may come later', async () => {
  expect(await payloads('mutation { buy { id ... @defer { score } } }', OLDER)).toMatchObject([
    { data: { buy: { id: 'p1' } } },
    { incremental: [{ path: ['buy'], data: { score: 5 } }] },
  ])
})

test.each([
  ['mutation { ... @defer { buy { id } } }', 'cannot be used on the root type'],
  ['query ($l: String) { ... @defer(label: $l) { fast } }', 'must have a label that is a text'],
  ['{ ... @defer(label: "a") { fast } ... @defer(label: "a") { slow } }', 'must be used once'],
  ['{ fast @defer }', 'may not be used on FIELD'],
])('%s is refused', async (query, message) => {
  const errors = await graph.supergraph.prepare(query)
  expect(errors).toEqual([
    expect.objectContaining({
      message: expect.stringContaining(message),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    }),
  ])
})

test('a response that grows too large with its parts ends with the limit', async () => {
  const small = loadSupergraph(graph.sdl, graph.links, SILENT, { maxResponse: 400 })
  const query = `{ product { id ... @defer { ${Array.from({ length: 20 }, (_, n) => `n${n}: name`)} } } }`
  const all = payloadsOf(await small.prepare(query), OLDER)
  expect((await all.next()).value).toMatchObject({ data: { product: { id: 'p1' } } })
  await expect(all.next()).rejects.toThrow('OPERATION_MAX_RESPONSE')
})

test('random operations have the data of the whole operation in the end', async () => {
  const ours = await ourGraph()
  try {
    for (const [index, { schema, supergraph }] of [graph, ours].entries()) {
      const random = seededRandom(7 + index)
      for (let cases = 0; cases < 15; cases++) {
        const drawn = randomOperation(schema, random, undefined, [OperationTypeNode.QUERY])
        const query = print(withRandomDefers(parse(drawn.query), random))
        const operation = await supergraph.prepare(query)
        if (!('run' in operation)) throw new AggregateError(operation, query)
        const { data } = JSON.parse((await operation.run(drawn.variables, CALM)).text)
        for (const spec of [OLDER, NEWER]) {
          const merged = await mergedOf(payloadsOf(operation, spec, drawn.variables))
          if (!merged.hasFailed && !isDeepStrictEqual(merged.data, data))
            expect({ query, spec, data: merged.data }).toEqual({ query, spec, data })
        }
      }
    }
  } finally {
    await ours.stop()
  }
})
