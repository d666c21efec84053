import { setTimeout as delay } from 'node:timers/promises'
import { type Assay, addressOf, ENTRY, startAssay } from '../support/assay.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { browserAt } from '../support/oidc-browser.ts'
import {
  CLIENT,
  ORIGIN,
  type RunningProvider,
  signInAt,
  startProvider,
} from '../support/oidc-provider.ts'
import { productKeys } from '../support/product-keys.ts'
import { type ProductProcess, spawnProduct } from '../support/product-process.ts'

const TOKEN_SECONDS = 6
/** A claim that no process gives back lasts 40 seconds. */
const SECONDS_MS = 20_000

const now = {
  roles: ['reader'],
  isRotating: true,
  /** Paths whose next answer is cut off, or is 503. */
  cut: [] as string[],
  away: [] as string[],
}
/** Number of times that each refresh token was used. */
const uses = new Map<string, number>()

let provider: RunningProvider
let database: TestDatabase
let assay: Assay
let second: ProductProcess
let urls: string[]

beforeAll(async () => {
  provider = await startProvider({
    claims: { openid: ['sub'], profile: ['preferred_username', 'roles'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, roles: now.roles }),
    }),
    rotateRefreshToken: () => now.isRotating,
    ttl: { IdToken: TOKEN_SECONDS, AccessToken: TOKEN_SECONDS },
  })
  provider.provider.use(async (context, next) => {
    const isNext = (paths: string[]) =>
      paths.includes(context.path) && paths.splice(paths.indexOf(context.path), 1).length > 0
    if (isNext(now.away)) {
      context.status = 503
      return
    }
    const isCut = isNext(now.cut)
    await next()
    const { refresh_token: token } = context.oidc?.params ?? {}
    if (typeof token === 'string') uses.set(token, (uses.get(token) ?? 0) + 1)
    if (isCut) context.req.socket.destroy()
  })
  database = await createDatabase()
  assay = await startAssay({
    mode: 'in-process',
    env: {
      DATABASE_URL: database.url,
      ...productKeys(),
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'assay',
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_SCOPES: 'openid profile',
      OIDC_REDIRECT_ORIGIN: ORIGIN,
    },
  })
  const name = assay.parts.gateway
  second = spawnProduct(name, ENTRY[name], { ...assay.env, PORT: '0' }, process.cwd())
  urls = [assay.url, (await addressOf(second)) ?? '']
})
afterAll(async () => {
  provider?.stop()
  second?.signal('SIGTERM')
  await second?.exited
  await assay?.stop()
  await database?.drop()
})

/** Signs in, and waits until the ID token is over. @returns asks every gateway `times` times at once who that is */
async function overdue() {
  Object.assign(now, { roles: ['reader'], isRotating: true, cut: [], away: [] })
  uses.clear()
  const ada = browserAt(assay.url)
  const { location } = await ada.get('/session/login')
  await ada.get(`/session/callback${await signInAt(location, 'ada')}`)
  const headers = { cookie: `assay_session=${ada.jar.get('assay_session')}` }
  await delay(TOKEN_SECONDS * 1_000 + 100)
  const ask = async (url: string) => {
    const response = await fetch(`${url}/session`, { headers })
    const body = (await response.json()) as { user?: string | null; permissions?: string[] }
    return { status: response.status, user: body.user, permissions: body.permissions }
  }
  return (times: number) =>
    Promise.all(
      Array.from({ length: times }, () => urls)
        .flat()
        .map(ask),
    )
}

/** Until every gateway knows the user again; 503 is an answer, and a session that has ended is none. */
async function backWithin(ms: number, ask: Awaited<ReturnType<typeof overdue>>) {
  const began = performance.now()
  for (;;) {
    const answers = await ask(1)
    for (const { status, user } of answers)
      expect([status, user]).toEqual(status === 503 ? [503, undefined] : [200, 'ada'])
    if (answers.every(({ status }) => status === 200)) break
    await delay(100)
  }
  expect(performance.now() - began).toBeLessThan(ms)
}

test('40 requests that wait at two gateways for a renewal are all of the renewed user, and ask the issuer once', async () => {
  const ask = await overdue()
  now.roles = ['admin']
  for (const answer of await ask(20))
    expect(answer).toMatchObject({
      status: 200,
      user: 'ada',
      permissions: expect.arrayContaining(['accounts:manage']),
    })
  expect([...uses.values()]).toEqual([1])
})

test('a renewal whose answer is cut off costs seconds, and not the session', async () => {
  const ask = await overdue()
  Object.assign(now, { isRotating: false, cut: ['/token'] })
  expect((await ask(1)).map(({ status }) => status)).toContain(503)
  await backWithin(SECONDS_MS, ask)
})

test('where UserInfo is away for a moment after the refresh token was rotated, the session goes on', async () => {
  const ask = await overdue()
  now.away = ['/me']
  await backWithin(SECONDS_MS, ask)
  expect(now.away).toEqual([])
  expect(Math.max(...uses.values())).toBe(1)
})
