import {
  commonPathOf,
  objectsAt,
  pathsOf,
  pathTranslator,
  readPath,
} from '../../../../../gateway/federation/executor/response-path.ts'

const a = { id: 'a' }
const b = { id: 'b' }
const c = { id: 'c' }
const root = {
  one: a,
  list: [a, null, b],
  nested: [[a], null, [b, c]],
  deep: [{ __c_1a2b3c4d_x: [c] }, { __c_1a2b3c4d_x: null }],
  none: null,
  text: 'x',
  typed: [
    { __typename: 'A', one: a },
    { __typename: 'B', one: b },
  ],
}

test.each<[string, string[], object[], unknown[]]>([
  ['the root', [], [root], [[]]],
  ['an object', ['one'], [a], [['one']]],
  [
    'a list, without its nulls',
    ['list', '@'],
    [a, b],
    [
      ['list', 0],
      ['list', 2],
    ],
  ],
  [
    'a list of lists',
    ['nested', '@', '@'],
    [a, b, c],
    [
      ['nested', 0, 0],
      ['nested', 2, 0],
      ['nested', 2, 1],
    ],
  ],
  [
    'objects below a list, under the keys of the client',
    ['deep', '@', '__c_1a2b3c4d_x', '@'],
    [c],
    [['deep', 0, 'x', 0]],
  ],
  ['objects of a type', ['', 'typed', '@|[B,C]', 'one'], [b], [['typed', 1, 'one']]],
  [
    'objects of any type',
    ['typed', '@|[]', 'one'],
    [a, b],
    [
      ['typed', 0, 'one'],
      ['typed', 1, 'one'],
    ],
  ],
  [
    'objects without a name of their type',
    ['list', '@|[B]'],
    [a, b],
    [
      ['list', 0],
      ['list', 2],
    ],
  ],
  ['null', ['none', 'x'], [], []],
  ['what has no fields', ['text', 'length'], [], []],
  ['what is inherited', ['constructor'], [], []],
  ['what is missing', ['nothing', '@'], [], []],
])('a path leads to %s', (_what, path, objects, places) => {
  expect(objectsAt(root, readPath(path))).toEqual(objects)
  expect(pathsOf(root, readPath(path))).toEqual(places)
})

test('what several objects have in common ends above the first list', () => {
  expect(commonPathOf(readPath(['a|[A]', '__c_1a2b3c4d_b', '@', 'c', '@']))).toEqual(['a', 'b'])
  expect(commonPathOf([])).toEqual([])
})

test('paths of errors lose the aliases of the plan and of the gateway', () => {
  const translate = pathTranslator({
    outputRewrites: [
      {
        kind: 'KeyRenamer',
        path: ['... on Film', 'title__alias_0'],
        renameKeyTo: '__c_1a2b3c4d_t',
      },
    ],
  } as unknown as Parameters<typeof pathTranslator>[0])
  expect(
    translate(['title__alias_0', 3, '_r06eb3771_price', '__c_1a2b3c4d___proto__', 'plain', '_r']),
  ).toEqual(['t', 3, 'price', '__proto__', 'plain', '_r'])
})
