import { gql, type Suite } from '../../../support/federation/suite.ts'

/** `@provides`, `@external`, `@shareable` and `@override`. */
export const sharing: Suite = {
  name: 'provides, shareable, override',
  subgraphs: {
    reviews: {
      sdl: gql`
        type Query { reviews: [Review!]! version: String! @shareable stats: Stats! @shareable }
        type Review @key(fields: "id") {
          id: ID! body: String author: User @provides(fields: "name address { city }") subject: User
        }
        type User @key(fields: "id") { id: ID! name: String @external address: Address @external }
        type Address { city: String @external }
        type Stats @shareable { reviews: Int }
      `,
      resolvers: {
        Query: {
          reviews: () => [
            {
              id: 'r1',
              body: 'fine',
              author: { id: 'u1', name: 'provided', address: { city: 'provided city' } },
              subject: { id: 'u1' },
            },
            { id: 'r2', body: null, author: null, subject: { id: 'u2' } },
          ],
          version: () => 'v',
          stats: () => ({ reviews: 2 }),
        },
        Review: { __resolveReference: ({ id }: { id: string }) => ({ id, body: `body of ${id}` }) },
      },
    },
    users: {
      sdl: gql`
        type Query { version: String! @shareable stats: Stats! @shareable }
        type User @key(fields: "id") { id: ID! name: String @shareable address: Address @shareable mail: String @override(from: "legacy") }
        type Address { city: String @shareable street: String }
        type Stats @shareable { users: Int }
      `,
      resolvers: {
        Query: { version: () => 'v', stats: () => ({ users: 2 }) },
        User: {
          __resolveReference: ({ id }: { id: string }) => ({
            id,
            name: `name of ${id}`,
            address: { city: `city of ${id}`, street: `street of ${id}` },
            mail: `new mail of ${id}`,
          }),
        },
      },
    },
    legacy: {
      sdl: gql`
        type User @key(fields: "id") { id: ID! mail: String fax: String reviews: [Review!] }
        type Review @key(fields: "id", resolvable: false) { id: ID! }
      `,
      resolvers: {
        User: {
          __resolveReference: ({ id }: { id: string }) => ({
            id,
            mail: 'old mail',
            fax: 'fax',
            reviews: id === 'u1' ? [{ id: 'r1' }] : null,
          }),
        },
      },
    },
  },
  operations: [
    {
      rule: 'what a path provides is not asked for again',
      query: '{ reviews { author { name address { city } } subject { name } } }',
      data: {
        reviews: [
          {
            author: { name: 'provided', address: { city: 'provided city' } },
            subject: { name: 'name of u1' },
          },
          { author: null, subject: { name: 'name of u2' } },
        ],
      },
    },
    {
      rule: 'an object is completed where a path provides a part of it',
      query: '{ reviews { author { address { street } mail fax } } }',
      data: {
        reviews: [
          { author: { address: { street: 'street of u1' }, mail: 'new mail of u1', fax: 'fax' } },
          { author: null },
        ],
      },
    },
    {
      rule: 'a shared field is asked for once, and a shared object is put together',
      query: '{ version stats { reviews users } }',
      data: { version: 'v', stats: { reviews: 2, users: 2 } },
    },
    {
      rule: 'an entity leads through three subgraphs and back',
      query: '{ reviews { subject { reviews { id body } } } }',
      data: {
        reviews: [
          { subject: { reviews: [{ id: 'r1', body: 'body of r1' }] } },
          { subject: { reviews: null } },
        ],
      },
    },
  ],
}
