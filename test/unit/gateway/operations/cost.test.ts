import { buildSchema, getOperationAST, parse } from 'graphql'
import { costTableOf } from '../../../../gateway/federation/supergraph/cost-table.ts'
import { compileActualCost } from '../../../../gateway/operations/actual-cost.ts'
import { compileCost } from '../../../../gateway/operations/cost.ts'

const schema = buildSchema(`
  interface Node { id: ID! parts: [Part!]! }
  type Part implements Node { id: ID! name: String tags: [String!]! parts: [Part!]! owner: Person! }
  type Person { name: String parts(first: Int, last: Int, after: String): Connection! recent(limit: Int = 3): [Part!]! }
  type Connection { totalCount: Int nodes: [Part!]! edges: [Edge!]! info: Info }
  type Edge { cursor: String node: Part! }
  type Info { pages: [Part!]! }
  union Found = Part | Person
  type Query { part: Part! parts: [Part!]! person: Person! node: Node! nodes(ids: [ID!]!): [Part]! found: [Found!]! }
  type Mutation { add: Part! remove: Boolean }
`)

const costOf = (text: string, variables = {}) => {
  const document = parse(text)
  const operation = getOperationAST(document)
  if (!operation) throw new Error('no operation')
  return compileCost(schema, document, operation)(variables)
}

test.each([
  ['an object', '{ part { id name } }', 1],
  ['objects in objects', '{ part { owner { name } } }', 2],
  ['single values and lists of them', '{ __typename part { tags } }', 1],
  ['a list without pages', '{ parts { owner { name } } }', 20],
  ['a page of a connection', '{ person { parts(first: 3) { nodes { id } } } }', 5],
  ['its edges', '{ person { parts(last: 3) { edges { node { id } } } } }', 8],
  ['a page whose size nobody asks for', '{ person { parts { nodes { id } } } }', 52],
  ['a count alone', '{ person { parts(first: 1000) { totalCount } } }', 2],
  ['lists further below', '{ person { parts(first: 2) { nodes { parts { id } } } } }', 24],
  [
    'a list in another object of the page',
    '{ person { parts(first: 2) { info { pages { id } } } } }',
    13,
  ],
  ['a size by default', '{ person { recent { id } } }', 4],
  ['a list with a size', '{ person { recent(limit: 7) { id } } }', 8],
  ['a size below nothing', '{ person { recent(limit: -7) { id } } }', 1],
  [
    'fragments, wherever they are spread',
    '{ a: part { ...F } b: part { ...F } } fragment F on Part { owner { name } }',
    4,
  ],
  ['a list of ids', '{ nodes(ids: ["a", "b", "b"]) { owner { name } } }', 6],
  [
    'fragments in pages',
    '{ person { parts(first: 3) { ...F } } } fragment F on Connection { nodes { id } }',
    5,
  ],
  ['an interface', '{ node { parts { id } ... on Part { owner { name } } } }', 12],
  ['a union', '{ found { ... on Part { owner { name } } ... on Person { name } } }', 20],
  [
    'the costliest type of a union',
    '{ found { ... on Part { owner { name } } ... on Person { recent { id } } } }',
    40,
  ],
  [
    'what all types have, and the costliest',
    '{ node { ... on Node { parts { id } } ... on Part { owner { name } } ... on Part { owner { name } } } }',
    13,
  ],
  ['mutations', 'mutation { add { id } ...F } fragment F on Mutation { remove a: remove }', 31],
  ['introspection', '{ __schema { types { name } } __type(name: "A") { fields { name } } }', 0],
])('%s', (_what, text, expected) => {
  expect(costOf(text)).toBe(expected)
})

test.each([
  ['a variable', { ids: Array(7).fill('a') }, 7],
  ['none', {}, 10],
  ['what is no list', { ids: 'a' }, 10],
])('a list of ids from %s', (_what, variables, expected) => {
  expect(costOf('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', variables)).toBe(expected)
})

test('a list of ids from the default of a variable', () => {
  const text = 'query ($ids: [ID!]! = ["a", "b", "c"]) { nodes(ids: $ids) { id } }'
  expect(costOf(text, {})).toBe(3)
  expect(costOf(text, { ids: Array(7).fill('a') })).toBe(7)
})

const PAGE = 'query ($n: Int = 5) { person { parts(first: $n) { nodes { id } } } }'

test.each([
  ['given', PAGE, { n: 100 }, 102],
  ['by default', PAGE, {}, 7],
  ['null', PAGE, { n: null }, 52],
  ['of another type', PAGE, { n: 'x' }, 52],
  ['left out', PAGE.replace(' = 5', ''), {}, 52],
  [
    'inherited from a prototype',
    'query ($constructor: Int) { person { parts(first: $constructor) { nodes { id } } } }',
    {},
    52,
  ],
])('a size in a variable that is %s', (_what, text, variables, expected) => {
  expect(costOf(text, variables)).toBe(expected)
})

describe('with @cost and @listSize', () => {
  const sdl = `
    schema @link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@cost", { name: "@listSize", as: "@size" }]) { query: Query mutation: Mutation }
    type Query {
      costly: Part @cost(weight: 7)
      heavy: Heavy
      shade: Shade
      shades: [Shade] @size(assumedSize: 4)
      parts: [Part] @size(assumedSize: 5)
      page(first: Int, last: Int, by: By): [Part] @size(slicingArguments: ["first", "last", "by.limit"], assumedSize: 6)
      standard(first: Int = 3): [Part] @size(slicingArguments: ["first"])
      connection(first: Int): Connection @size(slicingArguments: ["first"], sizedFields: ["nodes"])
      find(text: String @cost(weight: 20), by: By): Part
    }
    type Mutation { add: Part }
    type Part { id: ID name: String @cost(weight: 2) }
    type Heavy @cost(weight: 9) { id: ID }
    enum Shade @cost(weight: 3) { RED }
    type Connection { nodes: [Part] others: [Part] }
    input By { limit: Int fuzzy: Boolean @cost(weight: 50) }`
  const graph = buildSchema(
    `directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT
    directive @size(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
    ${sdl.replace(/schema @link\(.*?\) \{/, 'schema {')}`,
  )
  const table = costTableOf(parse(sdl))
  const compiled = (text: string) => {
    const document = parse(text)
    const operation = getOperationAST(document)
    if (!operation || !table) throw new Error('no operation')
    return {
      estimate: compileCost(graph, document, operation, table),
      actual: compileActualCost(graph, document, operation, table),
    }
  }

  test.each([
    ['the weight of a field', '{ costly { id } }', 7],
    ['the weight of a type', '{ heavy { id } }', 9],
    ['the weight of an enum', '{ shade }', 3],
    ['a list of weighed values', '{ shades }', 12],
    ['an assumed size', '{ parts { name } }', 15],
    ['a slicing argument', '{ page(first: 2) { id } }', 2],
    ['the largest slicing argument', '{ page(first: 2, last: 4) { id } }', 4],
    ['a slicing argument in an input object', '{ page(by: { limit: 3 }) { id } }', 3],
    ['no slicing argument', '{ page { id } }', 6],
    ['the default of a slicing argument', '{ standard { id } }', 3],
    ['sized fields', '{ connection(first: 3) { nodes { id } } }', 4],
    ['fields beside them', '{ connection(first: 3) { others { id } } }', 11],
    ['a weighed argument', '{ find(text: "a") { id } }', 21],
    ['a weighed field of an input object', '{ find(by: { fuzzy: true }) { id } }', 51],
  ])('%s counts', (_what, text, cost) => {
    expect(compiled(text).estimate({})).toBe(cost)
  })

  test('variables decide where they bound a list or weigh', () => {
    const { estimate } = compiled(
      'query ($n: Int, $by: By) { page(first: $n, by: $by) { id } find(by: $by) { id } }',
    )
    expect(estimate({ n: 3 })).toBe(4)
    expect(estimate({ n: 1, by: { limit: 8 } })).toBe(9)
    expect(estimate({ n: 1, by: { fuzzy: true } })).toBe(102)
  })

  test('the actual cost is that of what the response has', () => {
    const { actual } = compiled(
      '{ parts { name id } a: costly { id } ...f } fragment f on Query { parts { name } }',
    )
    expect(
      actual({ parts: [{ name: 'x', id: '1' }, { name: null, id: '2' }, null], a: { id: '3' } }),
    ).toBe(11)
    expect(actual({ parts: null, a: null })).toBe(0)
    expect(actual(null)).toBe(0)
    expect(compiled('mutation { add { id } }').actual({ add: { id: '1' } })).toBe(11)
  })
})

test('a supergraph without these directives has no table', () => {
  expect(costTableOf(parse('type Query { a: Int }'))).toBeUndefined()
})
