import { GraphQLError } from 'graphql'
import { explanationsOf } from '../../../../../gateway/federation/executor/unexplained.ts'

const at = (place: string) =>
  new GraphQLError('', place ? { path: place.split('.').map(step) } : undefined)
const step = (key: string) => (/^\d+$/.test(key) ? Number(key) : key)

test.each<[string, string[], string[]]>([
  ['no error', [], ['a.b', 'list.1.b', 'a']],
  ['one at the same place', ['a.b'], ['list.1.b']],
  ['one above it', ['list'], ['a.b', 'a']],
  ['one below it', ['a.b.c.0'], ['list.1.b']],
  ['one of another item', ['list.0.b'], ['a.b', 'list.1.b', 'a']],
  ['one beside it', ['a.c'], ['a.b', 'list.1.b']],
  ['one without a place, which may be about a root field', [''], ['a.b', 'list.1.b']],
])('%s', (_what, errors, left) => {
  const faults = ['a.b', 'list.1.b', 'a']
  const isExplained = explanationsOf(errors.map(at), [])
  expect(faults.filter((fault) => !isExplained(fault.split('.').map(step)))).toEqual(left)
})

test('an error explains all that its fetch was to bring, if it brought nothing', () => {
  const isExplained = explanationsOf([at('x.y')], [['a'], ['b']])
  expect([['a'], ['b', 'c'], ['c']].map(isExplained)).toEqual([true, true, false])
})
