import { buildSchema } from 'graphql'
import type { Json } from '../../../../../gateway/federation/executor/own.ts'
import { compileEntityReader } from '../../../../../gateway/federation/executor/verbatim/entity-reader.ts'
import { textOf, Verbatim } from '../../../../../gateway/federation/executor/verbatim/verbatim.ts'
import { OperationResult } from '../../../../../gateway/federation/operation/operation-result.ts'

const schema = buildSchema(`
  type Query { p: P }
  type P { name: String reviews: [Review!]! tags: [String!] maker: Maker node: Node any: Any sized(of: Int): Maker }
  type Review { id: ID! score: Float! stars: Int colour: Colour isNew: Boolean author: Maker! body: [[String]] }
  type Maker { name: String! }
  interface Node { id: ID }
  enum Colour { RED GREEN }
  scalar Any
`)
const REVIEWS = 'reviews{id score stars colour isNew author{name} body}'
const review = {
  ...{ id: 'r1', score: 4.5, stars: -3, colour: 'RED', isNew: true },
  ...{ author: { name: 'Žofia \\ "A"\n' }, body: [['a', null], null, []] },
}
const other = { ...review, ...{ id: 7, score: 12, stars: null, colour: null, isNew: null } }
const representations = [{ __typename: 'P' }, { __typename: 'P' }]

/** The entities that are read from a list in a text, if any are. */
function read(selection: string, text: string): Json[] | null {
  const found: Json[] = []
  const end = compileEntityReader(schema, selection)(text, 0, representations, found)
  return end === text.length ? found : null
}

const list = (...reviews: object[]) => JSON.stringify(reviews.map((one) => ({ reviews: [one] })))

test('lists and objects stay as they were sent, and leaves are read', () => {
  const entities = [
    { name: 'a', tags: ['x', 'y'], maker: { name: 'b' }, reviews: [review, other] },
    { name: null, tags: null, maker: null, reviews: [] },
  ]
  const found = read(`{... on P{name tags maker{name} ${REVIEWS}}}`, JSON.stringify(entities))
  expect(found?.map(({ name }) => name)).toEqual(['a', null])
  expect(found?.flatMap(({ reviews, tags, maker }) => [reviews, tags, maker])).toEqual(
    Array.from({ length: 6 }, () => expect.any(Verbatim)),
  )
  expect(textOf(found)).toBe(JSON.stringify(entities))
  expect(JSON.stringify(found)).toBe(JSON.stringify(entities))
})

test('keys of our own stay below entities alone', () => {
  const own = '__c_12345678_reviews'
  const text = `[{"${own}":[{"id":"1"}]},{"${own}":[]}]`
  expect(read(`{... on P{${own}:reviews{id}}}`, text)).toEqual([
    { [own]: new Verbatim('[{"id":"1"}]', '[{id:ID}]') },
    { [own]: new Verbatim('[]', '[{id:ID}]') },
  ])
  expect(read(`{... on P{reviews{${own}:id}}}`, text.replaceAll('reviews', 'x'))).toBeNull()
})

test.each([
  ['white space', list(review, other).replace(',', ', ')],
  ['another order', list(review, Object.fromEntries(Object.entries(other).reverse()))],
  ['a field too few', list(review, { ...other, body: undefined })],
  ['a field too many', list(review, { ...other, more: 1 })],
  ['null where none may be', list(review, { ...other, score: null })],
  ['no list', JSON.stringify([{ reviews: [review] }, { reviews: review }])],
  ['no entity', JSON.stringify([{ reviews: [review] }, null])],
  ['an entity too few', list(review)],
  ['an entity too many', list(review, other, other)],
  ['a number with an exponent', list(review, other).replace('12', '1.2e1')],
  ['a number with a needless zero', list(review, other).replace('4.5', '4.50')],
  [
    'a number that a double cannot keep',
    list(review, other).replace('4.5', '4.500000000000000001'),
  ],
  ['a large number', list(review, { ...other, stars: 2_147_483_648 })],
  ['a number below zero that is zero', list(review, other).replace('12', '-0')],
  ['a number for a text', list(review, { ...other, author: { name: 1 } })],
  ['a text for a number', list(review, { ...other, score: '1' })],
  ['an unknown name', list(review, { ...other, colour: 'BLUE' })],
  ['a character in another notation', list(review, other).replace('Ž', '\\u017d')],
  ['a control character', list(review, other).replace('\\n', '\n')],
  ['a text that ends too early', list(review, other).replace('\\"A', '"A')],
])('%s is left to be read', (_what, text) => {
  expect(read(`{... on P{${REVIEWS}}}`, list(review, other))).not.toBeNull()
  expect(read(`{... on P{${REVIEWS}}}`, text)).toBeNull()
})

test.each([
  ['leaves alone', 'name', { name: 'a' }],
  ['a custom scalar', 'maker{name} any', { maker: null, any: 1 }],
  ['an interface', 'maker{name} node{id}', { maker: null, node: null }],
  ['a condition', 'maker{name @skip(if:$no)}', { maker: { name: 'a' } }],
  ['a field that clients cannot see', 'maker{name hidden}', { maker: { name: 'a', hidden: 'b' } }],
])('%s is left to be read', (_what, selection, entity) => {
  expect(read(`{... on P{${selection}}}`, JSON.stringify([entity, entity]))).toBeNull()
})

test('whatever one character becomes, what is not left to be read is written as it would be read', () => {
  const text = list(review, other)
  let kept = 0
  for (let at = 0; at < text.length; at++)
    for (const character of [
      '',
      '0',
      '9',
      '"',
      '\\',
      ',',
      ']',
      '}',
      '-',
      '.',
      ' ',
      'x',
      '\u0000',
    ]) {
      const changed = text.slice(0, at) + character + text.slice(at + 1)
      const found = read(`{... on P{${REVIEWS}}}`, changed)
      if (!found) continue
      kept++
      expect(textOf(found)).toBe(JSON.stringify(JSON.parse(changed)))
    }
  expect(kept).toBeGreaterThan(100)
})

test('who looks into a response finds values', () => {
  const [first] = read(`{... on P{${REVIEWS}}}`, list(review, other)) ?? []
  const result = new OperationResult([], { p: first }, true)
  expect(result.text).toBe(JSON.stringify({ data: { p: { reviews: [review] } } }))
  expect({ ...result }.data).toEqual({ p: { reviews: [review] } })
  expect(JSON.stringify(result)).toBe(result.text)
})

test('objects of thousands of fields have a form, too', () => {
  const fields = Array.from({ length: 4_000 }, (_, at) => `f${at}: String`)
  const large = buildSchema(
    `type Query { p: P } type P { q: Q tags: [String] } type Q { ${fields.join(' ')} }`,
  )
  const keys = Array.from({ length: 4_000 }, (_, at) => `f${at}`)
  const text = JSON.stringify([{ q: Object.fromEntries(keys.map((key) => [key, 'x'])), tags: [] }])
  const found: Json[] = []
  const read = compileEntityReader(large, `{... on P{q{${keys.join(' ')}} tags}}`)
  expect(read(text, 0, [{ __typename: 'P' }], found)).toBe(text.length)
  expect(textOf(found)).toBe(text)
})
