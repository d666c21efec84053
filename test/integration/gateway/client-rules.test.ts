import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import {
  ask,
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'

/** Nothing that is asked here reaches a subgraph, so none is up. */
const SUPERGRAPH = supergraphOf({
  books: { url: 'http://127.0.0.1:1/graphql', sdl: 'type Query { books: [String] }' },
})
const PETS = supergraphOf({
  pets: {
    url: 'http://127.0.0.1:1/graphql',
    sdl: 'type Query { pets: [Pet] } type Pet { name: String }',
  },
})
const TRUSTED = 'query Trusted { __typename }'

let folder: string
let gateway: FederatedGateway
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-rules-'))
  const manifest = join(folder, 'manifest.json')
  await writeFile(
    manifest,
    JSON.stringify({ trusted: TRUSTED, introspection: '{ __schema { description } }' }),
  )
  gateway = await startFederatedGateway(SUPERGRAPH, {
    TRUSTED_DOCUMENTS: manifest,
    TRUSTED_DOCUMENTS_ONLY: 'true',
    INTROSPECTION: 'false',
    OPERATION_MAX_BYTES: '1000',
  })
})
afterAll(async () => {
  await gateway?.stop()
  await rm(folder, { recursive: true })
})

const post = async (body: object, { url } = gateway) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const retryAfter = Number(response.headers.get('retry-after') ?? 0)
  return { status: response.status, body: await response.json(), retryAfter }
}

async function overWebSocket(payload: { query: string }, { url } = gateway) {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })
  const answer = client.iterate(payload).next()
  const told = await answer.then(
    ({ value }) => value,
    (errors) => ({ errors }),
  )
  await client.dispose()
  return told
}

test('trusted documents are run by id or by text, and nothing else is', async () => {
  const answer = { data: { __typename: 'Query' } }
  expect(await post({ documentId: 'trusted' })).toMatchObject({ status: 200, body: answer })
  expect(await post({ query: TRUSTED })).toMatchObject({ status: 200, body: answer })
  const byGet = await fetch(`${gateway.url}/graphql?documentId=trusted`)
  expect(await byGet.json()).toEqual(answer)
  expect(await overWebSocket({ query: TRUSTED })).toEqual(answer)

  const refused = { errors: [{ extensions: { code: 'FORBIDDEN' } }] }
  expect(await post({ query: '{ __typename }' })).toMatchObject({ status: 403, body: refused })
  expect(await overWebSocket({ query: '{ __typename }' })).toMatchObject(refused)
})

test('the schema is told to nobody while introspection is off', async () => {
  expect(await post({ documentId: 'introspection' })).toMatchObject({
    status: 403,
    body: { errors: [{ message: expect.stringContaining('INTROSPECTION') }] },
  })
})

test('plans are shown to none without QUERY_PLANS', async () => {
  expect(await ask(gateway.url, TRUSTED, { 'x-assay-query-plan': 'only' })).toMatchObject({
    status: 403,
    errors: [{ message: 'Query plans are not shown here (QUERY_PLANS is off)' }],
  })
})

test('a body over the limit is refused with the limit, whether its length is announced or not', async () => {
  const query = `# ${'x'.repeat(1_000)}`
  const announced = await ask(gateway.url, query)
  expect(announced).toMatchObject({
    status: 413,
    errors: [
      {
        message: expect.stringMatching(/has 1014 bytes; OPERATION_MAX_BYTES allows 1000/),
        extensions: { code: 'PAYLOAD_TOO_LARGE' },
      },
    ],
  })
  const chunked = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Blob([JSON.stringify({ query })]).stream(),
    duplex: 'half',
  })
  expect(chunked.status).toBe(413)
  expect(await chunked.text()).toContain('has more than 1000 bytes')
  await expect(overWebSocket({ query })).resolves.toMatchObject({ errors: { code: 1009 } })
})

test.each([
  ['OPERATIONS_PER_MINUTE', '2', 'You may run 2 operations in a minute (OPERATIONS_PER_MINUTE)'],
  [
    'OPERATION_COST_PER_MINUTE',
    '15',
    'You may run operations of cost 15 in a minute (OPERATION_COST_PER_MINUTE)',
  ],
])('%s of %s refuses a third operation over each transport', async (name, most, message) => {
  const limited = await startFederatedGateway(PETS, { [name]: most })
  try {
    const query = '{ pets { name } }' // its list costs 10
    const { status } = await post({ query }, limited)
    expect(status).toBe(200)
    expect(await overWebSocket({ query }, limited)).toMatchObject({ data: { pets: null } })

    const errors = [
      { message: expect.stringContaining(message), extensions: { code: 'RATE_LIMITED' } },
    ]
    const refused = await post({ query }, limited)
    expect(refused).toMatchObject({ status: 429, body: { errors } })
    expect(refused.retryAfter).toBeGreaterThan(0)
    expect(await overWebSocket({ query }, limited)).toMatchObject({ errors })
    const metrics = await fetch(`${limited.url}/metrics`)
    expect(await metrics.text()).toContain(`limit="${name}"} 2`)
  } finally {
    await limited.stop()
  }
})
