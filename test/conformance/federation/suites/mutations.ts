import { gql, type Suite } from '../../../support/federation/suite.ts'

/** Mutations over two subgraphs: each `begin` starts a log of its own that the others append to. */
const logs = new Map<string, string[]>()
const append = (log: string, entry: string) => {
  const entries = logs.get(log) ?? []
  logs.set(log, entries)
  entries.push(entry)
  return { id: log, entries: [...entries] }
}

export const mutations: Suite = {
  name: 'mutations',
  notRandom: 'it has nothing but state',
  subgraphs: {
    left: {
      sdl: gql`
        type Query { log(id: ID!): Log }
        type Mutation { begin(id: ID!): Log left(id: ID!, entry: String!): Log! failLeft: Log! }
        type Log @key(fields: "id") { id: ID! entries: [String!]! @shareable }
      `,
      resolvers: {
        Query: {
          log: (_root: unknown, { id }: { id: string }) => ({ id, entries: logs.get(id) ?? [] }),
        },
        Mutation: {
          begin: (_root: unknown, { id }: { id: string }) => {
            logs.delete(id)
            return append(id, 'begin')
          },
          left: (_root: unknown, { id, entry }: { id: string; entry: string }) =>
            append(id, `left ${entry}`),
          failLeft: () => null,
        },
      },
    },
    right: {
      sdl: gql`
        type Mutation { right(id: ID!, entry: String!): Log! }
        type Log @key(fields: "id") { id: ID! entries: [String!]! @shareable length: Int }
      `,
      resolvers: {
        Mutation: {
          right: (_root: unknown, { id, entry }: { id: string; entry: string }) =>
            append(id, `right ${entry}`),
        },
        Log: {
          __resolveReference: ({ id }: { id: string }) => ({ id, entries: [] }),
          length: ({ id }: { id: string }) => logs.get(id)?.length,
        },
      },
    },
  },
  operations: [
    {
      rule: 'mutations run one after the other, in the order given, whichever subgraph has them',
      query: `mutation {
        begin(id: "1") { id }
        a: left(id: "1", entry: "a") { entries }
        b: right(id: "1", entry: "b") { entries }
        c: left(id: "1", entry: "c") { entries length }
      }`,
      data: {
        begin: { id: '1' },
        a: { entries: ['begin', 'left a'] },
        b: { entries: ['begin', 'left a', 'right b'] },
        c: { entries: ['begin', 'left a', 'right b', 'left c'], length: 4 },
      },
    },
    {
      rule: 'an answer that must not be null takes all of the data with it, after the others ran',
      query: 'mutation { begin(id: "2") { id } failLeft { id } right(id: "2", entry: "b") { id } }',
      data: null,
      errors: [{ path: ['failLeft'], code: 'INTERNAL_SERVER_ERROR' }],
    },
  ],
}
