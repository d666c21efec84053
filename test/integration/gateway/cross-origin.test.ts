import WebSocket from 'ws'
import {
  type FederatedGateway,
  startFederatedGateway,
  supergraphOf,
} from '../../support/gateway/federated-gateway.ts'

const NAMED = 'https://portal.example'
const OTHER = 'https://evil.example'

let gateway: FederatedGateway
beforeAll(async () => {
  const books = { url: 'http://127.0.0.1:1/graphql', sdl: 'type Query { books: [String] }' }
  gateway = await startFederatedGateway(supergraphOf({ books }), { CORS_ORIGINS: NAMED })
})
afterAll(() => gateway?.stop())

const call = (origin: string, init: RequestInit = {}, search = '') =>
  fetch(`${gateway.url}/graphql${search}`, {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers, origin },
  })
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin')

test('a preflight tells what pages of named origins may send', async () => {
  const preflight = {
    method: 'OPTIONS',
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,authorization',
    },
  }
  const response = await call(NAMED, preflight)
  expect(response.status).toBe(204)
  expect(allowed(response)).toBe(NAMED)
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  expect(response.headers.get('access-control-allow-headers')).toBe('content-type,authorization')
  expect(allowed(await call(OTHER, preflight))).toBeNull()
})

test.each([
  ['a plain operation', { query: '{ __typename }' }, 200],
  ['one that is refused', { query: '{ nope }' }, 200],
  ['a batch', [], 400],
])('pages of named origins may read the answer to %s', async (_what, body, status) => {
  const post = { method: 'POST', body: JSON.stringify(body) }
  const response = await call(NAMED, post)
  expect([response.status, allowed(response)]).toEqual([status, NAMED])
  expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  expect(allowed(await call(OTHER, post))).toBeNull()
})

test('queries by GET are answered to them alone', async () => {
  const search = '?query={__typename}'
  const named = await call(NAMED, { headers: { 'sec-fetch-site': 'cross-site' } }, search)
  expect([named.status, allowed(named)]).toEqual([200, NAMED])
  expect((await call(OTHER, {}, search)).status).toBe(403)
})

test.each([
  [NAMED, 'open'],
  [OTHER, 'error'],
])('a page of %s that opens a socket meets %s', async (origin, event) => {
  const url = `${gateway.url.replace('http', 'ws')}/graphql`
  const socket = new WebSocket(url, 'graphql-transport-ws', { origin })
  const met = await new Promise((resolve) => {
    socket.once('open', () => resolve('open')).once('error', () => resolve('error'))
  })
  socket.terminate()
  expect(met).toBe(event)
})
