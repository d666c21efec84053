import { Agent, request } from 'node:http'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'
import { announceBody } from '../../support/expect-continue.ts'

const ADMIN_HEADERS = { ...basic(ADMIN, ADMIN_PASSWORD), 'content-type': 'application/json' }
const EVENTS = { ...ADMIN_HEADERS, 'content-length': 40_000_000 }

describe('requests that expect 100 Continue', () => {
  const refused: [number, string, string, Record<string, string | number>][] = [
    [401, 'POST', '/api/component', { 'content-type': 'application/json' }],
    [401, 'POST', '/v1/events', { 'content-type': 'application/json' }],
    [401, 'POST', '/graphql', { ...ADMIN_HEADERS, ...basic('stranger@example.com', 'wrong') }],
    [404, 'POST', '/api/nothing', ADMIN_HEADERS],
    [405, 'PUT', '/graphql', ADMIN_HEADERS],
    [413, 'POST', '/v1/events', EVENTS],
    [413, 'POST', '/graphql', EVENTS],
    [415, 'POST', '/api/component', { ...ADMIN_HEADERS, 'content-type': 'text/plain' }],
    [415, 'POST', '/v1/events', { ...ADMIN_HEADERS, 'content-encoding': 'compress' }],
    [415, 'POST', '/graphql', { ...ADMIN_HEADERS, 'content-type': 'text/plain' }],
  ]

  test.each(refused)('%i of %s %s comes at once', async (status, method, path, headers) => {
    expect(await begin(method, path, headers)).toEqual({ continued: false, status })
  })

  test('a caller without the permission is refused at once', async () => {
    const { headers } = await new Client(assay().url).account('early@example.com', 'READER')
    const given = { ...ADMIN_HEADERS, ...headers }
    expect(await begin('POST', '/api/component', given)).toEqual({ continued: false, status: 403 })
  })

  test.each(['/graphql', '/v1/events', '/api/component'])(
    'what is accepted at %s is asked for its body',
    async (path) => {
      expect(await begin('POST', path, ADMIN_HEADERS)).toMatchObject({ continued: true })
    },
  )
})

describe('a refusal', () => {
  const agent = new Agent({ keepAlive: true })
  afterAll(() => agent.destroy())

  /** Announces a body and sends a piece of it. @returns status and `Connection` of the response */
  const refused = (headers: Record<string, string | number>, piece: string) => {
    const given = { ...ADMIN_HEADERS, ...headers }
    const sent = request(`${assay().url}/api/component`, { agent, method: 'POST', headers: given })
    return new Promise((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (response) => {
        response.resume()
        sent.destroy()
        resolve([response.statusCode, response.headers.connection])
      })
      sent.write(piece)
    })
  }
  const text = { 'content-type': 'text/plain' }

  test.each([
    ['a large body', { ...text, 'content-length': 1_000_000 }],
    ['a body of unknown length', { ...text, 'transfer-encoding': 'chunked' }],
    ['a body that waits to be asked for', { ...text, 'content-length': 9, expect: '100-continue' }],
  ])('ahead of %s closes the connection', async (_, headers) => {
    expect(await refused(headers, 'a')).toEqual([415, 'close'])
  })

  test.each([
    ['ahead of a small body', { ...text, 'content-length': 9 }, 415, 'a'],
    ['behind a large body', { 'content-length': 100_000 }, 400, 'x'.repeat(100_000)],
  ])('%s keeps the connection', async (_, headers, status, piece) => {
    expect(await refused(headers, piece)).toEqual([status, 'keep-alive'])
  })
})

const begin = (method: string, path: string, headers: Record<string, string | number>) =>
  announceBody(assay().url + path, headers, method)
