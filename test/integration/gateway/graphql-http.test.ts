import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { type SubgraphServer, startSubgraph } from '../../support/gateway/subgraph-server.ts'

let subgraph: SubgraphServer
let gateway: FederatedGateway
let mutations = 0
beforeAll(async () => {
  subgraph = await startSubgraph({
    sdl: 'type Query { echo(text: String): String fails: Int must: Int! } type Mutation { fail: Int }',
    resolvers: {
      Query: {
        echo: (_root: unknown, { text }: { text?: string }) => text,
        fails: () => {
          throw new Error('no luck')
        },
        must: () => null,
      },
      Mutation: {
        fail() {
          mutations++
          throw new Error('no luck')
        },
      },
    },
  })
  gateway = await startFederatedGateway(supergraphOf({ subgraph }))
})
afterAll(async () => {
  await gateway?.stop()
  await subgraph?.stop()
})

const post = async (body: string, headers: Record<string, string>) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'same', ...headers },
    body,
  })
  const { date: _, ...told } = Object.fromEntries(response.headers)
  return { status: response.status, headers: told, body: await response.text() }
}

/** A parameter of the media type without a meaning. */
const PARAMETER = { 'content-type': 'application/json; charset=utf-8; some=1' }

const BODIES: [string, string][] = [
  ['data', '{"query":"{ echo(text: \\"ä 漢\\") }"}'],
  ['variables', '{"query":"query ($t: String) { echo(text: $t) }","variables":{"t":"x"}}'],
  ['null in place of variables', '{"query":"{ echo }","variables":null,"operationName":null}'],
  ['an operation of several', '{"query":"query A { echo } query B { echo }","operationName":"B"}'],
  ['a name that is none', '{"query":"query A { echo }","operationName":"B"}'],
  ['an empty name', '{"query":"{ echo }","operationName":""}'],
  ['an error of a subgraph', '{"query":"{ fails echo }"}'],
  ['a null that takes everything', '{"query":"{ must }"}'],
  [
    'a variable that does not fit',
    '{"query":"query ($t: String) { echo(text: $t) }","variables":{"t":[1]}}',
  ],
  ['variables that are no object', '{"query":"{ echo }","variables":"x"}'],
  ['a document that is not valid', '{"query":"{ nope }"}'],
  ['a document that is none', '{"query":"{"}'],
  ['a subscription', '{"query":"subscription { x }"}'],
  ['introspection', '{"query":"{ __schema { queryType { name } } __typename }"}'],
  ['no document', '{}'],
  ['a list', '[{"query":"{ echo }"}]'],
  ['no object', '"x"'],
  ['no JSON', '{"query"'],
  ['a byte order mark', '\uFEFF{"query":"{ echo }"}'],
  ['parameters that nobody knows', '{"query":"{ echo }","more":1}'],
  ['extensions', '{"query":"{ echo }","extensions":{}}'],
  ['a member called __proto__', '{"query":"{ echo }","__proto__":{"a":1}}'],
]

describe.each(['*/*', 'application/json', 'application/graphql-response+json'])(
  'for %s',
  (accept) => {
    test.each(BODIES)(
      '%s is answered alike whatever parameters the type has',
      async (_what, body) => {
        const plain = await post(body, { accept })
        expect(plain).toEqual(await post(body, { accept, ...PARAMETER }))
        expect(plain.headers['x-request-id']).toBe('same')
      },
    )
  },
)

test('a mutation with an error runs once', async () => {
  const before = mutations
  const { body } = await post('{"query":"mutation { fail }"}', {})
  expect(body).toContain('"no luck"')
  expect(mutations - before).toBe(1)
})

test.each(['variables=&operationName=&extensions=', 'documentId=', 'documentId=&variables='])(
  'empty parameters of a GET (%s) count as absent',
  async (parameters) => {
    const response = await fetch(`${gateway.url}/graphql?query=%7B__typename%7D&${parameters}`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { data: { __typename: 'Query' } },
    ])
  },
)

test.each([
  ['Java', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'],
  ['Java 25', 'text/html, image/gif, image/jpeg, */*; q=0.2'],
  ['a client that names HTML alone', 'text/html'],
])('%s gets JSON for a query', async (_, accept) => {
  const response = await fetch(`${gateway.url}/graphql?query=%7B__typename%7D`, {
    headers: { accept },
  })
  expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }])
})

test('a browser gets GraphiQL', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const response = await fetch(`${gateway.url}/graphql`, { headers: { accept } })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ])
})
