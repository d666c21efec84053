import { type Assay, startAssay } from '../support/assay.ts'
import { browserAt } from '../support/oidc-browser.ts'
import {
  CLIENT,
  ORIGIN,
  type RunningProvider,
  signInAt,
  startProvider,
} from '../support/oidc-provider.ts'

let provider: RunningProvider
let assay: Assay

beforeAll(async () => {
  provider = await startProvider({
    claims: { openid: ['sub'], profile: ['preferred_username', 'roles'] },
    conformIdTokenClaims: false,
    features: { revocation: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        preferred_username: id,
        roles: id === 'eve' ? ['<strangers>'] : ['editor'],
      }),
    }),
  })
  assay = await startAssay({
    mode: 'in-process',
    env: {
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'assay',
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_SCOPES: 'openid profile',
      OIDC_REDIRECT_ORIGIN: ORIGIN,
      PROXY_ADDRESSES: '127.0.0.1/32',
    },
  })
})
afterAll(async () => {
  provider?.stop()
  await assay?.stop()
})

/** @param headers of a proxy in front */
const browser = (headers: Record<string, string> = {}) => browserAt(assay.url, headers)

const pendingOf = ({ jar }: ReturnType<typeof browser>) =>
  [...jar.keys()].filter((name) => name.includes('sign_in'))

test('each of two tabs that sign in ends on its own page, and nothing of a sign-in is left', async () => {
  const ada = browser()
  const first = await ada.get('/session/login?return=/events')
  const second = await ada.get('/session/login?return=/executions')
  const jar = new Map<string, string>()
  const [one, two] = [
    await signInAt(first.location, 'ada', jar),
    await signInAt(second.location, 'ada', jar),
  ]
  expect(await ada.get(`/session/callback${one}`)).toMatchObject({
    status: 303,
    location: '/events',
  })
  const ofFirst = `assay_session=${ada.jar.get('assay_session')}`
  expect(await ada.get(`/session/callback${two}`)).toMatchObject({
    status: 303,
    location: '/executions',
  })
  expect(pendingOf(ada)).toEqual([])
  const replaced = await fetch(`${assay.url}/session`, { headers: { cookie: ofFirst } })
  expect(await replaced.json()).toMatchObject({ user: null })
  // The provider would revoke with it what the second session is renewed by.
  expect(provider.asked).not.toContain('/token/revocation')

  // Back, and a callback of long ago.
  for (const query of [one, '?error=access_denied&state=x', ''])
    expect(await ada.get(`/session/callback${query}`)).toMatchObject({ status: 303, location: '/' })
  expect(JSON.parse((await ada.get('/session')).text)).toMatchObject({ user: 'ada' })
})

test('a stale callback whose browser shows no session is asked for once more by its own page alone', async () => {
  const { status, refresh, text } = await browser().get('/session/callback?code=a&state=%22%3B')
  expect(status).toBe(401)
  expect(text).toContain('No sign-in is pending in this browser')
  expect(refresh).toBe('0; url=/session/callback?code=a&state=%22%3B&again=1')
  const { refresh: next } = await browser().get((refresh ?? '').slice('0; url='.length))
  expect(next).toBeNull()
})

test('a person without a role reads which claim was looked for, and what is known', async () => {
  const eve = browser()
  const { location } = await eve.get('/session/login')
  const { status, text } = await eve.get(`/session/callback${await signInAt(location, 'eve')}`)
  expect(status).toBe(403)
  expect(text).toContain('You are eve, and may do nothing here.')
  expect(text).toMatch(/OIDC_ROLES_CLAIM=roles gave no role: it lists 1 names, and none is known/)
  expect(text).toContain('Known are reader, runner, editor, admin')
  expect(text).not.toContain('strangers')
  expect(text).toMatch(/href="[^"]+\/session\/end\?[^"]+">Sign in as another user</)
  expect([...eve.jar.keys()]).toEqual([])
})

test('over TLS, a sign-in ends the session of the former cookie, which goes', async () => {
  const ada = browser()
  const { location } = await ada.get('/session/login')
  await ada.get(`/session/callback${await signInAt(location, 'ada')}`)
  const former = `assay_session=${ada.jar.get('assay_session')}`
  const overTls = browser({ 'x-forwarded-proto': 'https' })
  overTls.jar.set('assay_session', ada.jar.get('assay_session') ?? '')
  const again = await overTls.get('/session/login')
  // Browsers send no cookie of a session with the callback.
  const [name = '', kept = ''] = [...overTls.jar].find(([each]) => each.includes('sign_in')) ?? []
  const [, secret = ''] = former.split('=')
  expect(kept + Buffer.from(kept, 'base64url').toString()).not.toContain(secret)
  const back = await fetch(
    `${assay.url}/session/callback${await signInAt(again.location, 'ada')}`,
    { redirect: 'manual', headers: { 'x-forwarded-proto': 'https', cookie: `${name}=${kept}` } },
  )
  expect(back.status).toBe(303)
  expect(back.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^assay_session=; .*Max-Age=0/),
  )
  const state = await fetch(`${assay.url}/session`, { headers: { cookie: former } })
  expect(await state.json()).toMatchObject({ user: null })
})

test('a browser keeps five sign-ins at most', async () => {
  const ada = browser()
  for (let each = 0; each < 8; each++) await ada.get('/session/login')
  expect(pendingOf(ada)).toHaveLength(5)
})

test.each<Record<string, string>>([{ 'x-forwarded-proto': 'HTTPS' }, { forwarded: 'proto=https' }])(
  'behind a proxy that says %j, no other host can set the cookies of a sign-in',
  async (headers) => {
    const ada = browser(headers)
    const { location } = await ada.get('/session/login?return=/events')
    const back = await ada.get(`/session/callback${await signInAt(location, 'ada')}`)
    expect(back).toMatchObject({ status: 303, location: '/events' })
    expect([...ada.jar.keys()]).toContain('__Host-assay_session')
    expect(JSON.parse((await ada.get('/session')).text)).toMatchObject({ user: 'ada' })
  },
)
