import { gql, type Suite } from '../../../support/federation/suite.ts'

/** An object type gives a field of its interface a narrower type, in another subgraph. */
export const narrowerFields: Suite = {
  name: 'narrower fields',
  subgraphs: {
    a: {
      sdl: gql`
        type Query { n: N }
        interface N { id: ID! rel: N! }
        type A implements N @key(fields: "id") { id: ID! rel: A! @external }
        type B implements N @key(fields: "id") { id: ID! rel: N! s: String }
      `,
      resolvers: { Query: { n: () => ({ __typename: 'A', id: 'a1' }) } },
    },
    b: {
      sdl: gql`type A @key(fields: "id") { id: ID! rel: A! }`,
      resolvers: { A: { rel: () => ({ id: 'a2' }) } },
    },
  },
  operations: [
    {
      rule: 'an object that no fragment is for is answered, and empty',
      query: '{ n { __typename rel { ... on B { s } } } }',
      data: { n: { __typename: 'A', rel: {} } },
      apolloFault: 'it does not fetch the object',
    },
  ],
  notRandom: 'Apollo does not fetch objects that no fragment is for',
}
