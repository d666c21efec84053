import { getOperationAST, parse } from 'graphql'
import { compileEventKey } from '../../../formats/graphql/event-key.ts'

const keyOf = (source: string, variables = {}) => {
  const document = parse(source)
  const operation = getOperationAST(document)
  if (!operation) throw new Error('No operation')
  return compileEventKey(operation, document)(variables)
}

const WATCH =
  'subscription W($query: String, $long: Boolean!) { changed(query: $query) { id text @include(if: $long) } }'

test('the arguments of a stream, and variables of them alone, make no difference to an event', () => {
  const key = keyOf(WATCH, { query: 'a', long: true })
  expect(keyOf(WATCH, { query: 'b', long: true })).toBe(key)
  expect(keyOf(WATCH.replace('$query)', '"inline")'), { long: true })).toBe(key)
})

test.each([
  ['a variable of the selection', WATCH, { long: false }],
  ['another field', WATCH.replace('{ id', '{ id more'), { long: true }],
  ['an alias', WATCH.replace('changed(', 'other: changed('), { long: true }],
  ['a default', WATCH.replace('$long: Boolean!', '$long: Boolean = false'), { long: true }],
  ['a fragment', `${WATCH.replace('{ id', '{ ...F id')} fragment F on T { b }`, { long: true }],
])('%s does', (_what, source, variables) => {
  expect(keyOf(source, variables)).not.toBe(keyOf(WATCH, { long: true }))
})

test('arguments within a fragment stay: what is not understood is not shared', () => {
  const within = (query: string) =>
    keyOf(`subscription { ...F } fragment F on Subscription { changed(query: "${query}") { id } }`)
  expect(within('a')).not.toBe(within('b'))
})
