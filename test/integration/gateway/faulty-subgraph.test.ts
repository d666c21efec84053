import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type RawSubgraph, startRawSubgraph } from '../../support/gateway/raw-subgraph.ts'
import { keyFor } from '../../support/gathered-key.ts'

let shop: RawSubgraph
let gateway: FederatedGateway
beforeAll(async () => {
  shop = await startRawSubgraph(`
    enum Color { RED }
    scalar Any
    type Query { count: Int must: Int! color(of: String): Color names: [String] item: Item items: [Item!] any: Any anys: [Any] }
    type Item { id: ID! tags: [String!] }
  `)
  gateway = await startFederatedGateway(supergraphOf({ shop }))
})
afterAll(async () => {
  await gateway?.stop()
  shop?.stop()
})

const answered = async (query: string, answer: unknown) => {
  shop.answer = answer
  const { data, errors = [] } = await ask(gateway.url, query)
  return {
    data,
    errors: errors.map(({ message, path, extensions }) => [
      path?.join('.'),
      extensions.code,
      message,
    ]),
  }
}

const CODE = 'DOWNSTREAM_SERVICE_ERROR'

test.each<[string, string, unknown, unknown, string, string]>([
  [
    'a null that must not be one',
    '{ one: item { key: id } count }',
    { [keyFor('one: item')]: { [keyFor('key: id')]: null }, count: 1 },
    { one: null, count: 1 },
    'one.key',
    'Cannot return null for non-nullable field Item.id.',
  ],
  [
    'a field that is left out',
    '{ items { id } }',
    { items: [{ id: 'a' }, {}] },
    { items: null },
    'items.1.id',
    'Cannot return null for non-nullable field Item.id.',
  ],
  [
    'an item that must not be null',
    '{ item { tags } }',
    { item: { tags: ['a', null] } },
    { item: { tags: null } },
    'item.tags.1',
    'Cannot return null for non-nullable array element of type String at index 1.',
  ],
  [
    'a root field that must not be null',
    '{ must }',
    { must: null },
    null,
    'must',
    'Cannot return null for non-nullable field Query.must.',
  ],
  [
    'an object in place of a number',
    '{ count }',
    { count: { secret: 1 } },
    { count: null },
    'count',
    'Invalid value found for field Query.count.',
  ],
  [
    'a value in place of a list',
    '{ names }',
    { names: 'x' },
    { names: null },
    'names',
    'Invalid value found for field Query.names.',
  ],
  [
    'a value in place of an object',
    '{ item { id } }',
    { item: 7 },
    { item: null },
    'item',
    'Invalid value found for field Query.item.',
  ],
  [
    'a value that the enum lacks',
    '{ color }',
    { color: 'BLUE' },
    { color: null },
    'color',
    'Invalid value found for field Query.color.',
  ],
])('%s is an error of the gateway', async (_what, query, data, shown, path, message) => {
  expect(await answered(query, { data })).toEqual({ data: shown, errors: [[path, CODE, message]] })
})

test.each([1_001, 5_000, 100_000])(
  'a value that is nested %s levels deep is an error at its field, and its neighbours stay',
  async (levels) => {
    const deep = '['.repeat(levels) + ']'.repeat(levels)
    const { data, errors } = await answered(
      '{ any anys count }',
      `{"data":{"any":${deep},"anys":[1,${deep},[[2]]],"count":7}}`,
    )
    expect(data).toEqual({ any: null, anys: [1, null, [[2]]], count: 7 })
    expect(errors).toEqual([
      ['any', CODE, 'Invalid value found for field Query.any.'],
      ['anys.1', CODE, 'Invalid value found for array element of type Any at index 1.'],
    ])
  },
)

test('an error of the subgraph for that null is the only one', async () => {
  const errors = [{ message: 'gone', path: ['item', 'id'], extensions: { code: 'GONE' } }]
  const given = { data: { item: { id: null }, items: [{ id: null }] }, errors }
  expect(await answered('{ item { id } items { id } }', given)).toEqual({
    data: { item: null, items: null },
    errors: [
      ['item.id', 'GONE', 'gone'],
      ['items.0.id', CODE, 'Cannot return null for non-nullable field Item.id.'],
    ],
  })
})

test('an error that leaves no data is the only one', async () => {
  const errors = [{ message: 'gone', path: ['item', 'id'], extensions: { code: 'GONE' } }]
  expect(await answered('{ item { id } must }', { data: null, errors })).toEqual({
    data: null,
    errors: [['item.id', 'GONE', 'gone']],
  })
})

test.each<[string, unknown]>([
  ['text', 'SECRET'],
  ['a list with nothing', [null]],
  ['an object without a message', [{}]],
  ['a message that is no text', [{ message: 5 }]],
])('errors of the wrong form are one error: %s', async (_what, errors) => {
  const message = 'A subgraph answered with an error of the wrong form'
  expect(await answered('{ one: count }', { data: null, errors })).toEqual({
    data: { one: null },
    errors: [['one', CODE, message]],
  })
})

test('an error does not tell where its subgraph runs, and leaves what the client sent', async () => {
  const message =
    'https://a.example/x at http://10.0.0.5:4001/graphql (127.0.0.1:5432, /srv/a.js:7)'
  const extensions = { code: 'DOWN', url: 'http://10.0.0.5', stacktrace: ['at /srv/a.js'] }
  const errors = [{ message, path: ['color'], extensions }]
  const query = '{ color(of: "https://a.example/x") }'
  expect(await answered(query, { data: { color: null }, errors })).toEqual({
    data: { color: null },
    errors: [['color', 'DOWN', 'https://a.example/x at [url] ([address], [path])']],
  })
})
