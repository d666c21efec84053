import { gql, type Suite } from '../../../support/federation/suite.ts'

const a = {
  sdl: gql`
    schema { query: RootQ mutation: RootM }
    type RootQ { ps: [P] self: RootQ }
    type RootM { add: P query: RootQ }
    type P @key(fields: "id") { id: ID! }
  `,
  resolvers: {
    RootQ: { ps: () => [{ id: 'p1' }], self: () => ({}) },
    RootM: { add: () => ({ id: 'p2' }), query: () => ({}) },
  },
}

/** Subgraphs name their root types as they like. */
export const rootTypes: Suite = {
  name: 'renamed root types',
  subgraphs: {
    a,
    b: {
      sdl: gql`
        type Query { other: Int }
        type P @key(fields: "id") { id: ID! name: String }
      `,
      resolvers: {
        Query: { other: () => 3 },
        P: { name: ({ id }: { id: string }) => `name of ${id}` },
      },
    },
  },
  notRandom: 'Apollo asks such subgraphs for types that they do not have',
  operations: [
    {
      rule: 'a conditional fragment on Query reaches a subgraph that names it otherwise',
      query:
        'query ($c: Boolean!) { ... on Query @include(if: $c) { ps { id name } self { ... on Query @include(if: $c) { ps { id } } } } }',
      variables: { c: true },
      data: { ps: [{ id: 'p1', name: 'name of p1' }], self: { ps: [{ id: 'p1' }] } },
      apolloFault: 'it asks for the type Query',
    },
    {
      rule: 'a field that returns Query has its name in the supergraph',
      query: '{ self { __typename ps { id } other } }',
      data: { self: { __typename: 'Query', ps: [{ id: 'p1' }], other: 3 } },
      apolloFault: 'it refuses the name in the subgraph',
    },
    {
      rule: 'a conditional fragment on Mutation reaches a subgraph that names it otherwise',
      query:
        'mutation ($c: Boolean!) { ... on Mutation @include(if: $c) { add { name } query { __typename ps { name } } } }',
      variables: { c: true },
      data: {
        add: { name: 'name of p2' },
        query: { __typename: 'Query', ps: [{ name: 'name of p1' }] },
      },
      apolloFault: 'it asks for the type Mutation',
    },
  ],
}
