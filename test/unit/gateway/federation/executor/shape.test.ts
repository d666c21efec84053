import {
  buildSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLObjectType,
  parse,
} from 'graphql'
import type { Json } from '../../../../../gateway/federation/executor/own.ts'
import { Selection } from '../../../../../gateway/federation/executor/selection.ts'
import { compileShape } from '../../../../../gateway/federation/executor/shape.ts'
import { keyFor } from '../../../../support/gathered-key.ts'

const schema = buildSchema(`
  enum Color { RED GREEN } scalar Any
  interface Node { id: ID name: String } union Thing = A | B
  type A implements Node { id: ID name: String only: Int! b: B child: A }
  type B implements Node { id: ID name: String must: B! }
  type Query {
    int: Int float: Float text: String flag: Boolean id: ID color: Color any: Any a: A b: B node: Node thing: Thing
    mustInt: Int! mustA: A! ints: [Int] intsMust: [Int!] grid: [[Int!]!] gridLoose: [[Int!]] mustList: [Int!]! nodes: [Node!] lists: [[A]]
  }`)

function shapeOf(query: string) {
  const document: DocumentNode = parse(query)
  const [operation] = document.definitions
  if (operation?.kind !== 'OperationDefinition') throw new Error('An operation comes first')
  const fragments = Object.fromEntries(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === 'FragmentDefinition')
      .map((one) => [one.name.value, one]),
  )
  const selection = new Selection(schema, fragments, [
    { nodes: operation.selectionSet.selections, conditions: [] },
  ])
  const shape = compileShape(schema, schema.getQueryType() as GraphQLObjectType, selection)
  return (data: Json, variables: Json, room = Number.POSITIVE_INFINITY) => {
    const run = { data, variables, errors: [] as GraphQLError[], room }
    return { data: shape(run, () => false), errors: run.errors, room: run.room }
  }
}

test('faults are kept for as long as the response has room for them', () => {
  const { errors, room } = shapeOf('{ ints }')({ ints: Array(10_000).fill('none') }, {}, 100_000)
  expect(room).toBeLessThan(0)
  expect(JSON.stringify(errors).length).toBeLessThan(100_000)
  expect(errors.length).toBeGreaterThan(100)
})

const shaped = (query: string, data: Json, variables: Json = {}) => {
  const result = shapeOf(query)(data, variables)
  return {
    text: JSON.stringify(result.data),
    paths: result.errors.map(({ path }) => path?.join('.')),
  }
}

describe('nulls', () => {
  test.each<[string, string, Json, string, string[]]>([
    ['a field that may be null stays null', '{ int }', { int: null }, '{"int":null}', []],
    ['a missing field is null', '{ int a { id } }', {}, '{"int":null,"a":null}', []],
    [
      'a field that must not be null takes the data',
      '{ int mustInt }',
      { int: 1 },
      'null',
      ['mustInt'],
    ],
    [
      'or the nearest object that may be null',
      '{ a { id only } }',
      { a: { id: 1 } },
      '{"a":null}',
      ['a.only'],
    ],
    [
      'over several objects',
      '{ a { b { must { must { id } } } } }',
      { a: { b: { must: { must: null } } } },
      '{"a":{"b":null}}',
      ['a.b.must.must'],
    ],
    ['an item that may be null stays', '{ ints }', { ints: [1, null] }, '{"ints":[1,null]}', []],
    [
      'one that must not takes the list',
      '{ intsMust }',
      { intsMust: [1, null, null] },
      '{"intsMust":null}',
      ['intsMust.1', 'intsMust.2'],
    ],
    [
      'or the list around it',
      '{ grid gridLoose }',
      { grid: [[1], [null]], gridLoose: [[1], [null]] },
      '{"grid":null,"gridLoose":[[1],null]}',
      ['grid.1.0', 'gridLoose.1.0'],
    ],
    [
      'or, with a list that must not be null, the data',
      '{ int mustList }',
      { mustList: [null] },
      'null',
      ['mustList.0'],
    ],
    [
      'objects of a list fall alone where they may',
      '{ lists { only } }',
      { lists: [[{ only: 1 }, { only: null }], null] },
      '{"lists":[[{"only":1},null],null]}',
      ['lists.0.1.only'],
    ],
  ])('%s', (_rule, query, data, text, paths) => {
    expect(shaped(query, data)).toEqual({ text, paths })
  })
})

describe('values that do not fit', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['int', [0, -(2 ** 31), 2 ** 31 - 1], [2 ** 31, -(2 ** 31) - 1, 1.5, '1', true, {}]],
    ['float', [0, 1.5, -3], ['1.5', true, [1]]],
    ['text', ['', 'x'], [1, false, ['x']]],
    ['flag', [true, false], [0, 'true']],
    ['id', ['x', 7], [1.5, true, {}]],
    ['color', ['RED'], ['BLUE', 'toString', 1]],
    ['any', [1, 'x', { a: [null] }, []], []],
    ['ints', [[], [1]], [1, { length: 0 }, 'x']],
    ['a { id }', [{ id: 'x' }], [1, 'x', [{}], { __typename: 'B' }, { __typename: 'Nothing' }]],
  ])('%s', (field, good, bad) => {
    const key = field.split(' ')[0] as string
    for (const value of good)
      expect(shaped(`{ ${field} }`, { [key]: value })).toEqual({
        text: JSON.stringify({ [key]: value }),
        paths: [],
      })
    for (const value of bad)
      expect(shaped(`{ ${field} }`, { [key]: value })).toEqual({
        text: `{"${key}":null}`,
        paths: [key],
      })
  })
})

describe('abstract types', () => {
  test('fields are those of the type that the object names', () => {
    const query = '{ node { __typename id ... on A { only } ... on B { name } } }'
    expect(shaped(query, { node: { __typename: 'A', id: 1, only: 2, name: 'x' } }).text).toBe(
      '{"node":{"__typename":"A","id":1,"only":2}}',
    )
    expect(shaped(query, { node: { __typename: 'B', id: 1, only: 2, name: 'x' } }).text).toBe(
      '{"node":{"__typename":"B","id":1,"name":"x"}}',
    )
  })

  test('an interface object shows its fields while its type is not asked for', () => {
    expect(shaped('{ node { id } }', { node: { __typename: 'Node', id: 1 } }).text).toBe(
      '{"node":{"id":1}}',
    )
    expect(shaped('{ node { id } }', { node: { id: 1 } }).text).toBe('{"node":{"id":1}}')
    expect(shaped('{ node { id __typename } }', { node: { __typename: 'Node', id: 1 } })).toEqual({
      text: '{"node":null}',
      paths: ['node.__typename'],
    })
  })

  test('a union needs a type', () => {
    expect(shaped('{ thing { ... on A { id } } }', { thing: { id: 1 } })).toEqual({
      text: '{"thing":null}',
      paths: ['thing'],
    })
    expect(shaped('{ thing { ... on A { id } } }', { thing: { __typename: 'B' } }).text).toBe(
      '{"thing":{}}',
    )
  })
})

describe('what is selected', () => {
  test('occurrences of a field are one, with all that they select', () => {
    const query =
      '{ a { id } ... { a { child { id } } } ...F } fragment F on Query { a { name child { name } } }'
    expect(shaped(query, { a: { id: 1, name: 'n', child: { id: 2, name: 'm' } } }).text).toBe(
      '{"a":{"id":1,"child":{"id":2,"name":"m"},"name":"n"}}',
    )
  })

  test.each<[Json, string]>([
    [{ x: true, y: false }, '{"a":{"id":1}}'],
    [{ x: false, y: true }, '{"a":{"name":"n"},"int":5}'],
    [{ x: true, y: true }, '{"a":{"id":1,"name":"n"},"int":5}'],
    [{ x: false, y: false }, '{}'],
  ])('an occurrence counts with %j', (variables, text) => {
    const query =
      'query ($x: Boolean!, $y: Boolean!) { a @include(if: $x) { id } a @include(if: $y) { name } int @include(if: $y) @skip(if: false) text @skip(if: true) }'
    expect(shaped(query, { a: { id: 1, name: 'n' }, int: 5 }, variables).text).toBe(text)
  })

  test('fields come in the order of the occurrences that count', () => {
    const query = 'query ($x: Boolean!) { int @include(if: $x) text int }'
    expect(shaped(query, { int: 1, text: 't' }, { x: true }).text).toBe('{"int":1,"text":"t"}')
    expect(shaped(query, { int: 1, text: 't' }, { x: false }).text).toBe('{"text":"t","int":1}')
  })

  test('aliases called like inherited properties are fields like others', () => {
    const query = '{ __proto__: a { constructor: id __proto__: name } toString: int }'
    const data = JSON.parse(
      `{"${keyFor('__proto__: a')}":{"${keyFor('constructor: id')}":1,"${keyFor('__proto__: name')}":"n"},"__proto__":{"int":9}}`,
    )
    expect(shaped(query, data).text).toBe(
      '{"__proto__":{"constructor":1,"__proto__":"n"},"toString":null}',
    )
    expect(({} as Json).constructor).toBe(Object)
  })
})

describe('what was gathered as it was asked for', () => {
  const query = '{ a { id name b { must { id } } } ints grid }'
  const gathered = () => ({
    a: { id: '1', name: 'n', b: { must: { id: '2' } } },
    ints: [1, 2],
    grid: [[1], [2, 3]],
  })

  test('is the response', () => {
    const data = gathered()
    expect(shapeOf(query)(data, {}).data).toBe(data)
  })

  test('is the response with nulls, type names and numbers that are kept as objects, too', () => {
    const number = { toJSON: () => 1, valueOf: () => 1 }
    const data = { a: { __typename: 'A', id: null, b: null }, any: number, float: number }
    expect(shapeOf('{ a { __typename id b { id } } any float }')(data, {}).data).toBe(data)
  })

  test('is copied with null for an object that is undefined', () => {
    const data = { a: { id: '1', b: undefined } }
    const response = shapeOf('{ a { id b { id } } }')(data, {}).data
    expect(JSON.stringify(response)).toBe('{"a":{"id":"1","b":null}}')
    expect(data).toStrictEqual({ a: { id: '1', b: undefined } })
  })

  test('is kept where something beside it is not', () => {
    const data = { __typename: 'Query', ...gathered() }
    const response = shapeOf(query)(data, {}).data
    expect(JSON.stringify(response)).toBe(JSON.stringify(gathered()))
    expect(response?.a).toBe(data.a)
    expect(response?.grid).toBe(data.grid)
  })

  test.each<[string, object, string, string[]]>([
    ['a leaf that does not fit', { ints: [1, 'x'] }, '"ints":[1,null]', ['ints.1']],
    ['one within a list', { grid: [[1], ['x']] }, '"grid":null', ['grid.1.0']],
    ['a leaf that is lacking', { a: { id: '1', b: null } }, '{"id":"1","name":null,"b":null}', []],
    ['another order', { a: { name: 'n', b: null, id: '1' } }, '{"id":"1","name":"n","b":null}', []],
    [
      'a key more',
      { a: { id: '1', name: 'n', b: null, more: 1 } },
      '{"id":"1","name":"n","b":null}',
      [],
    ],
    [
      'an object further down',
      { a: { id: '1', name: 'n', b: { must: { id: {} } } } },
      '{"id":"1","name":"n","b":{"must":{"id":null}}}',
      ['a.b.must.id'],
    ],
  ])('is copied, not written to, for %s', (_, changed, text, paths) => {
    const data = { ...gathered(), ...changed }
    const before = structuredClone(data)
    const seen = shaped(query, data)
    expect(seen.text).toContain(text)
    expect(seen.paths).toEqual(paths)
    expect(data).toEqual(before)
    expect(Object.keys(JSON.parse(seen.text))).toEqual(['a', 'ints', 'grid'])
  })
})
