import { gql, type Suite } from '../../../support/federation/suite.ts'

const users = [
  { id: 'u1', email: 'ada@example.org', tenant: 't1', nick: 'ada', visits: 3 },
  { id: 'u2', email: 'bob@example.org', tenant: 't1', nick: 'bob', visits: null },
  { id: 'u3', email: 'eve@example.org', tenant: 't2', nick: 'ada', visits: 7 },
]

/** Simple, compound, nested and several keys, and a chain of them. */
export const keys: Suite = {
  name: 'keys',
  subgraphs: {
    accounts: {
      sdl: gql`
        type Query { users: [User!]! user(id: ID!): User rooms: [Room!]! }
        type User @key(fields: "id") @key(fields: "email") { id: ID! email: String! name: String }
        type Room @key(fields: "house { id } number") { house: House! number: Int! size: Int }
        type House { id: ID! }
      `,
      resolvers: {
        Query: {
          users: () => users,
          user: (_root: unknown, { id }: { id: string }) =>
            users.find((user) => user.id === id) ?? null,
          rooms: () => [
            { house: { id: 'h1' }, number: 1, size: 10 },
            { house: { id: 'h1' }, number: 2, size: 20 },
            { house: { id: 'h2' }, number: 1, size: 30 },
            { house: { id: 'h1' }, number: 1, size: 10 },
          ],
        },
        User: {
          __resolveReference: ({ id, email }: { id?: string; email?: string }) =>
            users.find((user) => user.id === id || user.email === email) ?? null,
          name: ({ nick }: { nick: string }) => nick.toUpperCase(),
        },
      },
    },
    tenants: {
      sdl: gql`
        type User @key(fields: "email") @key(fields: "tenant nick") { email: String! tenant: ID! nick: String! }
      `,
      resolvers: {
        User: {
          __resolveReference: ({
            email,
            tenant,
            nick,
          }: {
            email?: string
            tenant?: string
            nick?: string
          }) =>
            users.find(
              (user) => user.email === email || (user.tenant === tenant && user.nick === nick),
            ) ?? null,
        },
      },
    },
    statistics: {
      sdl: gql`
        type User @key(fields: "tenant nick") { tenant: ID! nick: String! visits: Int }
        type Room @key(fields: "house { id } number") { house: House! number: Int! bookings(from: Int = 0): [Booking!]! }
        type House { id: ID! @shareable }
        type Booking { day: Int! by: User }
        extend type Query { bestUser: User }
      `,
      resolvers: {
        Query: { bestUser: () => ({ tenant: 't2', nick: 'ada' }) },
        User: {
          visits: ({ tenant, nick }: { tenant: string; nick: string }) =>
            users.find((user) => user.tenant === tenant && user.nick === nick)?.visits,
        },
        Room: {
          bookings: (
            { house, number }: { house: { id: string }; number: number },
            { from }: { from: number },
          ) =>
            house.id === 'h1'
              ? [
                  { day: from + number, by: { tenant: 't1', nick: 'bob' } },
                  { day: from, by: null },
                ]
              : [],
        },
      },
    },
  },
  operations: [
    {
      rule: 'a chain of keys leads through a subgraph that only knows both',
      query: '{ users { id visits } }',
      data: {
        users: [
          { id: 'u1', visits: 3 },
          { id: 'u2', visits: null },
          { id: 'u3', visits: 7 },
        ],
      },
    },
    {
      rule: 'the same chain leads back from a compound key',
      query: '{ bestUser { name email id } }',
      data: { bestUser: { name: 'ADA', email: 'eve@example.org', id: 'u3' } },
    },
    {
      rule: 'nested key fields identify an entity, also one that stands twice in a list',
      query: '{ rooms { size bookings { day by { nick name } } } }',
      data: {
        rooms: [
          {
            size: 10,
            bookings: [
              { day: 1, by: { nick: 'bob', name: 'BOB' } },
              { day: 0, by: null },
            ],
          },
          {
            size: 20,
            bookings: [
              { day: 2, by: { nick: 'bob', name: 'BOB' } },
              { day: 0, by: null },
            ],
          },
          { size: 30, bookings: [] },
          {
            size: 10,
            bookings: [
              { day: 1, by: { nick: 'bob', name: 'BOB' } },
              { day: 0, by: null },
            ],
          },
        ],
      },
    },
    {
      rule: 'a variable reaches the subgraph whose field uses it, under a name that plans use too',
      query:
        'query ($representations: Int, $id: ID!) { user(id: $id) { tenant } rooms { bookings(from: $representations) { day } } }',
      variables: { representations: 5, id: 'u3' },
      data: {
        user: { tenant: 't2' },
        rooms: [
          { bookings: [{ day: 6 }, { day: 5 }] },
          { bookings: [{ day: 7 }, { day: 5 }] },
          { bookings: [] },
          { bookings: [{ day: 6 }, { day: 5 }] },
        ],
      },
      apolloFault: 'it declares a variable of the client twice that is called representations',
    },
    {
      rule: 'an alias that is called like a key field does not take its place',
      query:
        '{ users { id: name email: id visits } bestUser { nick: tenant tenant: visits name } }',
      data: {
        users: [
          { id: 'ADA', email: 'u1', visits: 3 },
          { id: 'BOB', email: 'u2', visits: null },
          { id: 'ADA', email: 'u3', visits: 7 },
        ],
        bestUser: { nick: 't2', tenant: 7, name: 'ADA' },
      },
      apolloFault: 'it sends the alias as the key',
    },
    {
      rule: 'an unknown entity is null',
      query: '{ user(id: "none") { visits } }',
      data: { user: null },
    },
    {
      rule: 'an alias may be called __proto__ or constructor',
      query: '{ __proto__: user(id: "u1") { constructor: visits __proto__: tenant } }',
      data: JSON.parse('{ "__proto__": { "constructor": 3, "__proto__": "t1" } }'),
    },
  ],
}

const parts = [
  { id: '1', serial: 's1', maker: { name: 'acme', plant: 'x', line: 'l1' }, title: 'Bolt' },
  { id: '2', serial: 's2', maker: { name: 'acme', plant: 'y', line: 'l2' }, title: 'Nut' },
]

/** Keys with `resolvable: false`. */
export const nonResolvableKeys: Suite = {
  name: 'non-resolvable keys',
  subgraphs: {
    catalog: {
      sdl: gql`
        type Part @key(fields: "id") @key(fields: "serial", resolvable: false)
          @key(fields: "maker { name plant }", resolvable: false) {
          id: ID! serial: ID! @shareable maker: Maker! @shareable title: String!
        }
        type Maker @shareable { name: String! plant: String! line: String! }
      `,
      resolvers: {
        Part: {
          __resolveReference: ({ id }: { id?: string }) => {
            if (!id) throw new Error('Only the key id is resolvable')
            return parts.find((part) => part.id === id) ?? null
          },
        },
      },
    },
    warehouse: {
      sdl: gql`
        type Query { boxes: [Box!]! }
        type Box @key(fields: "id") { id: ID! parts: [Part!]! note: Note }
        type Part @key(fields: "maker { name plant }", resolvable: false)
          @key(fields: "id maker { plant line }") @key(fields: "id", resolvable: false) {
          id: ID! serial: ID! @shareable maker: Maker! @shareable title: String! @external label: String! @requires(fields: "title")
        }
        type Maker @shareable { name: String! plant: String! line: String! }
        type Note @key(fields: "id", resolvable: false) { id: ID! }
      `,
      resolvers: {
        Query: {
          boxes: () => [
            { id: 'b1', parts: parts.map(({ title: _, ...part }) => part), note: { id: 'n1' } },
          ],
        },
        Part: {
          __resolveReference: ({
            id,
            maker,
            title,
          }: {
            id?: string
            maker?: { line?: string }
            title?: string
          }) => {
            if (!id || !maker?.line)
              throw new Error('Only the key id, plant and line is resolvable')
            const part = parts.find((one) => one.id === id)
            return part ? { ...part, title } : null
          },
          label: ({ title }: { title?: string }) => (title ? `<${title}>` : null),
        },
      },
    },
    notes: {
      sdl: gql`
        type Note @key(fields: "id") { id: ID! text: String }
      `,
      resolvers: { Note: { text: ({ id }: { id: string }) => `text of ${id}` } },
    },
  },
  operations: [
    {
      rule: 'to come back for a required field, a key is taken that the subgraph resolves',
      query: '{ boxes { parts { id title label } } }',
      data: {
        boxes: [
          {
            parts: [
              { id: '1', title: 'Bolt', label: '<Bolt>' },
              { id: '2', title: 'Nut', label: '<Nut>' },
            ],
          },
        ],
      },
      apolloFault: 'it takes the first key it finds, which is not resolvable',
    },
    {
      rule: 'a reference with a key that is not resolvable there leads to who resolves it',
      query: '{ boxes { id note { id text } } }',
      data: { boxes: [{ id: 'b1', note: { id: 'n1', text: 'text of n1' } }] },
    },
  ],
  notRandom: 'it takes keys that are not resolvable',
}
