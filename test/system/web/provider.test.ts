import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jest } from '@jest/globals'
import Provider from 'oidc-provider'
import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { clickIfThere } from '../../support/web/acts.ts'

const SECRET = 'a secret of the client'
const ID_TOKEN_SECONDS = 1_800

/** Claims of the provider's user by now; without roles the account is closed. */
const provided = {
  idTokenSeconds: ID_TOKEN_SECONDS,
  renews: false,
  /** A renewal may leave the ID token out (OpenID Connect Core 1.0, section 12.2). */
  renewsIdToken: true,
  renewals: 0,
  roles: ['qa-leads'] as string[] | null,
  /** Name of users; their ids if null. */
  name: null as string | null,
  revoked: 0,
}

const open = useBrowser()
let server: Server
let issuer: string
let assay: Assay

beforeAll(async () => {
  // The provider warns that its keys and pages are for development.
  for (const method of ['info', 'warn'] as const)
    jest.spyOn(console, method).mockImplementation(() => {})
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  assay = await startAssay({
    mode: 'in-process',
    env: {
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: 'assay',
      OIDC_CLIENT_ID: 'assay-web',
      OIDC_CLIENT_SECRET: SECRET,
      OIDC_SCOPES: 'openid profile',
      ROLE_MAP: 'qa-leads=editor',
    },
  })
  server.on('request', ({ url }) => {
    if (url?.startsWith('/token/revocation')) provided.revoked++
  })
  server.on('request', providerFor(issuer, assay.url).callback())
})
afterAll(async () => {
  jest.restoreAllMocks()
  server?.close()
  server?.closeAllConnections()
  await assay?.stop()
})

/** A real provider; its own pages take any name and password. */
function providerFor(issuer: string, client: string): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'assay-web',
        client_secret: SECRET,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${client}/session/callback`],
        post_logout_redirect_uris: [`${client}/`],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'roles'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the test'] },
    findAccount: (_context, id) =>
      provided.roles === null
        ? undefined
        : {
            accountId: id,
            claims: () => ({
              sub: id,
              preferred_username: `${provided.name ?? id}@example.com`,
              roles: provided.roles,
            }),
          },
    features: { revocation: { enabled: true } },
    issueRefreshToken: () => provided.renews,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: {
      IdToken: () => provided.idTokenSeconds,
      AccessToken: () => provided.idTokenSeconds,
    },
  })
  provider.use(async (context, next) => {
    await next()
    if (context.oidc?.params?.grant_type !== 'refresh_token') return
    provided.renewals++
    if (!provided.renewsIdToken) delete (context.body as { id_token?: string }).id_token // as it answers
  })
  return provider
}

/** A page whose faults are those of the provider's pages: they ask for a font. */
async function pageOf(path: string): Promise<Page> {
  const page = await open(`${assay.url}/healthz`)
  for (const event of ['console', 'request', 'response', 'pageerror'] as const)
    page.removeAllListeners(event)
  await page.goto(assay.url + path)
  return page
}

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click()
  await logIn(page, 'ada')
}

/** On the provider's own pages. */
async function logIn(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Saves the draft, unless a read of the page itself finds the end of the session first: it takes the button away. */
async function seeSessionEnd(page: Page): Promise<void> {
  await clickIfThere(page, 'Save')
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
}

const session = (page: Page) => page.evaluate("fetch('/session').then((each) => each.json())")

test('a person signs in at the provider, comes back to the same page, and signs out there too', async () => {
  const page = await pageOf('/events?q=status%3AOPEN')
  await signInAtProvider(page)
  await page.getByText('ada@example.com').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/events?q=status%3AOPEN')
  expect(await page.evaluate('document.cookie')).toBe('')
  expect(await session(page)).toMatchObject({
    user: 'ada@example.com',
    permissions: expect.arrayContaining(['artifacts:write']),
    authMode: 'oidc',
    signIn: { by: 'redirect', at: '/session/login' },
  })

  await page.goto(`${assay.url}/administration?tab=sessions`)
  await page.getByRole('cell', { name: /this one/ }).waitFor()
  const lists = await page.evaluate("fetch('/api/sessions').then((each) => each.json())")
  const [own] = lists as { created: string; ends: string }[]
  const seconds = (Date.parse(own?.ends ?? '') - Date.parse(own?.created ?? '')) / 1_000
  expect(seconds).toBeLessThanOrEqual(ID_TOKEN_SECONDS)

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/session\/end\?/)
  const left = new URL(page.url()).searchParams
  const [, payload = ''] = left.get('id_token_hint')?.split('.') ?? []
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: 'ada' })
  expect(left.get('post_logout_redirect_uri')).toBe(`${assay.url}/`)
  const cookies = await page.context().cookies(`${assay.url}/session`)
  const names = cookies.map(({ name }) => name)
  for (const name of ['assay_session', 'assay_id_token']) expect(names).not.toContain(name)
  await page.goto(`${assay.url}/`)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await session(page)).toMatchObject({ user: null })
})

test('a session that ends while a reader edits is opened again in a new tab, and the draft is kept', async () => {
  Object.assign(provided, { renews: false, roles: ['qa-leads'], idTokenSeconds: ID_TOKEN_SECONDS })
  const page = await pageOf('/repository/scenarios/loan-schedule/edit')
  await signInAtProvider(page)
  await page.getByLabel('Name', { exact: true }).fill('A draft of mine')
  await page.context().clearCookies({ name: 'assay_session' })
  await seeSessionEnd(page)

  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Sign in in a new tab' }).click()
  const tab = await opened
  await tab.getByText('ada@example.com').waitFor() // the provider knows her still
  await tab.close()
  await page.evaluate("window.dispatchEvent(new Event('focus'))") // a browser without a screen may send none
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('A draft of mine')
})

test.each([
  [null, 'bob@example.com', 'bob@example.com'],
  ['ada', 'ada@example.com', 'another ada@example.com'],
])(
  'another user who signs in meanwhile, called as %s, is asked before the draft is lost',
  async (name, shown, other) => {
    const now = { renews: false, roles: ['qa-leads'], idTokenSeconds: ID_TOKEN_SECONDS, name }
    Object.assign(provided, now)
    const page = await pageOf('/repository/scenarios/loan-schedule/edit')
    await signInAtProvider(page)
    await page.getByLabel('Name', { exact: true }).fill('A draft of mine')
    await page.context().clearCookies()
    await seeSessionEnd(page)
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Sign in in a new tab' }).click()
    const tab = await opened
    await logIn(tab, 'bob')
    await tab.getByText(shown).waitFor()
    await tab.close()
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await page.getByText(`You are signed in as ${other} by now`).waitFor()
    await page.getByRole('button', { name: `Go on as ${shown}` }).click()
    const field = page.getByLabel('Name', { exact: true })
    await field.waitFor()
    expect(await field.inputValue()).not.toBe('A draft of mine')
    provided.name = null
  },
)

test('Back at the provider leads to the page, and a stale callback to the start page of the signed-in', async () => {
  Object.assign(provided, { renews: false, roles: ['qa-leads'], idTokenSeconds: ID_TOKEN_SECONDS })
  const page = await pageOf('/events')
  let callback = ''
  page.on('request', (request) => {
    if (request.url().includes('/session/callback')) callback ||= request.url()
  })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.locator('input[name=login]').waitFor()
  await page.goBack()
  await signInAtProvider(page)
  await page.getByText('ada@example.com').waitFor()
  expect(new URL(page.url()).pathname).toBe('/events')

  // From a page of another site, the browser keeps the cookie of the session back at first.
  await page.goto(`${issuer.replace('127.0.0.1', 'localhost')}/.well-known/openid-configuration`)
  await page.evaluate(`location.href = ${JSON.stringify(callback)}`)
  await page.waitForURL(`${assay.url}/`)
  await page.getByText('ada@example.com').waitFor()
})

test('an answer for another browser, or one that was altered, opens no session', async () => {
  const begun = await fetch(`${assay.url}/session/login?return=//evil.example`, {
    redirect: 'manual',
  })
  const cookie = begun.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
  const asked = new URL(begun.headers.get('location') ?? '')
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    client_id: 'assay-web',
    code_challenge_method: 'S256',
    code_challenge: expect.any(String),
    nonce: expect.any(String),
  })
  const state = asked.searchParams.get('state')
  const [pending = ''] = cookie.split(';')
  const ended = expect.stringMatching(/^assay_sign_in_[\w-]+=; .*Max-Age=0/)
  for (const [query, headers, set] of [
    [`code=any&state=${state}`, {}, null],
    ['code=any&state=another', { cookie: pending }, null],
    [`code=any&state=${state}`, { cookie: pending }, ended],
    [`error=access_denied&state=${state}`, { cookie: pending }, ended],
  ] as const) {
    const back = await fetch(`${assay.url}/session/callback?${query}`, {
      headers,
      redirect: 'manual',
    })
    expect({ status: back.status, cookie: back.headers.get('set-cookie') }).toEqual({
      status: 401,
      cookie: set,
    })
    expect(await back.text()).toContain('The sign-in failed')
  }
})

test('a session outlives its ID token while the provider renews it, with the roles of now, and no longer', async () => {
  Object.assign(provided, { renews: true, idTokenSeconds: 5 })
  const page = await pageOf('/events')
  await signInAtProvider(page)
  await page.getByText('ada@example.com').waitFor()
  const lists = await page.evaluate("fetch('/api/sessions').then((each) => each.json())")
  const [own] = lists as { created: string; ends: string }[]
  expect(Date.parse(own?.ends ?? '') - Date.parse(own?.created ?? '')).toBeGreaterThan(3_600_000)

  provided.roles = ['admin']
  const isAdmin = {
    user: 'ada@example.com',
    permissions: expect.arrayContaining(['accounts:manage']),
  }
  await seen(page, isAdmin)
  provided.roles = null
  await seen(page, { user: null })
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
})

test('where a renewal brings no ID token, a session keeps what the first one said, until it is refused', async () => {
  const now = { renews: true, renewsIdToken: false, renewals: 0, roles: ['qa-leads'] }
  Object.assign(provided, { ...now, idTokenSeconds: 5 })
  const page = await pageOf('/events')
  await signInAtProvider(page)
  await page.getByText('ada@example.com').waitFor()
  const editor = {
    user: 'ada@example.com',
    permissions: expect.arrayContaining(['artifacts:write']),
  }
  while (provided.renewals < 2) {
    expect(await session(page)).toMatchObject(editor)
    await page.waitForTimeout(500)
  }
  expect(await session(page)).toMatchObject(editor)

  provided.renewsIdToken = true
  provided.roles = []
  await seen(page, { user: 'ada@example.com', permissions: [] })
  provided.renewsIdToken = false
  provided.roles = null
  await seen(page, { user: null })
})

test('a user whose roles are gone signs out, too', async () => {
  const now = { renews: true, renewsIdToken: true, roles: ['qa-leads'], idTokenSeconds: 5 }
  Object.assign(provided, now)
  const page = await pageOf('/events')
  await signInAtProvider(page)
  await page.getByText('ada@example.com').waitFor()
  provided.roles = []
  await seen(page, { user: 'ada@example.com', permissions: [] })
  const status = "fetch('/session', { method: 'DELETE' }).then((each) => each.status)"
  expect(await page.evaluate(status)).toBe(200)
  expect(await session(page)).toMatchObject({ user: null })
})

test('signing out takes the refresh token back', async () => {
  Object.assign(provided, { renews: true, roles: ['qa-leads'], idTokenSeconds: ID_TOKEN_SECONDS })
  const page = await pageOf('/')
  await signInAtProvider(page)
  await page.getByText('ada@example.com').waitFor()
  provided.revoked = 0
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL(/\/session\/end\?/)
  await eventually(async () => expect(provided.revoked).toBe(1))
})

/** A sign-in is remembered for some seconds, so a renewal shows a little later. */
async function seen(page: Page, expected: object): Promise<void> {
  for (;;) {
    const now = await session(page)
    try {
      expect(now).toMatchObject(expected)
      return
    } catch {
      await page.waitForTimeout(500)
    }
  }
}
