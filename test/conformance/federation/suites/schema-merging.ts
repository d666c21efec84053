import { gql, type Suite } from '../../../support/federation/suite.ts'

interface Filter {
  text?: string
  size?: string
}

/** `@inaccessible`, and enums and inputs that differ between subgraphs. */
export const schemaMerging: Suite = {
  name: 'inaccessible, enums, inputs',
  subgraphs: {
    left: {
      sdl: gql`
        type Query { items(filter: Filter, sizes: [Size!] = [SMALL]): [Item!]! echo(filter: Filter): String! @shareable }
        enum Size { SMALL LARGE SECRET @inaccessible }
        enum Color { RED GREEN }
        input Filter { text: String = "any" size: Size onlyLeft: Int }
        type Item @key(fields: "id") { id: ID! size: Size secret: String @inaccessible colors: [Color] @shareable owner: Owner }
        type Owner @key(fields: "secretId") { secretId: ID! @inaccessible }
      `,
      resolvers: {
        Query: {
          items: (_root: unknown, { filter, sizes }: { filter?: Filter; sizes: string[] }) => [
            {
              id: 'i1',
              size: sizes[0],
              secret: filter?.text ?? 'none',
              colors: ['RED', 'GREEN'],
              owner: { secretId: 'o1' },
            },
            { id: 'i2', size: 'SECRET', secret: null, colors: null, owner: null },
          ],
          echo: (_root: unknown, { filter }: { filter?: Filter }) => JSON.stringify(filter ?? null),
        },
      },
    },
    right: {
      sdl: gql`
        type Query { echo(filter: Filter): String! @shareable }
        enum Size { SMALL LARGE }
        enum Color { RED GREEN BLUE }
        input Filter { text: String = "any" size: Size }
        type Item @key(fields: "id") { id: ID! secret: String @external colors: [Color] @shareable hint(size: Size): String @requires(fields: "secret") }
        type Owner @key(fields: "secretId") { secretId: ID! @inaccessible name: String }
      `,
      resolvers: {
        Query: {
          echo: (_root: unknown, { filter }: { filter?: Filter }) => JSON.stringify(filter ?? null),
        },
        Item: {
          __resolveReference: (reference: object) => ({ ...reference, colors: ['BLUE'] }),
          hint: ({ secret }: { secret: string }, { size }: { size?: string }) =>
            `${secret} ${size ?? '-'}`,
        },
        Owner: { name: ({ secretId }: { secretId: string }) => `name of ${secretId}` },
      },
    },
  },
  operations: [
    {
      rule: 'an inaccessible field can be a key and be required',
      query: '{ items(filter: { size: LARGE }) { hint(size: SMALL) owner { name } } }',
      data: {
        items: [
          { hint: 'any SMALL', owner: { name: 'name of o1' } },
          { hint: 'null -'.replace('-', 'SMALL'), owner: null },
        ],
      },
    },
    {
      rule: 'an inaccessible value of an enum is null, and an error',
      query: 'query ($sizes: [Size!]) { items(sizes: $sizes) { id size colors } }',
      variables: { sizes: ['LARGE'] },
      data: {
        items: [
          { id: 'i1', size: 'LARGE', colors: ['RED', 'GREEN'] },
          { id: 'i2', size: null, colors: null },
        ],
      },
      errors: [{ path: ['items', 1, 'size'], code: 'DOWNSTREAM_SERVICE_ERROR' }],
    },
    {
      rule: 'merged inputs arrive with the defaults of the subgraph',
      query:
        'query ($filter: Filter, $none: Filter) { a: echo(filter: $filter) b: echo(filter: { text: "x" }) c: echo(filter: $none) }',
      variables: { filter: { size: 'SMALL' } },
      data: { a: '{"text":"any","size":"SMALL"}', b: '{"text":"x"}', c: 'null' },
    },
    {
      rule: 'defaults of variables are filled in',
      query:
        'query ($size: Size = LARGE, $sizes: [Size!] = [LARGE, SMALL]) { items(sizes: $sizes) { size hint(size: $size) } }',
      data: {
        items: [
          { size: 'LARGE', hint: 'none LARGE' },
          { size: null, hint: 'null LARGE' },
        ],
      },
      errors: [{ path: ['items', 1, 'size'], code: 'DOWNSTREAM_SERVICE_ERROR' }],
    },
  ],
}
