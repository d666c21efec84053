import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'

describe('sessions of browsers', () => {
  const url = () => assay().url
  const client = () => new Client(url())
  const admin = basic(ADMIN, ADMIN_PASSWORD)
  const SESSIONS = '{ browserSessions { id user isCurrent browser } }'

  const post = (body: unknown, headers = {}) =>
    fetch(`${url()}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  /** @returns the header that the browser of somebody sends from now on */
  async function signIn(
    name = ADMIN,
    password = ADMIN_PASSWORD,
    kept = {},
  ): Promise<{ cookie: string }> {
    const response = await post({ name, password }, { 'user-agent': 'a browser', ...kept })
    expect(response.status).toBe(200)
    const [cookie = ''] = response.headers.getSetCookie()
    return { cookie: cookie.split(';', 1)[0] ?? '' }
  }

  const state = async (headers = {}) => (await fetch(`${url()}/session`, { headers })).json()

  /** Opens a stream over a WebSocket. `closed`: the code with which the server closes it. */
  async function opened(headers: Record<string, string>): Promise<{ closed: Promise<number> }> {
    class BrowserSocket extends WebSocket {
      constructor(address: string, protocol: string) {
        super(address, protocol, { headers })
      }
    }
    const closed = Promise.withResolvers<number>()
    const client = createClient({
      url: `${url().replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: BrowserSocket,
      retryAttempts: 0,
      on: { closed: (event) => closed.resolve((event as CloseEvent).code) },
    })
    const connected = new Promise((resolve) => client.on('connected', resolve))
    client.subscribe(
      { query: 'subscription { eventReceived { cursor } }' },
      { next: () => {}, error: () => {}, complete: () => {} },
    )
    await Promise.race([connected, closed.promise])
    return { closed: closed.promise }
  }

  test('name and password open one, and its cookie signs in over every protocol', async () => {
    const response = await post({ name: ADMIN, password: ADMIN_PASSWORD })
    const [set = ''] = response.headers.getSetCookie()
    expect(set).toMatch(
      /^assay_session=assayb_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    expect(await response.json()).toMatchObject({ user: ADMIN, authMode: 'users' })
    const headers = { cookie: `other=1; ${set.split(';', 1)[0]}` }
    expect((await client().rest('GET', '/component/count', headers)).status).toBe(200)
    expect(await client().run('{ viewer { user } }', headers)).toEqual({ viewer: { user: ADMIN } })
    const stream = await fetch(`${url()}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { eventReceived { cursor } }' }),
    })
    expect(stream.status).toBe(200)
    await stream.body?.cancel()
    expect(await state(headers)).toEqual({
      user: ADMIN,
      subject: null,
      permissions: expect.arrayContaining(['accounts:manage']),
      session: expect.any(String),
      authMode: 'users',
      signIn: { by: 'password', at: '/session' },
    })
  })

  test('a wrong password opens none, in the words of any wrong sign-in, without a window of the browser', async () => {
    for (const body of [
      { name: ADMIN, password: 'wrong' },
      { name: 'x@example.com', password: 'x' },
    ]) {
      const response = await post(body)
      expect(response.status).toBe(401)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.headers.get('www-authenticate')).not.toContain('Basic')
      expect(await response.json()).toMatchObject({ message: 'The sign-in is not valid' })
    }
    for (const body of [{}, null, { name: 1, password: 'x' }, { name: 'a:b', password: 'x' }])
      expect((await post(body)).status).toBe(400)
    expect(await state()).toMatchObject({ user: null, permissions: [], session: null })
  })

  test('pages of other origins can use no session, whatever they send', async () => {
    const headers = await signIn()
    for (const [name, value] of [
      ['origin', 'https://elsewhere.example'],
      ['sec-fetch-site', 'cross-site'],
      ['sec-fetch-site', 'same-site'],
    ] as const) {
      const foreign = { [name]: value }
      const given = { ...headers, ...foreign }
      expect((await client().rest('GET', '/component/count', given)).status).toBe(403)
      expect((await client().rest('DELETE', '/component/x', given)).status).toBe(403)
      expect(await client().graphql('{ viewer { user } }', given)).toMatchObject({ status: 403 })
      expect((await post({ name: ADMIN, password: ADMIN_PASSWORD }, foreign)).status).toBe(403)
      const end = await fetch(`${url()}/session`, { method: 'DELETE', headers: given })
      expect(end.status).toBe(403)
    }
    const { closed } = await opened({ ...headers, origin: 'https://elsewhere.example' })
    expect(await closed).toBe(1006)
    expect(await state(headers)).toMatchObject({ user: ADMIN })
  })

  test('a script of our own page is refused without a window of the browser, other clients as before', async () => {
    const challenge = async (headers: Record<string, string>) =>
      (await client().rest('GET', '/component/count', headers)).headers.get('www-authenticate')
    expect(await challenge({})).toContain('Basic')
    expect(await challenge({ 'x-requested-with': 'assay' })).toBe('Session realm="Assay"')
    expect(await challenge({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(
      'Session realm="Assay"',
    )
  })

  test('signing out ends the session and its streams at once', async () => {
    const headers = await signIn()
    const { closed } = await opened(headers)
    const end = await fetch(`${url()}/session`, { method: 'DELETE', headers })
    expect(end.status).toBe(204)
    expect(end.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect(await closed).toBe(4403)
    expect(await state(headers)).toMatchObject({ user: null, session: null })
    expect((await client().rest('GET', '/component/count', headers)).status).toBe(401)
  })

  test('signing out ends the session of the cookie, and no token beside it', async () => {
    const { body } = await client().rest('POST', '/authenticate', admin)
    const kept = { token: body.token as string }
    for (const header of [kept, admin, basic(ADMIN, 'a-wrong-password')]) {
      const cookie = await signIn()
      const { closed } = await opened(cookie)
      const end = await fetch(`${url()}/session`, {
        method: 'DELETE',
        headers: { ...cookie, ...header },
      })
      expect(end.status).toBe(204)
      expect(await closed).toBe(4403)
      expect(await state(cookie)).toMatchObject({ user: null, session: null })
    }
    const end = await fetch(`${url()}/session`, { method: 'DELETE', headers: kept })
    expect(end.status).toBe(204)
    expect((await client().rest('GET', '/component/count', kept)).status).toBe(200)
  })

  test('another sign-in of the browser ends its former session, and no failed one', async () => {
    const former = await signIn()
    const { closed } = await opened(former)
    expect((await post({ name: ADMIN, password: 'wrong' }, former)).status).toBe(401)
    expect(await state(former)).toMatchObject({ user: ADMIN })
    const next = await signIn(ADMIN, ADMIN_PASSWORD, former)
    expect(await closed).toBe(4403)
    expect(await state(former)).toMatchObject({ user: null })
    expect(await state(next)).toMatchObject({ user: ADMIN })
  })

  test('sign-out ends the sessions of both names of the cookie', async () => {
    const { cookie: own } = await signIn()
    const former = await signIn()
    const cookie = `__Host-${own}; ${former.cookie}`
    expect((await fetch(`${url()}/session`, { method: 'DELETE', headers: { cookie } })).ok).toBe(
      true,
    )
    for (const each of [own, former.cookie])
      expect(await state({ cookie: each })).toMatchObject({ user: null })
  })

  test('users see and end their own sessions, administrators all', async () => {
    const { headers: own } = await client().account('browsing@example.com', 'READER')
    const [, password = ''] = Buffer.from(own.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(/:(.*)/)
    const [first, second] = [
      await signIn('browsing@example.com', password),
      await signIn('browsing@example.com', password),
    ]
    const { browserSessions } = await client().run(SESSIONS, first)
    expect(browserSessions).toMatchObject([
      { user: 'browsing@example.com', isCurrent: false, browser: 'a browser' },
      { user: 'browsing@example.com', isCurrent: true },
    ])
    const [{ id }] = browserSessions
    expect((await client().rest('GET', '/sessions?everyone=true', first)).status).toBe(403)
    const other = await signIn()
    const { session } = (await state(other)) as { session: string }
    expect((await client().rest('DELETE', `/sessions/${session}`, first)).status).toBe(404)
    expect((await client().rest('DELETE', `/sessions/${id}`, first)).status).toBe(204)
    expect(await state(second)).toMatchObject({ user: null })

    const { body: all } = await client().rest('GET', '/sessions?everyone=true', admin)
    const left = all.find((each: { user: string }) => each.user === 'browsing@example.com')
    expect((await client().rest('DELETE', `/sessions/${left.id}`, admin)).status).toBe(204)
    expect(await state(first)).toMatchObject({ user: null })
  })

  test('an API token opens no session, which would have all permissions of its account', async () => {
    const { secret } = await client().token(admin, ['events:read'])
    for (const given of [
      { name: '', password: secret },
      { name: secret, password: '' },
    ]) {
      const response = await post(given)
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
    }
  })

  test('a session ends with the password and with the account, and opens no other', async () => {
    const { id, headers: own } = await client().account('leaving@example.com', 'READER')
    const [, old = ''] = Buffer.from(own.authorization?.slice(6) ?? '', 'base64')
      .toString()
      .split(/:(.*)/)
    const CHANGE = 'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { id } }'
    const session = await signIn('leaving@example.com', old)
    expect(await client().graphql('mutation { authenticate { token } }', session)).toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await client().run(CHANGE, admin, { input: { id, password: 'another-password' } })
    expect(await state(session)).toMatchObject({ user: null })
    const next = await signIn('leaving@example.com', 'another-password')
    await client().run(CHANGE, admin, { input: { id, active: false } })
    expect(await state(next)).toMatchObject({ user: null })
    expect((await post({ name: 'leaving@example.com', password: 'another-password' })).status).toBe(
      401,
    )
  })
})
