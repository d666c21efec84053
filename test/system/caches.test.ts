import { randomUUID } from 'node:crypto'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { eventually } from '../support/eventually.ts'
import { startVarnish } from '../support/system/varnish.ts'

let assay: Assay
let varnish: Awaited<ReturnType<typeof startVarnish>>
/** Everything goes through the cache. */
let client: Client
const tokens: Record<'admin' | 'other', { token: string }> = {
  admin: { token: '' },
  other: { token: '' },
}

const tokenOf = async (headers: Record<string, string>) => {
  const answer = await client.rest('POST', '/authenticate', headers)
  return { token: answer.body.token as string }
}

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process', env: USERS_ENV })
  varnish = await startVarnish(assay.url)
  client = new Client(varnish.url)
  const other = await client.account('other@example.com', 'EDITOR')
  tokens.admin = await tokenOf(basic(ADMIN, ADMIN_PASSWORD))
  tokens.other = await tokenOf(other.headers)
})

afterAll(async () => {
  await varnish?.stop()
  await assay?.stop()
})

const PATHS = [
  '/component',
  '/component/count',
  '/component/loan-schedule',
  '/testcase?pageSize=1',
  '/result',
  '/v1/events',
  '/authenticate',
]

test.each(PATHS)('what one caller read at %s reaches no one else through a cache', async (path) => {
  await client.rest('GET', path, tokens.admin)
  const strangers: Record<string, string>[] = [{}, { token: 'wrong' }, basic(ADMIN, 'wrong')]
  for (const headers of strangers) {
    const { status, body } = await client.rest('GET', path, headers)
    expect([401, 405]).toContain(status)
    expect(body).not.toHaveProperty('id')
  }
})

test('a refusal reaches no one who may read', async () => {
  for (const path of ['/component', '/api-token', '/audit'])
    expect((await client.rest('GET', path)).status).toBeGreaterThanOrEqual(401)
  expect((await client.rest('GET', '/component', tokens.admin)).status).toBe(200)
  expect((await client.rest('GET', '/component', tokens.other)).status).toBe(200)
})

test('each caller is shown who they are', async () => {
  for (const headers of [tokens.admin, tokens.other, {}, tokens.admin]) {
    const query = encodeURIComponent('{ viewer { user } }')
    const response = await fetch(`${varnish.url}/graphql?query=${query}`, {
      headers: { ...headers, accept: 'application/json' },
    })
    const { data } = (await response.json()) as { data: { viewer: { user: string | null } } }
    const user = headers === tokens.admin ? ADMIN : 'other@example.com'
    expect(data.viewer.user).toBe('token' in headers ? user : null)
  }
})

test('a poll sees an execution end, and its end is seen by its caller alone', async () => {
  const id = await client.openScenario()
  const started = await client.rest('POST', `/noauth/execute/${id}`, tokens.admin)
  const path = `/testcase/${id}/result/${started.body.id}`
  await eventually(async () =>
    expect((await client.rest('GET', path, tokens.admin)).body.state).toBe('COMPLETED'),
  )
  const details = await client.rest('GET', `${path}/details`, tokens.admin)
  expect(details.status).toBe(200)
  expect((await client.rest('GET', `${path}/details`)).status).toBe(401)
})

test('a change is seen at once, and what was not there is found when it is', async () => {
  const id = `cached-${randomUUID()}`
  const path = `/component/${id}`
  expect((await client.rest('GET', path, tokens.admin)).status).toBe(404)
  const given = { id, name: id, language: 'JAVASCRIPT', sourceCode: 'export {}' }
  expect((await client.rest('POST', '/component', tokens.admin, given)).status).toBe(201)
  expect((await client.rest('GET', path, tokens.admin)).body.description).toBe('')
  const changed = { ...given, description: 'changed' }
  expect((await client.rest('PUT', path, tokens.admin, changed)).status).toBe(200)
  expect((await client.rest('GET', path, tokens.other)).body.description).toBe('changed')
  expect((await client.rest('GET', path)).status).toBe(401)
})
