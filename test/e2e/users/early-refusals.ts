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

const begin = (method: string, path: string, headers: Record<string, string | number>) =>
  announceBody(assay().url + path, headers, method)
