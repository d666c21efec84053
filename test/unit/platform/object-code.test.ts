import { buildSchema, type GraphQLObjectType } from 'graphql'
import {
  codeAfter,
  functionOf,
  nameCode,
  plainTest,
  withCode,
} from '../../../subgraphs/platform/subgraph/object-code.ts'

test('code is made once, when a loop has run often enough', () => {
  codeAfter.objects = 2
  let made = 0
  const both = withCode(
    [],
    (value: number) => `loop ${value}`,
    () => {
      made++
      return (value) => `code ${value}`
    },
  )
  expect([1, 2, 3, 4].map((value) => both.run(value))).toEqual([
    'loop 1',
    'loop 2',
    'code 3',
    'code 4',
  ])
  expect(made).toBe(1)
})

test.each<[string, number, () => () => string]>([
  ['for many fields', 201, () => () => 'code'],
  [
    'where Node.js may make none',
    1,
    () => {
      throw new EvalError('Code generation from strings disallowed for this context')
    },
  ],
])('there is no code %s', (_when, fields, makeCode) => {
  codeAfter.objects = 1
  const both = withCode(Array(fields).fill(0), () => 'loop', makeCode)
  expect([1, 2, 3].map(() => both.run())).toEqual(['loop', 'loop', 'loop'])
})

const query = buildSchema(`enum E { A } scalar S
  type Query { text: String id: ID! int: Int float: Float! flag: Boolean e: E s: S list: [Int] }`).getQueryType() as GraphQLObjectType

/** Whether a value of a field is passed at once. */
const passes = (name: string, value: unknown): boolean => {
  const { type } = query.getFields()[name] ?? {}
  if (!type) throw new Error(`There is ${name}`)
  return functionOf<(value: unknown) => boolean>({}, `return (value) => ${plainTest(type)}`)(value)
}

test.each([
  ['text', ['', 'a'], [null, undefined, 1, {}, Symbol.iterator]],
  ['id', ['a'], [1, 1n, null]],
  ['int', [0, -1, 2 ** 31 - 1, -(2 ** 31)], [2 ** 31, 0.5, Number.NaN, '1', null, true]],
  ['float', [0.5, 1e300], [Number.NaN, Number.POSITIVE_INFINITY, '1', null]],
  ['flag', [true, false], [0, 'true', null, new Boolean(true)]],
  ['e', [], ['A']],
  ['s', [], ['A', 1]],
  ['list', [], [[1]]],
])('of %s only plain values are passed', (name, plain, others) => {
  expect(plain.filter((value) => !passes(name, value))).toEqual([])
  expect(others.filter((value) => passes(name, value))).toEqual([])
})

test('a name stays a name in code', () => {
  const name = `a"];throw 1;["\u2028`
  expect(functionOf({ known: { [name]: 7 } }, `return known[${nameCode(name)}]`)).toBe(7)
})
