import { createClient } from 'graphql-ws'
import { SignJWT } from 'jose'
import WebSocket from 'ws'
import { openCaller } from '../../../platform/access/caller.ts'
import { CALLER_HEADER, createCallerSignature } from '../../../platform/access/caller-signature.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'

/** The stand-alone subgraphs, as the processes of the product serve them. */
useAssay({ mode: 'distributed' })

const caller = openCaller('signed-callers')
const key = (secret: string) => new TextEncoder().encode(secret)

const token = (change: (jwt: SignJWT) => SignJWT, secret = assay().subgraphs.internalSecret) =>
  change(
    new SignJWT({ caller })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience('assay-subgraph')
      .setExpirationTime('60s'),
  ).sign(key(secret))

const UNSIGNED = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ caller, aud: 'assay-subgraph' }))}.`

/** Attempt of someone who captured a token: the caller of another one, under its signature. */
async function changed(): Promise<string> {
  const [head, , signature] = (await token((jwt) => jwt)).split('.')
  const mighty = { caller: { ...caller, user: 'admin' }, aud: 'assay-subgraph', exp: 4e9 }
  return [head, Buffer.from(JSON.stringify(mighty)).toString('base64url'), signature].join('.')
}

const REFUSED: [string, () => Promise<string | undefined>][] = [
  ['none', async () => undefined],
  ['one that is no token', async () => 'gateway'],
  ['an unsigned one', async () => UNSIGNED.replaceAll('=', '')],
  ['one signed with another secret', () => token((jwt) => jwt, 'x'.repeat(44))],
  ['a captured one whose caller was changed', changed],
  ['an expired one', () => token((jwt) => jwt.setExpirationTime('-400s'))],
  ['one for another audience', () => token((jwt) => jwt.setAudience('somebody-else'))],
]

const QUERY = '{ __typename }'

async function overHttp(url: string, signed: string | undefined): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signed && { [CALLER_HEADER]: signed }) },
    body: JSON.stringify({ query: QUERY }),
  })
  return { status: response.status, body: await response.json() }
}

/** The first result or error, or how the socket was closed. */
async function overWebSocket(url: string, signed: string | undefined): Promise<unknown> {
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  })
  try {
    const extensions = signed ? { [CALLER_HEADER]: signed } : {}
    return (await client.iterate({ query: QUERY, extensions }).next()).value
  } catch (refusal) {
    return refusal
  } finally {
    await client.dispose()
  }
}

test.each(REFUSED)('a subgraph refuses a caller with %s over HTTP', async (_, signed) => {
  expect(assay().subgraphs.urls).toHaveLength(3)
  for (const url of assay().subgraphs.urls)
    expect(await overHttp(url, await signed())).toEqual({
      status: 401,
      body: {
        errors: [
          {
            message: expect.any(String),
            extensions: { code: 'DOWNSTREAM_REFUSED', requestId: expect.any(String) },
          },
        ],
      },
    })
})

test.each(REFUSED)('a subgraph refuses a caller with %s over WebSocket', async (_, signed) => {
  for (const url of assay().subgraphs.urls) {
    const refusal = await overWebSocket(url, await signed())
    expect(refusal).toEqual([
      expect.objectContaining({
        extensions: expect.objectContaining({ code: 'DOWNSTREAM_REFUSED' }),
      }),
    ])
  }
})

test('a subgraph answers a caller whom the gateway signed, over both', async () => {
  const { urls, internalSecret } = assay().subgraphs
  const signed = await createCallerSignature(internalSecret).sign(caller)
  for (const url of urls) {
    expect(await overHttp(url, signed)).toEqual({
      status: 200,
      body: { data: { __typename: 'Query' } },
    })
    expect(await overWebSocket(url, signed)).toEqual({ data: { __typename: 'Query' } })
  }
})

interface Body {
  data?: { ingestEvents?: { accepted: { id: string }[] } }
}

describe('a router of the field in front', () => {
  const post = async (body: object | string, headers: Record<string, string> = {}) => {
    const signed = await createCallerSignature(assay().subgraphs.internalSecret).sign(caller)
    const { EVENTS_URL: url = '' } = assay().env
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [CALLER_HEADER]: signed, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { response, text, body: JSON.parse(text) as Body }
  }

  test('gets the SDL of the subgraph, and its schema by introspection', async () => {
    const { body } = await post({ query: '{ _service { sdl } __schema { queryType { name } } }' })
    expect(body).toEqual({
      data: {
        _service: { sdl: expect.stringContaining('type Event') },
        __schema: { queryType: { name: 'Query' } },
      },
    })
  })

  test('gets faults as GraphQL over HTTP has them', async () => {
    const accept = 'application/graphql-response+json'
    const invalid = await post({ query: '{ nope }' }, { accept })
    expect(invalid.response.status).toBe(400)
    expect(invalid.response.headers.get('content-type')).toContain(accept)
    expect(invalid.body).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    })
    const missing = await post({
      query:
        'query A { __typename } query B { event(id: "00000000-0000-0000-0000-000000000000") { id } }',
      operationName: 'B',
    })
    expect(missing.body).toEqual({ data: { event: null } })
  })

  test('writes and reads numbers with all their digits', async () => {
    const NUMBER = '12345678901234567891'
    const ingest =
      'mutation ($events: [JSON!]!) { ingestEvents(input: { events: $events }) { accepted { id } } }'
    const event = `{"title":"Exact","properties":{"n":${NUMBER}}}`
    const stored = await post(
      `{"query":${JSON.stringify(ingest)},"variables":{"events":[${event}]}}`,
    )
    const [{ id } = { id: '' }] = stored.body.data?.ingestEvents?.accepted ?? []
    const read = await post({ query: `{ event(id: "${id}") { properties } }` })
    expect(read.text).toContain(NUMBER)
  })
})
