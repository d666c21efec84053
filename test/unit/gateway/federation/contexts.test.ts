import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { graphql, parse } from 'graphql'
import { applyApolloFixes } from '../../../../gateway/federation/apollo-fixes/apply.ts'
import type { SubgraphLink } from '../../../../gateway/federation/links/link.ts'
import { loadSupergraph } from '../../../../gateway/federation/supergraph/supergraph.ts'
import { openCaller } from '../../../../platform/access/caller.ts'
import { createLogger } from '../../../../platform/process/logger.ts'

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: [
  "@key", "@context", "@fromContext", "@shareable", "@external", "@requires"])\n`
const SHOPS = `${LINK}
type Query { shops: [Shop] any: [Place] shop(id: ID!): Shop }
interface Place { id: ID! best: Item }
type Shop implements Place @key(fields: "id") @context(name: "place") {
  id: ID! currency: String items: [Item!]! best: Item shelves: [[Shelf]] mall: Mall
}
type Kiosk implements Place @key(fields: "id") @context(name: "place") { id: ID! money: String best: Item }
type Mall @context(name: "mall") { open: Open calendar: Calendar inner: Shop }
type Open { days: [Int!]! }
type Shelf { item: Item }
type Item @key(fields: "id") {
  id: ID!
  price(in: String @fromContext(field: "$place ... on Shop { currency } ... on Kiosk { money }"), digits: Int = 0): String
}
type Calendar @key(fields: "id") { id: ID! days(of: [Int] @fromContext(field: "$mall { open { days } }")): [Int!] }
`
const REVIEWS = `${LINK}
type Query { stars: Int }
type Item @key(fields: "id") { id: ID! stars: Int }
type Shop @key(fields: "id") { id: ID! stars: Int }
`
const item = (id: string) => ({ __typename: 'Item', id })
const shop = (id: string, currency: string | null, ...items: string[]) => ({
  ...{ __typename: 'Shop', id, currency, items: items.map(item), best: item(items[0] ?? 'none') },
  shelves: [[{ item: item('shelved') }, null], null],
})
const SHOP_3 = {
  ...shop('3', null, 'a'),
  mall: {
    open: { days: [1, 7] },
    calendar: { __typename: 'Calendar', id: 'c' },
    inner: shop('4', 'CHF', 'z'),
  },
}
const ROOT = {
  shops: [shop('1', 'EUR', 'a', 'b'), shop('2', 'USD', 'a'), null, SHOP_3],
  any: [shop('1', 'EUR', 'a'), { __typename: 'Kiosk', id: 'k', money: 'GBP', best: item('a') }],
  shop: SHOP_3,
}

const asked: { name: string; document: string; variables: object }[] = []
const link = (name: string, sdl: string): SubgraphLink => {
  const schema = buildSubgraphSchema({
    typeDefs: parse(sdl),
    resolvers: {
      Item: {
        __resolveReference: (reference: object) => reference,
        price: ({ id }: { id: string }, { in: unit, digits }: Record<string, unknown>) =>
          `${id} in ${unit} with ${digits}`,
        ...(name === 'reviews' && { stars: () => 5 }),
      },
      Calendar: {
        __resolveReference: (reference: object) => reference,
        days: (_: unknown, { of }: { of: number[] }) => of,
      },
      Shop: { __resolveReference: (reference: object) => reference },
      Kiosk: { __resolveReference: (reference: object) => reference },
      Place: {},
    } as never,
  })
  return {
    name,
    async execute({ document, variables }) {
      asked.push({ name, document, variables })
      const result = await graphql({
        ...{ schema, source: document, variableValues: variables, rootValue: ROOT },
      })
      return structuredClone(result) as never
    },
    async subscribe() {
      throw new Error('No subscriptions here')
    },
    async stop() {},
  }
}

const { supergraphSdl = '', errors } = composeServices(
  Object.entries({ shops: SHOPS, reviews: REVIEWS }).map(([name, sdl]) => ({
    ...{ name, url: `http://${name}`, typeDefs: parse(sdl) },
  })),
)
if (errors) throw new AggregateError(errors, String(errors))
const fixes = applyApolloFixes()
afterAll(() => fixes.undo())
const supergraph = loadSupergraph(
  supergraphSdl,
  [link('shops', SHOPS), link('reviews', REVIEWS)],
  createLogger('silent'),
  { fixes, validate: true },
)

async function run(query: string, variables: Record<string, unknown> = {}) {
  asked.splice(0)
  const operation = await supergraph.prepare(query)
  if (!('run' in operation)) throw operation[0]
  const result = await operation.run(variables, { caller: openCaller('test') })
  return JSON.parse(result.text) as unknown
}

test.each<[string, string, unknown]>([
  [
    'each item has the currency of its shop, also one that stands in several',
    '{ shops { items { price stars } } }',
    {
      shops: [
        {
          items: [
            { price: 'a in EUR with 0', stars: 5 },
            { price: 'b in EUR with 0', stars: 5 },
          ],
        },
        { items: [{ price: 'a in USD with 0', stars: 5 }] },
        null,
        { items: [{ price: 'a in null with 0', stars: 5 }] },
      ],
    },
  ],
  [
    'aliases and arguments of the client take no part in it',
    '{ shops { currency: id best { currency: id price: price(digits: 2) in: price } } }',
    {
      shops: [
        { currency: '1', best: { currency: 'a', price: 'a in EUR with 2', in: 'a in EUR with 0' } },
        { currency: '2', best: { currency: 'a', price: 'a in USD with 2', in: 'a in USD with 0' } },
        null,
        {
          currency: '3',
          best: { currency: 'a', price: 'a in null with 2', in: 'a in null with 0' },
        },
      ],
    },
  ],
  [
    'lists of lists are one level, and their nulls are left out',
    '{ shop(id: 3) { mall { inner { shelves { item { price } } } } } }',
    {
      shop: {
        mall: { inner: { shelves: [[{ item: { price: 'shelved in CHF with 0' } }, null], null] } },
      },
    },
  ],
  [
    'each type that sets the context gives a value of its own',
    '{ any { ... on Shop { best { price } } ... on Kiosk { best { price } } } }',
    { any: [{ best: { price: 'a in EUR with 0' } }, { best: { price: 'a in GBP with 0' } }] },
  ],
  [
    'a value may be a list below an object',
    '{ shop(id: 3) { mall { calendar { days } } } }',
    { shop: { mall: { calendar: { days: [1, 7] } } } },
  ],
])('%s', async (_what, query, data) => {
  expect(await run(query)).toEqual({ data })
})

test('all values are one request, and equal ones one list of entities', async () => {
  await run('{ shops { items { price } } }')
  const entities = asked.filter(({ document }) => document.includes('_entities'))
  expect(entities).toHaveLength(1)
  expect(entities[0]?.document.match(/_entities\(/g)).toHaveLength(3)
})

test('very many values are several requests, each of which a subgraph takes', async () => {
  const before = ROOT.shops
  ROOT.shops = Array.from({ length: 2_000 }, (_, nth) => shop(String(nth), `C${nth}`, 'a'))
  const result = (await run('{ shops { best { price } } }')) as { data: { shops: unknown[] } }
  ROOT.shops = before
  expect(result.data.shops[1_999]).toEqual({ best: { price: 'a in C1999 with 0' } })
  const entities = asked.filter(({ document }) => document.includes('_entities'))
  expect(entities.length).toBeGreaterThan(1)
  expect(entities.length).toBeLessThan(20)
})

test('a variable of the client that is named like one of a plan stays its own', async () => {
  const query =
    'query ($contextualArgument_1_0: Int) { shop(id: 3) { mall { inner { best { price(digits: $contextualArgument_1_0) } } } } }'
  expect(await run(query, { contextualArgument_1_0: 7 })).toEqual({
    data: { shop: { mall: { inner: { best: { price: 'z in CHF with 7' } } } } },
  })
})
