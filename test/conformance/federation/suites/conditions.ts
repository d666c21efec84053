import { gql, type Suite } from '../../../support/federation/suite.ts'

/** `@skip` and `@include`, and fields that occur several times. */
export const conditions: Suite = {
  name: 'skip and include',
  subgraphs: {
    a: {
      sdl: gql`
        type Query { product: Product! other: Int }
        type Product @key(fields: "id") { id: ID! price: Int! parts: [Product!]! }
      `,
      resolvers: {
        Query: {
          product: () => ({ id: 'p1', price: 7, parts: [{ id: 'p2', price: 1, parts: [] }] }),
          other: () => 1,
        },
        Product: { __resolveReference: ({ id }: { id: string }) => ({ id, price: 7, parts: [] }) },
      },
    },
    b: {
      sdl: gql`
        type Product @key(fields: "id") { id: ID! price: Int! @external taxed: Int! @requires(fields: "price") name: String }
      `,
      resolvers: {
        Product: {
          __resolveReference: (reference: object) => reference,
          taxed: ({ price }: { price: number }) => price * 2,
          name: ({ id }: { id: string }) => `name of ${id}`,
        },
      },
    },
  },
  operations: [
    {
      rule: 'a field whose variable rules it out is neither answered nor asked for',
      query:
        'query ($no: Boolean!, $yes: Boolean = true) { product { id @skip(if: $yes) taxed @include(if: $no) name @include(if: $yes) price @skip(if: $no) } }',
      variables: { no: false },
      data: { product: { name: 'name of p1', price: 7 } },
    },
    {
      rule: 'a field counts when one of its occurrences does, with what that one selects',
      query: `query ($no: Boolean!, $yes: Boolean!) {
        product @include(if: $no) { id }
        product @include(if: $yes) { name @skip(if: $no) }
        ... @include(if: $yes) { product { parts @skip(if: $yes) { id } ...More @include(if: $no) } }
      }
      fragment More on Product { price taxed }`,
      variables: { no: false, yes: true },
      data: { product: { name: 'name of p1' } },
    },
    {
      rule: 'constant conditions count as variables do',
      query:
        '{ other @skip(if: true) product { id @include(if: true) name @include(if: false) @skip(if: false) } }',
      data: { product: { id: 'p1' } },
    },
    {
      rule: 'an operation all of whose fields are ruled out is answered with nothing',
      query: 'query ($no: Boolean!) { other @skip(if: true) product @include(if: $no) { id } }',
      variables: { no: false },
      data: {},
    },
    {
      rule: 'both conditions of one field must hold',
      query:
        'query ($a: Boolean!, $b: Boolean!) { product { x: taxed @include(if: $a) @skip(if: $b) y: taxed @include(if: $b) @skip(if: $a) } }',
      variables: { a: true, b: false },
      data: { product: { x: 14 } },
    },
    {
      rule: 'an object is answered when all of its parts are ruled out',
      query:
        'query ($yes: Boolean!, $no: Boolean!) { product @include(if: $yes) { price @include(if: $no) } }',
      variables: { yes: true, no: false },
      data: { product: {} },
      apolloFault: 'it takes the condition of the only part for that of the object',
    },
    {
      rule: 'a required field that is ruled out takes no other field with it',
      query: 'query ($no: Boolean!) { product { id name taxed @include(if: $no) } other }',
      variables: { no: false },
      data: { product: { id: 'p1', name: 'name of p1' }, other: 1 },
      apolloFault: 'it asks for no field of an object that lacks what one of them requires',
    },
    {
      rule: 'the operation and the schema can be asked for, under aliases too',
      query:
        '{ a: __typename __typename product { kind: __typename } x: __type(name: "Product") { name } y: __type(name: "Query") { name fields { name } } }',
      data: {
        a: 'Query',
        __typename: 'Query',
        product: { kind: 'Product' },
        x: { name: 'Product' },
        y: { name: 'Query', fields: [{ name: 'product' }, { name: 'other' }] },
      },
    },
  ],
}
