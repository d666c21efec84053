import { JsonPieces, listPieces, objectPieces, textPieces } from '../../../formats/json/pieces.ts'

const joined = (pieces: Iterable<string>): string => [...pieces].join('')

test.each([
  ['nothing', {}],
  ['plain values', { a: 1, b: 'c', d: null }],
  ['no value', { a: undefined, b: 1 }],
  ['names that need escapes', { '"': '\\' }],
])('an object with %s is the same as in one piece', (_, values) => {
  expect(joined(objectPieces(values))).toBe(JSON.stringify(values))
})

test.each([
  ['none', []],
  ['one', [1]],
  ['several', [1, 'b', null]],
])('values may come in pieces wherever they stand: a list of %s', (_, items) => {
  const list = () => new JsonPieces(listPieces(items, (item) => [JSON.stringify(item)]))
  const object = objectPieces({ first: list(), between: 'x', more: 1, last: list() })
  expect(joined(object)).toBe(JSON.stringify({ first: items, between: 'x', more: 1, last: items }))
})

test.each([0, 1, 2, 3])('a long text keeps its characters, behind %d others', (before) => {
  const text = `${'x'.repeat(before)}${'\u{1F600}"\n'.repeat(50_000)}\ud800`
  const pieces = [...textPieces(text)]
  expect(pieces.length).toBeGreaterThan(3)
  expect(JSON.parse(joined(pieces))).toBe(text)
  expect(Buffer.from(joined(pieces)).toString()).toBe(JSON.stringify(text))
})
