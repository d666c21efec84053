import { type Assay, addressOf, ENTRY, startAssay } from '../support/assay.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { productKeys } from '../support/product-keys.ts'
import { type ProductProcess, spawnProduct } from '../support/product-process.ts'

/** Streams notice by themselves at this time; a sign-out is to end them before, on a slow machine, too. */
const RECHECK_SECONDS = 30
const SOON_MS = 24_000

let database: TestDatabase
let assay: Assay
let second: ProductProcess
let other: string
beforeAll(async () => {
  database = await createDatabase()
  assay = await startAssay({
    env: {
      ...USERS_ENV,
      DATABASE_URL: database.url,
      ...productKeys(),
      SIGN_IN_RECHECK_SECONDS: String(RECHECK_SECONDS),
    },
  })
  const name = assay.parts.gateway
  second = spawnProduct(name, ENTRY[name], { ...assay.env, PORT: '0' }, process.cwd())
  other = (await addressOf(second)) ?? ''
})
afterAll(async () => {
  second?.signal('SIGTERM')
  expect(await second?.exited).toEqual({ code: 0, signal: null })
  await assay?.stop()
  await database?.drop()
})

/** A session of a browser. @returns the header of its cookie */
async function openSession(email: string, password: string) {
  const response = await fetch(`${assay.url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: email, password }),
  })
  expect(response.status).toBe(200)
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';', 1)
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

/** A stream of events at the other gateway, open by then. @returns its text once it has ended */
async function openStream(headers: Record<string, string>) {
  const response = await fetch(`${other}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { eventReceived { cursor } }' }),
    signal: AbortSignal.timeout(SOON_MS),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const text = response.text()
  text.catch(() => {}) // judged by who waits for it
  return { text }
}

test('a sign-out ends the streams of its session at every gateway, and no others', async () => {
  const mine = await openSession(ADMIN, ADMIN_PASSWORD)
  const { text } = await openStream(mine)
  const stays = await openStream(await openSession(ADMIN, ADMIN_PASSWORD))
  const out = await fetch(`${assay.url}/session`, { method: 'DELETE', headers: mine })
  expect(out.ok).toBe(true)
  expect(await text).toContain('UNAUTHENTICATED')
  const first = await Promise.race([stays.text, Promise.resolve('open')])
  expect(first).toBe('open')
})

test('so does an administrator who ends a session', async () => {
  const client = new Client(assay.url)
  const admin = basic(ADMIN, ADMIN_PASSWORD)
  const { text } = await openStream(await openSession(ADMIN, ADMIN_PASSWORD))
  const { browserSessions } = await client.run('{ browserSessions { id } }', admin)
  const END = 'mutation ($id: ID!) { endBrowserSession(id: $id) }'
  await client.run(END, admin, { id: browserSessions[0].id })
  expect(await text).toContain('UNAUTHENTICATED')
})

test('so does one who ends a session that a token stands for', async () => {
  const client = new Client(assay.url)
  const { body } = await client.rest('POST', '/authenticate', basic(ADMIN, ADMIN_PASSWORD))
  const { text } = await openStream({ token: body.token })
  expect(await client.run('mutation { signOut }', { token: body.token })).toEqual({ signOut: true })
  expect(await text).toContain('UNAUTHENTICATED')
})
