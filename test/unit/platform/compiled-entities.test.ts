import { buildSubgraphSchema } from '@apollo/subgraph'
import { execute, type GraphQLFormattedError, getOperationAST, parse } from 'graphql'
import { withEntities } from '../../../platform/subgraph/compiled/entities.ts'
import { compileOperation } from '../../../platform/subgraph/compiled/operation.ts'
import { inOurWords } from '../../support/platform/in-our-words.ts'

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key"])
  type Query { one: Int }
  interface Media @key(fields: "id") { id: ID! }
  type Book implements Media @key(fields: "id") { id: ID! title: String! pages: [Int!] }
  type Film implements Media @key(fields: "id") { id: ID! minutes: Int }
  type Stub @key(fields: "id") { id: ID! }
`)

/** Results of a book's reference, by its id. */
const FOUND: Record<string, (id: string) => unknown> = {
  here: (id) => ({ id, title: 'One', pages: [1, 2] }),
  later: async (id) => ({ id, title: 'Two', pages: null }),
  nowhere: () => null,
  missing: () => undefined,
  rejected: () => Promise.reject(new Error('No shelf')),
  error: () => new Error('A torn book'),
  untitled: (id) => ({ id }),
  'untitled later': async (id) => ({ id, pages: ['x'] }),
  frozen: (id) => Object.freeze({ id, title: 'Three' }),
  'of another type': (id) => ({ __typename: 'Film', id, title: 'Four' }),
  thrown: () => {
    throw new Error('No library')
  },
}

const schemaOf = () =>
  buildSubgraphSchema({
    typeDefs,
    resolvers: {
      Media: {
        __resolveReference: ({ id }: { id: string }) => ({ __typename: 'Film', id, minutes: 7 }),
      },
      Book: { __resolveReference: ({ id }: { id: string }) => FOUND[id]?.(id) },
      Film: { __resolveReference: ({ id }: { id: string }) => ({ id, minutes: id.length }) },
    },
  })

const document = parse(`
  query ($representations: [_Any!]!) {
    _entities(representations: $representations) {
      __typename ... on Book { id title pages } ... on Film { minutes } ... on Stub { id }
    }
  }`)

const book = (id: string) => ({ __typename: 'Book', id })

/** Entities fail when they are read, and the order of their errors is that of time. */
const inOrder = (errors: readonly GraphQLFormattedError[] = []) =>
  errors.map((error) => JSON.stringify(error)).sort()

async function answersOf(variableValues: Record<string, unknown>) {
  const expected = await execute({ schema: schemaOf(), document, variableValues })
  const schema = withEntities(schemaOf())
  const operation = getOperationAST(document)
  if (!operation) throw new Error('There is an operation')
  const actual = await compileOperation(schema, document, operation).run(variableValues, undefined)
  const plain = ({ data, errors }: typeof actual) => ({
    data: JSON.stringify(data),
    errors: inOrder(errors?.map((error) => error.toJSON())),
  })
  return { expected: plain(inOurWords(expected)), actual: plain(actual) }
}

test.each<[string, Record<string, unknown>]>([
  ...Object.keys(FOUND)
    .filter((id) => id !== 'frozen') // @apollo/subgraph cannot define `__typename` on it
    .map((id): [string, Record<string, unknown>] => [
      `an entity that is ${id}, among others`,
      {
        representations: [book('here'), book(id), { __typename: 'Film', id: 'xy' }, book('later')],
      },
    ]),
  ['types without a reference resolver', { representations: [{ __typename: 'Stub', id: 's' }] }],
  ['an interface', { representations: [book('here'), { __typename: 'Media', id: 'm' }] }],
  ['a type that is not there', { representations: [book('here'), { __typename: 'Song' }] }],
  ['a representation without a type', { representations: [{ id: 'here' }] }],
  ['no representation', { representations: [] }],
  ['a list with null', { representations: [book('here'), null] }],
  ['no list', { representations: book('here') }],
  ['no variable', {}],
])('%s: the answer of @apollo/subgraph with graphql-js', async (_what, variables) => {
  const { expected, actual } = await answersOf(variables)
  expect(actual).toEqual(expected)
})

test('an entity that cannot be changed is read as others are', async () => {
  const { actual } = await answersOf({ representations: [book('frozen')] })
  expect(actual).toEqual({
    data: '{"_entities":[{"__typename":"Book","id":"frozen","title":"Three","pages":null}]}',
    errors: [],
  })
})

test.each(['Query', ['Book']])('%j is no entity', async (__typename) => {
  const { expected, actual } = await answersOf({ representations: [{ __typename, id: 'here' }] })
  expect(actual.data).toBe('{"_entities":[null]}')
  expect(expected.data).toBe(actual.data) // the words of their errors differ
  expect(actual.errors).toHaveLength(1)
})
