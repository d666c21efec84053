import type { FetchDataRewrite, QueryPlanSelectionNode } from '@apollo/query-planner'
import { buildSchema } from 'graphql'
import {
  copied,
  getOwn,
  type Json,
  mergeInto,
  setOwn,
} from '../../../../../gateway/federation/executor/own.ts'
import { representationOf } from '../../../../../gateway/federation/executor/representation.ts'
import { applyRewrites, isPassedOver } from '../../../../../gateway/federation/executor/rewrites.ts'

const schema = buildSchema(`
  interface Pet { id: ID } interface Named implements Pet { id: ID }
  type Cat implements Pet & Named { id: ID } type Dog implements Pet { id: ID }
  type Query { pet: Pet }`)
const json = (text: string): Json => JSON.parse(text)

describe('own keys', () => {
  test('are read and written alone', () => {
    const object: Json = {}
    setOwn(object, '__proto__', { polluted: true })
    expect(Object.hasOwn(object, '__proto__')).toBe(true)
    expect(getOwn({}, '__proto__')).toBeUndefined()
    expect(getOwn({}, 'toString')).toBeUndefined()
    expect(({} as Json).polluted).toBeUndefined()
  })

  test('a copy shares nothing', () => {
    const original = json('{"a":[{"b":1}],"__proto__":{"c":2}}')
    const copy = copied(original) as typeof original
    expect(JSON.stringify(copy)).toBe(JSON.stringify(original))
    ;((copy.a as Json[])[0] as Json).b = 9
    expect(original.a).toEqual([{ b: 1 }])
  })
})

describe('merging', () => {
  test.each<[string, string, string, string]>([
    ['adds and replaces', '{"a":1,"b":2}', '{"b":3,"c":4}', '{"a":1,"b":3,"c":4}'],
    ['goes into objects', '{"a":{"b":1}}', '{"a":{"c":2}}', '{"a":{"b":1,"c":2}}'],
    [
      'goes into lists of equal length',
      '{"a":[{"b":1},null]}',
      '{"a":[{"c":2},{"d":3}]}',
      '{"a":[{"b":1,"c":2},{"d":3}]}',
    ],
    [
      'goes into lists of lists',
      '{"a":[[{"b":1}]]}',
      '{"a":[[{"c":2}]]}',
      '{"a":[[{"b":1,"c":2}]]}',
    ],
    ['replaces lists of other lengths', '{"a":[1,2]}', '{"a":[3]}', '{"a":[3]}'],
    ['lets null replace', '{"a":{"b":1}}', '{"a":null}', '{"a":null}'],
    [
      'keeps dangerous keys harmless',
      '{}',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    ],
  ])('%s', (_what, target, source, expected) => {
    const data = json(target)
    mergeInto(schema, data, json(source))
    expect(JSON.stringify(data)).toBe(expected)
    expect(({} as Json).polluted).toBeUndefined()
  })

  test('lets the name of an interface replace no type', () => {
    const data: Json = { __typename: 'Cat', of: { __typename: 'Pet' } }
    mergeInto(schema, data, { __typename: 'Pet', of: { __typename: 'Cat' } })
    expect(data).toEqual({ __typename: 'Cat', of: { __typename: 'Cat' } })
  })

  test('leaves out what is undefined', () => {
    const data: Json = { a: 1 }
    mergeInto(schema, data, { a: undefined })
    expect(data).toEqual({ a: 1 })
  })
})

const field = (name: string, selections?: QueryPlanSelectionNode[]): QueryPlanSelectionNode => ({
  kind: 'Field',
  name,
  ...(selections ? { selections } : {}),
})
const on = (
  typeCondition: string,
  ...selections: QueryPlanSelectionNode[]
): QueryPlanSelectionNode => ({
  kind: 'InlineFragment',
  typeCondition,
  selections,
})

describe('a representation', () => {
  test.each<[string, Json, QueryPlanSelectionNode[], unknown]>([
    [
      'holds what is required',
      { __typename: 'Cat', id: 1, more: 2 },
      [field('__typename'), field('id')],
      { __typename: 'Cat', id: 1 },
    ],
    ['may hold null', { id: null }, [field('id')], { id: null }],
    ['is null where something is missing', { __typename: 'Cat' }, [field('id')], null],
    ['does not take what is inherited', {}, [field('toString')], null],
    [
      'holds nested fields, also of lists',
      { a: [{ b: 1, x: 2 }, null], c: { b: 3 } },
      [field('a', [field('b')]), field('c', [field('b')])],
      { a: [{ b: 1 }, null], c: { b: 3 } },
    ],
    [
      'holds what applies to its type',
      { __typename: 'Cat', id: 1 },
      [on('Pet', field('__typename')), on('Dog', field('bark')), on('Named', field('id'))],
      { __typename: 'Cat', id: 1 },
    ],
    [
      'is null where a field of one condition is missing',
      { __typename: 'Cat', id: 1 },
      [on('Cat', field('__typename'), field('id')), on('Pet', field('gone'))],
      null,
    ],
    [
      'is null where something is missing far below',
      { id: 1, a: [{ b: 1 }, null, {}] },
      [field('id'), field('a', [field('b')])],
      null,
    ],
    ['fits no condition where its type is not known', { id: 1 }, [on('Cat', field('id'))], {}],
    [
      'names required fields as the subgraph does',
      { _r06eb3771_price: 4 },
      [field('_r06eb3771_price')],
      { price: 4 },
    ],
  ])('%s', (_what, source, selections, expected) => {
    const made = representationOf(schema, source, selections)
    expect(made && { ...made }).toEqual(expected)
  })
})

describe('rewrites', () => {
  const setType: FetchDataRewrite = {
    kind: 'ValueSetter',
    path: ['... on Cat', '__typename'],
    setValueTo: 'Pet',
  }

  test('set a value where the type applies', () => {
    const list = [{ __typename: 'Cat' }, { __typename: 'Dog' }, {}]
    applyRewrites(schema, [setType], list)
    expect(list).toEqual([{ __typename: 'Pet' }, { __typename: 'Dog' }, { __typename: 'Pet' }])
  })

  test('rename a key at any depth, keeping null and false', () => {
    const data = {
      pets: [
        { __typename: 'Dog', y: false },
        { __typename: 'Dog', y: null },
        { __typename: 'Cat', y: 1 },
        null,
      ],
    }
    applyRewrites(
      schema,
      [{ kind: 'KeyRenamer', path: ['pets', '... on Dog', 'y'], renameKeyTo: '__proto__' }],
      data,
    )
    expect(data.pets.map((pet) => pet && JSON.stringify(pet))).toEqual([
      '{"__typename":"Dog","__proto__":false}',
      '{"__typename":"Dog","__proto__":null}',
      '{"__typename":"Cat","y":1}',
      null,
    ])
  })

  test('take the type from outside where the answer does not tell it', () => {
    const entity: Json = { y: 1 }
    applyRewrites(
      schema,
      [{ kind: 'KeyRenamer', path: ['... on Cat', 'y'], renameKeyTo: 'x' }],
      entity,
      'Dog',
    )
    expect(entity).toEqual({ y: 1 })
    applyRewrites(
      schema,
      [{ kind: 'KeyRenamer', path: ['... on Dog', 'y'], renameKeyTo: 'x' }],
      entity,
      'Dog',
    )
    expect(entity).toEqual({ x: 1 })
  })

  test('tell the objects that they pass over', () => {
    expect(isPassedOver(schema, [setType], { __typename: 'Dog' })).toBe(true)
    expect(isPassedOver(schema, [setType], { __typename: 'Pet' })).toBe(false)
    expect(isPassedOver(schema, [setType], { __typename: 'Query' })).toBe(false)
  })
})
