import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import { Client, fetchExchange } from '@urql/core'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'
import { startTicker, type Ticker } from '../../support/gateway/ticker.ts'

let ticker: Ticker
let gateway: FederatedGateway
beforeAll(async () => {
  ticker = await startTicker()
  gateway = await startFederatedGateway(supergraphOf({ ticker }), {
    SUBSCRIPTION_KEEP_ALIVE_MS: '100',
  })
})
afterAll(async () => {
  await gateway?.stop()
  await ticker?.stop()
})

const HEADERS = { 'content-type': 'application/json' }
/** `Accept` of urql with queries and mutations. */
const ANY_OF_URQL =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'

const LATER = '{ now { id } ... @defer(label: "late") { held } }'
const OLDER = 'deferSpec=20220824'
const NEWER = 'incrementalSpec=v0.2'
const FIRST = { data: { now: { id: 't0' } }, hasNext: true }
const LAST = {
  [OLDER]: { incremental: [{ label: 'late', path: [], data: { held: 1 } }], hasNext: false },
  [NEWER]: {
    incremental: [{ id: '0', data: { held: 1 } }],
    completed: [{ id: '0' }],
    hasNext: false,
  },
}

test.each<[string, string, keyof typeof LAST]>([
  [
    `multipart/mixed;${OLDER},application/json;q=0.9`,
    `multipart/mixed;boundary="graphql";${OLDER}`,
    OLDER,
  ],
  [
    `multipart/mixed; ${NEWER}, application/json`,
    `multipart/mixed;boundary="graphql";${NEWER}`,
    NEWER,
  ],
  [`multipart/mixed;deferSpec="20220824"`, `multipart/mixed;boundary="graphql";${OLDER}`, OLDER],
  [ANY_OF_URQL, `multipart/mixed;boundary="graphql";${OLDER}`, OLDER],
  [`text/event-stream;${NEWER}`, 'text/event-stream; charset=utf-8', NEWER],
  ['text/event-stream', 'text/event-stream; charset=utf-8', OLDER],
  [`application/json, text/event-stream;${NEWER};q=0.5`, 'text/event-stream; charset=utf-8', NEWER],
])('with `Accept: %s`, what is deferred comes later', async (accept, type, spec) => {
  const held = ticker.held()
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...HEADERS, accept },
    body: JSON.stringify({ query: LATER }),
  })
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('cache-control')).toContain('no-store')
  await held
  const found: Record<string, unknown>[] = []
  let text = ''
  let lives = 0
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk)
    const whole = text.split(type.startsWith('multipart') ? '\r\n--graphql' : '\n\n')
    text = whole.pop() ?? ''
    for (const part of whole) {
      const json = /\{.*\}/s.exec(part)?.[0]
      if (json === '{"hasNext":true}' || part === ':') lives++
      else if (json) found.push(JSON.parse(json))
    }
    // It lives while it waits.
    if (found.length === 1 && lives > 1) ticker.release()
  }
  const { pending, ...first } = found[0] ?? {}
  expect([first, ...found.slice(1)]).toEqual([FIRST, LAST[spec]])
  expect(pending).toEqual(spec === NEWER ? [{ id: '0', path: [], label: 'late' }] : undefined)
  expect(text).toMatch(/^(--\r\n)?$/)
})

test.each([
  'application/json',
  '*/*',
  'multipart/mixed;deferSpec=20991231, application/json',
  'multipart/mixed;deferSpec=20220824;q=0, application/json',
  'multipart/mixed;subscriptionSpec=1.0, application/json',
])('with `Accept: %s`, what is deferred is in one response', async (accept) => {
  void ticker.held().then(() => ticker.release())
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...HEADERS, accept },
    body: JSON.stringify({ query: LATER }),
  })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual({ data: { now: { id: 't0' }, held: 1 } })
})

test('a response of which nothing comes later is plain JSON', async () => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...HEADERS, accept: `multipart/mixed;${OLDER}, application/json` },
    body: JSON.stringify({
      query: 'query ($later: Boolean!) { now { id ... @defer(if: $later) { value } } }',
      variables: { later: false },
    }),
  })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual({ data: { now: { id: 't0', value: 0 } } })
})

const uri = () => `${gateway.url}/graphql`
const apollo = (incrementalHandler: Defer20220824Handler | GraphQL17Alpha9Handler) => () =>
  new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: uri() }),
    incrementalHandler,
  }).watchQuery({ query: gql(LATER) })
const urql = () => {
  const client = new Client({ url: uri(), preferGetMethod: false, exchanges: [fetchExchange] })
  return client.query(LATER, {})
}

interface Watched {
  subscribe(next: (result: { data?: unknown; error?: unknown }) => void): { unsubscribe(): void }
}

test.each<[string, () => Watched]>([
  ['Apollo Client with the older format', apollo(new Defer20220824Handler())],
  ['Apollo Client with the newer format', apollo(new GraphQL17Alpha9Handler())],
  ['urql', urql],
])('%s shows what has come, and then all', async (_name, watch) => {
  const shown: unknown[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const subscription = watch().subscribe(({ data, error }) => {
    expect(error).toBeUndefined()
    if (data) shown.push(JSON.parse(JSON.stringify(data)))
    if (JSON.stringify(data)?.includes('held')) resolve()
    else if (data) ticker.release()
  })
  await promise
  subscription.unsubscribe()
  expect(shown[0]).toMatchObject({ now: { id: 't0' } })
  expect(shown[0]).not.toHaveProperty('held')
  expect(shown.at(-1)).toMatchObject({ now: { id: 't0' }, held: 1 })
})
