import { gql, type Suite } from '../../../support/federation/suite.ts'

interface Entity {
  id: string
}

/** Fails for what no branch asks for. */
const must = ({ id }: Entity, { size }: { size: string }) => {
  if (`${id} ${size}` === 'l1 A') throw new Error('No branch asks for this')
  return `${id}:${size}`
}

const m = { __typename: 'Movie', id: 'm', parts: [{ __typename: 'List', id: 'l1' }] }
const a = { __typename: 'Article', id: 'a', parts: [{ __typename: 'List', id: 'l2' }] }

/** Entities of one type below several, each of which asks for them otherwise. */
export const typeConditions: Suite = {
  name: 'branches by type',
  notRandom: "Apollo's executor asks the objects of every branch for the fields of one",
  subgraphs: {
    a: {
      sdl: gql`
        type Query { search: [R] nested: [[R]] }
        type Mutation { search: R }
        union R = Movie | Article
        type Movie @key(fields: "id") { id: ID! parts: [P] }
        type Article @key(fields: "id") { id: ID! parts: [P] }
        union P = List | Gallery
        type List @key(fields: "id") { id: ID! }
        type Gallery @key(fields: "id") { id: ID! }
      `,
      resolvers: {
        Query: { search: () => [m, a], nested: () => [[a], null, [m, a]] },
        Mutation: { search: () => m },
      },
    },
    b: {
      sdl: gql`
        type List @key(fields: "id") { id: ID! must(size: String): String! }
        type Gallery @key(fields: "id") { id: ID! must(size: String): String }
      `,
      resolvers: { List: { must } },
    },
  },
  operations: [
    {
      rule: 'each object is asked for what its branch asks for',
      query: `query ($m: String, $a: String) { search {
        ... on Movie { id parts { ... on List { must(size: $m) } } }
        ... on Article { id parts { ... on List { must(size: $a) } } }
      } }`,
      variables: { m: 'M', a: 'A' },
      data: {
        search: [
          { id: 'm', parts: [{ must: 'l1:M' }] },
          { id: 'a', parts: [{ must: 'l2:A' }] },
        ],
      },
      apolloFault: 'it asks each object for what any branch asks for',
    },
    {
      rule: 'also within lists of lists, under aliases and conditions',
      query: `query ($yes: Boolean!) { all: nested {
        ... on Movie @include(if: $yes) { its: parts { ... on List { one: must(size: "M") } } }
        ... on Article { its: parts { ... on List { two: must(size: "A") } } }
      } }`,
      variables: { yes: true },
      data: {
        all: [
          [{ its: [{ two: 'l2:A' }] }],
          null,
          [{ its: [{ one: 'l1:M' }] }, { its: [{ two: 'l2:A' }] }],
        ],
      },
      apolloFault: 'it asks each object for what any branch asks for',
    },
    {
      rule: 'an error stands at the objects of its branch',
      query: `{ search {
        ... on Movie { parts { ... on List { must(size: "A") } } }
        ... on Article { parts { ... on List { must(size: "B") } } }
      } }`,
      data: { search: [{ parts: [null] }, { parts: [{ must: 'l2:B' }] }] },
      errors: [{ path: ['search', 0, 'parts', 0, 'must'], code: 'INTERNAL_SERVER_ERROR' }],
      apolloFault: 'it answers one with what another asks for',
    },
    {
      rule: 'after a mutation, too',
      query: `mutation { search {
        ... on Movie { parts { ... on List { must(size: "M") } } }
        ... on Article { parts { ... on List { must(size: "A") } } }
      } }`,
      data: { search: { parts: [{ must: 'l1:M' }] } },
    },
  ],
}
