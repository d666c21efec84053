import { buildSchema, getOperationAST, parse } from 'graphql'
import { parseExact } from '../../../../formats/json/json.ts'
import { exactJson } from '../../../../gateway/exact-json.ts'
import { compileVariables } from '../../../../gateway/federation/operation/variables.ts'

const schema = buildSchema(`
  scalar JSON
  input Item { id: ID, price: Float, prices: [Float!], count: Int, any: JSON, item: Item }
  type Query { items(item: Item, ids: [ID!], any: JSON, price: Float): Int }`)

const document = parse(
  'query ($item: Item, $ids: [ID!], $any: JSON, $price: Float) { items(item: $item, ids: $ids, any: $any, price: $price) }',
)
const operation = getOperationAST(document)
if (!operation) throw new Error('There is an operation')
const coerce = compileVariables(schema, document, operation, exactJson)
const coerced = (text: string) => coerce(parseExact(text) as Record<string, unknown>)

const NUMBER = '9007199254740993'

test.each([
  [`{"any":{"n":${NUMBER}}}`, `{"any":{"n":${NUMBER}}}`],
  [`{"any":[${NUMBER}],"price":${NUMBER}}`, `{"any":[${NUMBER}],"price":9007199254740992}`],
  [
    `{"item":{"any":${NUMBER},"prices":[0.1000000000000000055,2],"item":{"any":[${NUMBER}],"price":1e-400}}}`,
    `{"item":{"any":${NUMBER},"prices":[0.1,2],"item":{"any":[${NUMBER}],"price":0}}}`,
  ],
  [
    `{"item":{"prices":${NUMBER},"any":${NUMBER}}}`,
    `{"item":{"prices":9007199254740992,"any":${NUMBER}}}`,
  ],
])('only at Float, numbers become doubles: %s', (given, values) => {
  expect(JSON.stringify(coerced(given))).toBe(values)
})

const LOSS =
  'would lose digits, as integers are exact up to 9007199254740991: give it as a text, in quotes'

test.each([
  [`{"ids":["a",${NUMBER}]}`, `$ids[1]: ${NUMBER} ${LOSS}`],
  [`{"ids":${NUMBER},"price":${NUMBER}}`, `$ids: ${NUMBER} ${LOSS}`],
  [`{"item":{"item":{"id":${NUMBER}}}}`, `$item.item.id: ${NUMBER} ${LOSS}`],
  ['{"ids":[1.00000000000000001]}', '$ids[0]: expected ID'],
  [`{"item":{"count":${NUMBER}}}`, '$item.count: expected Int'],
])('as any other input, a number is refused at its place: %s', (given, message) => {
  expect(coerced(given)).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }])
})

test.each([
  [true, '$colour: expected RED or BLUE'],
  [false, '$colour: expected Colour'],
])('values of an enum are named where the schema is no secret: %s', (showsSchema, message) => {
  const painted = buildSchema('enum Colour { RED BLUE } type Query { paint(colour: Colour!): Int }')
  const query = parse('query ($colour: Colour!) { paint(colour: $colour) }')
  const own = compileVariables(
    painted,
    query,
    getOperationAST(query) ?? operation,
    exactJson,
    showsSchema,
  )
  expect(own({ colour: 'hush' })).toMatchObject([{ message }])
})

test('of an enum with many values, the type is named', () => {
  const many = buildSchema(
    `enum Country { ${Array.from({ length: 21 }, (_, at) => `C${at}`)} } type Query { in(country: Country): Int }`,
  )
  const query = parse('query ($country: Country) { in(country: $country) }')
  const own = compileVariables(many, query, getOperationAST(query) ?? operation, exactJson, true)
  expect(own({ country: 'hush' })).toMatchObject([{ message: '$country: expected Country' }])
})
