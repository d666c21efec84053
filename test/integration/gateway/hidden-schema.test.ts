import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'

/** Nothing that is asked here reaches a subgraph, so none is up. */
const SUPERGRAPH = supergraphOf({
  books: {
    url: 'http://127.0.0.1:1/graphql',
    sdl: 'type Query { books(of: Genre, like: [String]): [String] } enum Genre { NOVEL DRAMA }',
  },
})

let gateway: FederatedGateway
beforeAll(async () => {
  gateway = await startFederatedGateway(SUPERGRAPH, { INTROSPECTION: 'false' })
})
afterAll(() => gateway?.stop())

async function post(query: string, variables: object): Promise<string> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return `${response.status} ${await response.text()}`
}

async function overWebSocket(query: string): Promise<string> {
  const client = createClient({
    url: `${gateway.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })
  const told = await client
    .iterate({ query })
    .next()
    .then(
      ({ value }) => value,
      (errors) => errors,
    )
  await client.dispose()
  return JSON.stringify(told)
}

test('no fault names what is in the schema', async () => {
  const told = [
    await post('query ($of: Genre) { books(of: $of) }', { of: 'NOVELS' }),
    await post('{ book }', {}),
    await overWebSocket('{ book }'),
    await overWebSocket('{ books(of: NOVELL) }'),
  ]
  for (const text of told) expect(text).toMatch(/Genre|NOVELL|book/)
  for (const text of told) expect(text).not.toMatch(/Did you mean|"NOVEL"|\bbooks\b.*\?/)
})

test('the schema is not served as a document', async () => {
  const response = await fetch(`${gateway.url}/graphql/schema`)
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.not.stringMatching(/Genre/),
  ])
})

test('variables that nest too deep are refused, whether they are declared or not', async () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  for (const name of ['like', 'undeclared'])
    for (const levels of [1_200, 3_000])
      expect(
        await post('query ($like: [String]) { books(like: $like) }', { [name]: nested(levels) }),
      ).toMatch(/deeper than 1000 levels.*BAD_USER_INPUT/)
})
