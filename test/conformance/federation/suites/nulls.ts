import { GraphQLError } from 'graphql'
import { gql, type Suite } from '../../../support/federation/suite.ts'

const fail = (message: string, code?: string) => () => {
  throw new GraphQLError(
    message,
    code ? { extensions: { code, url: 'http://inside', stacktrace: ['x'] } } : {},
  )
}

/** Null propagation, error paths and codes. */
export const nulls: Suite = {
  name: 'nulls and errors',
  subgraphs: {
    tree: {
      sdl: gql`
        type Query { nodes: [Node!] lenient: [Node] grid: [[Node!]]! strict: Node! root: Node absent: Node broken: Int denied: Int }
        type Node @key(fields: "id") { id: ID! left: Node right: Node! broken: Int }
      `,
      resolvers: {
        Query: {
          nodes: () => [{ id: 'n1' }, { id: 'n2' }],
          lenient: () => [{ id: 'n1' }, { id: 'n2' }, null, { id: 'gone' }],
          grid: () => [[{ id: 'n1' }], [{ id: 'n1' }, { id: 'n2' }], null, []],
          strict: () => ({ id: 'n2' }),
          root: () => ({ id: 'n1', left: { id: 'n2' }, right: { id: 'n3' } }),
          absent: () => ({ id: 'gone' }),
          broken: fail('no luck'),
          denied: fail('not yours', 'FORBIDDEN'),
        },
        Node: {
          right: ({ right }: { right?: object }) => right ?? { id: 'n1' },
          broken: fail('broken node', 'BROKEN'),
        },
      },
    },
    values: {
      sdl: gql`
        type Node @key(fields: "id") { id: ID! value: Int! maybe: Int list: [Int!] matrix: [[Int!]!] fails: String peers: [Node!] }
      `,
      resolvers: {
        Node: {
          __resolveReference: ({ id }: { id: string }) => (id === 'gone' ? null : { id }),
          value: ({ id }: { id: string }) => (id === 'n2' ? null : 1),
          maybe: ({ id }: { id: string }) => (id === 'n2' ? null : 2),
          list: ({ id }: { id: string }) => (id === 'n2' ? [1, null] : [1]),
          matrix: ({ id }: { id: string }) => (id === 'n2' ? [[1], [2, null]] : [[1]]),
          fails: ({ id }: { id: string }) => (id === 'n1' ? fail('fails', 'GONE')() : 'fine'),
          peers: () => [{ id: 'n1' }, { id: 'n2' }],
        },
      },
    },
  },
  operations: [
    {
      rule: 'a null that must not be one takes the list with it whose items must not be null',
      query: '{ nodes { id value } }',
      data: { nodes: null },
      errors: [{ path: ['nodes', 1, 'value'], code: 'INTERNAL_SERVER_ERROR' }],
    },
    {
      rule: 'it takes only the item where items may be null; an entity that is gone takes itself',
      query: '{ lenient { id value } }',
      data: { lenient: [{ id: 'n1', value: 1 }, null, null, null] },
      errors: [
        { path: ['lenient', 1, 'value'], code: 'INTERNAL_SERVER_ERROR' },
        { path: ['lenient', 3, 'value'], code: 'DOWNSTREAM_SERVICE_ERROR' },
      ],
      apolloFault: 'beside another error it says nothing of the entity that is gone',
    },
    {
      rule: 'a null that must not be one is an error, also where its subgraph has none',
      query: '{ gone: absent { number: value } root { id } }',
      data: { gone: null, root: { id: 'n1' } },
      errors: [{ path: ['gone', 'number'], code: 'DOWNSTREAM_SERVICE_ERROR' }],
    },
    {
      rule: 'nested lists lose the innermost list that may be null',
      query: '{ grid { value } }',
      data: { grid: [[{ value: 1 }], null, null, []] },
      errors: [{ path: ['grid', 1, 1, 'value'], code: 'INTERNAL_SERVER_ERROR' }],
    },
    {
      rule: 'a null that nothing holds takes all of the data with it',
      query: '{ strict { value } root { id } }',
      data: null,
      errors: [{ path: ['strict', 'value'], code: 'INTERNAL_SERVER_ERROR' }],
    },
    {
      rule: 'fields that may be null stop it, at every depth',
      query: '{ root { left { id value } right { value maybe } } }',
      data: { root: { left: null, right: { value: 1, maybe: 2 } } },
      errors: [{ path: ['root', 'left', 'value'], code: 'INTERNAL_SERVER_ERROR' }],
    },
    {
      rule: 'lists of numbers lose themselves, or the list around them',
      query: '{ lenient { list matrix maybe } }',
      data: {
        lenient: [
          { list: [1], matrix: [[1]], maybe: 2 },
          { list: null, matrix: null, maybe: null },
          null,
          { list: null, matrix: null, maybe: null },
        ],
      },
      errors: [
        { path: ['lenient', 1, 'list', 1], code: 'INTERNAL_SERVER_ERROR' },
        { path: ['lenient', 1, 'matrix', 1, 1], code: 'INTERNAL_SERVER_ERROR' },
      ],
    },
    {
      rule: 'errors keep their code, and their path under the aliases of the client',
      query:
        '{ a: denied broken b: root { c: left { d: broken } e: fails f: peers { g: value } } }',
      data: { a: null, broken: null, b: { c: { d: null }, e: null, f: null } },
      errors: [
        { path: ['a'], code: 'FORBIDDEN' },
        { path: ['b', 'c', 'd'], code: 'BROKEN' },
        { path: ['b', 'e'], code: 'GONE' },
        { path: ['b', 'f', 1, 'g'], code: 'INTERNAL_SERVER_ERROR' },
        { path: ['broken'], code: 'DOWNSTREAM_SERVICE_ERROR' },
      ],
    },
    {
      rule: 'an error of an entity that stands twice is reported at both places',
      query: '{ grid { fails } }',
      data: { grid: [[{ fails: null }], [{ fails: null }, { fails: 'fine' }], null, []] },
      errors: [
        { path: ['grid', 0, 0, 'fails'], code: 'GONE' },
        { path: ['grid', 1, 0, 'fails'], code: 'GONE' },
      ],
    },
  ],
}
