import { request } from 'node:http'
import { expectOfOneCaller } from '../../conformance/calls.ts'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic } from '../../support/e2e/users.ts'

const QUERY = encodeURIComponent('{ viewer { user } }')
const STREAM = 'subscription { eventReceived { cursor } }'
const BROWSER = { accept: 'text/html,application/xhtml+xml' }
const ADMIN_HEADERS = basic(ADMIN, ADMIN_PASSWORD)

describe('caches between a caller and the product', () => {
  test.each([
    ['a list', '/api/component', ADMIN_HEADERS, 200],
    ['an artifact', '/api/component/loan-schedule', ADMIN_HEADERS, 200],
    [
      'an artifact that the caller has',
      '/api/component/loan-schedule',
      { ...ADMIN_HEADERS, 'if-none-match': '"1-gzip"' },
      304,
    ],
    ['a list without a sign-in', '/api/component', {}, 401],
    ['a wrong token', '/api/component', { token: 'wrong' }, 401],
    ['nothing', '/api/nothing', ADMIN_HEADERS, 404],
    ['a query parameter that is unknown', '/api/component?no=1', ADMIN_HEADERS, 400],
    ['events', '/api/v1/events', ADMIN_HEADERS, 200],
    ['events at the root', '/v1/events', {}, 401],
    ['a query', `/graphql?query=${QUERY}`, ADMIN_HEADERS, 200],
    ['a query with a wrong sign-in', `/graphql?query=${QUERY}`, basic(ADMIN, 'wrong'), 401],
    [
      'a stream that is refused',
      `/graphql?query=${encodeURIComponent(STREAM)}`,
      { accept: 'text/event-stream' },
      200,
    ],
    ['the session', '/session', {}, 200],
    ['metrics', '/metrics', ADMIN_HEADERS, 200],
    ['metrics without a sign-in', '/metrics', {}, 401],
    ['health', '/healthz', {}, 200],
    ['readiness', '/readyz', {}, 200],
  ])('%s stays with its caller', async (_what, path, headers, status) => {
    const response = await fetch(assay().url + path, { headers })
    await response.text()
    expect(response.status).toBe(status)
    const caching = response.headers.get('cache-control')
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      expect(caching).toMatch(/^no-store/)
    else expectOfOneCaller(response)
  })

  test('refusals ahead of any handler stay with their caller', async () => {
    const raw = await headersOf({ path: '/api/component', headers: ['Host', 'a', 'Host', 'b'] })
    expect(raw).toMatchObject({ status: 400, caching: 'no-store' })
    const tooLarge = ['Host', 'a', 'X-Large', 'x'.repeat(100_000)]
    expect(await headersOf({ path: '/', headers: tooLarge })).toMatchObject({
      status: 431,
      caching: 'no-store',
    })
    const upgrade = ['Upgrade', 'websocket', 'Connection', 'Upgrade']
    const key = ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version', '13']
    const page = ['Host', 'a', 'Origin', 'https://other.example.com', ...upgrade, ...key]
    const socket = {
      caching: 'no-store',
      vary: expect.stringContaining('Cookie'),
      requestId: expect.any(String),
    }
    expect(await headersOf({ path: '/graphql', headers: page })).toMatchObject({
      status: 403,
      ...socket,
    })
    const [name = '', value = ''] = key
    for (const [given, status] of [
      [[name, value, 'Sec-WebSocket-Version', '12'], 426],
      [[name, 'short', 'Sec-WebSocket-Version', '13'], 400],
      [[...key, 'Sec-WebSocket-Protocol', ','], 400],
    ] as const) {
      const headers = ['Host', 'a', ...upgrade, ...given]
      expect(await headersOf({ path: '/graphql', headers })).toMatchObject({ status, ...socket })
    }
  })

  test('responses that pages of other origins read keep the origin in Vary', async () => {
    const headers = { ...ADMIN_HEADERS, origin: assay().url }
    expectOfOneCaller(await fetch(`${assay().url}/api/component`, { headers }))
  })

  test.each(
    ['/', '/nothing', '/graphql'].flatMap((path) => [
      [path, BROWSER.accept],
      [path, '*/*'],
    ]),
  )('what %s answers to %s names in Vary what it is chosen by', async (path, accept) => {
    const response = await fetch(assay().url + path, { headers: { accept } })
    const vary = response.headers.get('vary')?.toLowerCase().split(', ')
    expect(vary).toEqual(expect.arrayContaining(['accept', 'accept-encoding']))
  })
})

/** @param headers names and values in turn, as they are sent */
function headersOf(options: { path: string; headers: string[] }) {
  const { hostname, port } = new URL(assay().url)
  const sent = request({ ...options, hostname, port, setHost: false, agent: false })
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      const { 'cache-control': caching, vary, 'x-request-id': requestId } = response.headers
      resolve({ status: response.statusCode, caching, vary, requestId })
    })
    sent.end()
  })
}
