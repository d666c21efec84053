import { createClient } from 'graphql-ws'
import { SignJWT } from 'jose'
import WebSocket from 'ws'
import {
  CALLER_HEADER,
  createCallerSignature,
  openCaller,
} from '../../../subgraphs/shared/caller.ts'
import { assay, useAssay } from '../../e2e/_support/product.ts'

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

/** What one who captured a token could try: the caller of another one, under its signature. */
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
  ['an expired one', () => token((jwt) => jwt.setExpirationTime('-1s'))],
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
            extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) },
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
        extensions: expect.objectContaining({ code: 'UNAUTHENTICATED' }),
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
