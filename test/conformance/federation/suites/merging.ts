import { GraphQLError } from 'graphql'
import { gql, type Suite } from '../../../support/federation/suite.ts'

const users = [
  { id: 'u1', name: 'Ada' },
  { id: 'u2', name: 'Bob' },
]
const products = [
  { upc: 'p1', name: 'Lamp', price: 7, weight: 2 },
  { upc: 'p2', name: 'Desk', price: 90, weight: 30 },
]
const reviews = [
  { id: 'r1', author: { id: 'u1' }, product: { upc: 'p1' } },
  { id: 'r2', author: { id: 'u2' }, product: { upc: 'p2' } },
  { id: 'r3', author: { id: 'lost' }, product: { upc: 'p1' } },
  { id: 'r4', author: { id: 'u1' }, product: { upc: 'gone' } },
]

/** Several fetches of entities from one subgraph at the same depth of a plan. */
export const merging: Suite = {
  name: 'merged fetches',
  subgraphs: {
    users: {
      sdl: gql`type Query { users: [User!]! user(id: ID!): User } type User @key(fields: "id") { id: ID! name(short: Boolean): String! }`,
      resolvers: {
        Query: { users: () => users, user: (_root, { id }) => users.find((one) => one.id === id) },
        User: {
          async __resolveReference({ id }: { id: string }) {
            const found = users.find((one) => one.id === id)
            if (!found) throw new GraphQLError('No such user', { extensions: { code: 'LOST' } })
            return found
          },
          name: ({ name }: { name: string }, { short }: { short?: boolean }) =>
            short ? name[0] : name,
        },
      },
    },
    products: {
      sdl: gql`type Query { top: [Product!]! } type Product @key(fields: "upc") { upc: ID! name: String price: Int weight: Int }`,
      resolvers: {
        Query: { top: () => products },
        Product: {
          __resolveReference: ({ upc }: { upc: string }) =>
            products.find((one) => one.upc === upc) ?? null,
        },
      },
    },
    reviews: {
      sdl: gql`
        type User @key(fields: "id") { id: ID! reviews: [Review!] }
        type Product @key(fields: "upc") { upc: ID! reviews(last: Int): [Review!] }
        type Review { id: ID! author: User product: Product }
      `,
      resolvers: {
        User: {
          reviews: ({ id }: { id: string }) => reviews.filter((one) => one.author.id === id),
        },
        Product: {
          reviews: ({ upc }: { upc: string }, { last = 9 }: { last?: number }) =>
            reviews.filter((one) => one.product.upc === upc).slice(-last),
        },
      },
    },
    stock: {
      sdl: gql`
        type Product @key(fields: "upc") {
          upc: ID! price: Int @external weight: Int @external inStock: Boolean! freight: Int @requires(fields: "price weight")
        }
      `,
      resolvers: {
        Product: {
          // At once: a promise that is rejected would take nothing but its entity.
          __resolveReference(reference: { upc: string }) {
            if (reference.upc === 'gone') throw new GraphQLError('Nothing is counted')
            return reference
          },
          inStock({ upc }: { upc: string }) {
            if (upc === 'p2')
              throw new GraphQLError('Not counted', { extensions: { code: 'STOCK' } })
            return true
          },
          freight: ({ price, weight }: { price: number; weight: number }) =>
            price > 50 ? 0 : weight * 3,
        },
      },
    },
  },
  operations: [
    {
      rule: 'an entity is asked for in several places and with several selections',
      query: `{
        users { reviews { product { upc name } } }
        top { reviews { author { name } product { upc price freight } } freight }
      }`,
      data: {
        users: [
          {
            reviews: [
              { product: { upc: 'p1', name: 'Lamp' } },
              { product: { upc: 'gone', name: null } },
            ],
          },
          { reviews: [{ product: { upc: 'p2', name: 'Desk' } }] },
        ],
        top: [
          {
            reviews: [
              { author: { name: 'Ada' }, product: { upc: 'p1', price: 7, freight: 6 } },
              { author: null, product: { upc: 'p1', price: 7, freight: 6 } },
            ],
            freight: 6,
          },
          {
            reviews: [{ author: { name: 'Bob' }, product: { upc: 'p2', price: 90, freight: 0 } }],
            freight: 0,
          },
        ],
      },
      errors: [{ path: ['top', 0, 'reviews', 1, 'author'], code: 'LOST' }],
    },
    {
      rule: 'errors of one fetch stand at its objects alone',
      query:
        '{ user(id: "u2") { reviews { product { upc inStock } } } top { upc reviews { id product { freight name } } } }',
      data: {
        user: { reviews: [{ product: null }] },
        top: [
          {
            upc: 'p1',
            reviews: [
              { id: 'r1', product: { freight: 6, name: 'Lamp' } },
              { id: 'r3', product: { freight: 6, name: 'Lamp' } },
            ],
          },
          { upc: 'p2', reviews: [{ id: 'r2', product: { freight: 0, name: 'Desk' } }] },
        ],
      },
      errors: [{ path: ['user', 'reviews', 0, 'product', 'inStock'], code: 'STOCK' }],
    },
    {
      rule: 'a fetch that brings nothing takes no other one with it',
      query:
        '{ users { reviews { id product { inStock } } } top { reviews { product { freight } } } }',
      data: {
        users: [
          {
            reviews: [
              { id: 'r1', product: null },
              { id: 'r4', product: null },
            ],
          },
          { reviews: [{ id: 'r2', product: null }] },
        ],
        top: [
          { reviews: [{ product: { freight: 6 } }, { product: { freight: 6 } }] },
          { reviews: [{ product: { freight: 0 } }] },
        ],
      },
      errors: [{ path: ['users'], code: 'DOWNSTREAM_SERVICE_ERROR' }],
      apolloFault: 'it reports a place of its plan',
    },
    {
      rule: 'errors of an entity stand at each of its places',
      query:
        '{ users { reviews { product { reviews { author { id name } } } } } top { reviews { author { name } } } }',
      data: {
        users: [
          {
            reviews: [
              { product: { reviews: [{ author: { id: 'u1', name: 'Ada' } }, { author: null }] } },
              { product: { reviews: [{ author: { id: 'u1', name: 'Ada' } }] } },
            ],
          },
          { reviews: [{ product: { reviews: [{ author: { id: 'u2', name: 'Bob' } }] } }] },
        ],
        top: [
          { reviews: [{ author: { name: 'Ada' } }, { author: null }] },
          { reviews: [{ author: { name: 'Bob' } }] },
        ],
      },
      errors: [
        { path: ['top', 0, 'reviews', 1, 'author'], code: 'LOST' },
        { path: ['users', 0, 'reviews', 0, 'product', 'reviews', 1, 'author'], code: 'LOST' },
      ],
    },
    {
      rule: 'conditions rule out one of several fetches',
      query: `query ($no: Boolean!, $yes: Boolean!) {
        users { reviews { product @include(if: $no) { name } } }
        top { reviews { product @skip(if: $no) { name weight } author @include(if: $yes) { name } } }
      }`,
      variables: { no: false, yes: true },
      data: {
        users: [{ reviews: [{}, {}] }, { reviews: [{}] }],
        top: [
          {
            reviews: [
              { product: { name: 'Lamp', weight: 2 }, author: { name: 'Ada' } },
              { product: { name: 'Lamp', weight: 2 }, author: null },
            ],
          },
          { reviews: [{ product: { name: 'Desk', weight: 30 }, author: { name: 'Bob' } }] },
        ],
      },
      errors: [{ path: ['top', 0, 'reviews', 1, 'author'], code: 'LOST' }],
    },
    {
      rule: 'each fetch gets the variables that it uses',
      query: `query ($last: Int, $short: Boolean, $id: ID!) {
        user(id: $id) { reviews { product { reviews(last: $last) { id author { name(short: $short) } } } } }
        top { latest: reviews(last: 1) { author { name } } reviews(last: $last) { author { full: name name(short: true) } } }
      }`,
      variables: { last: 2, short: true, id: 'u1' },
      data: {
        user: {
          reviews: [
            {
              product: {
                reviews: [
                  { id: 'r1', author: { name: 'A' } },
                  { id: 'r3', author: null },
                ],
              },
            },
            { product: { reviews: [{ id: 'r4', author: { name: 'A' } }] } },
          ],
        },
        top: [
          {
            latest: [{ author: null }],
            reviews: [{ author: { full: 'Ada', name: 'A' } }, { author: null }],
          },
          {
            latest: [{ author: { name: 'Bob' } }],
            reviews: [{ author: { full: 'Bob', name: 'B' } }],
          },
        ],
      },
      errors: [
        { path: ['top', 0, 'latest', 0, 'author'], code: 'LOST' },
        { path: ['top', 0, 'reviews', 1, 'author'], code: 'LOST' },
        { path: ['user', 'reviews', 0, 'product', 'reviews', 1, 'author'], code: 'LOST' },
      ],
    },
    {
      rule: 'a variable of the client may be called as one of a merged request is',
      query: `query ($representations_0: Boolean) {
        user(id: "u1") { reviews { author { name(short: $representations_0) } } }
        top { reviews { author { name } } }
      }`,
      variables: { representations_0: true },
      data: {
        user: { reviews: [{ author: { name: 'A' } }, { author: { name: 'A' } }] },
        top: [
          { reviews: [{ author: { name: 'Ada' } }, { author: null }] },
          { reviews: [{ author: { name: 'Bob' } }] },
        ],
      },
      errors: [{ path: ['top', 0, 'reviews', 1, 'author'], code: 'LOST' }],
    },
  ],
}
