import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Issuer } from '../../../gateway/sign-in/oidc.ts'
import { ProviderLogin } from '../../../gateway/sign-in/provider-login.ts'
import { SIGN_IN_VARIABLES, signInSettings } from '../../../gateway/sign-in/settings.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import type { UserClaims } from '../../../platform/access/session-grant.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { readEnv } from '../../../platform/settings/env.ts'

const ADA: UserClaims = { sub: '4711', user: 'ada', roles: ['editor'], hasWholeNames: true }
const WITHOUT_ROLES: UserClaims = { ...ADA, roles: null }
const CLAIMS = { sub: '4711', preferred_username: 'ada' }

/** Response of the issuer to the next refresh token. */
let answer: { status?: number; body: object }
/** A path, and what it answers instead. */
let away: { path: string; status: number } | undefined
let server: Server
let provider: ProviderLogin
/** A process that knows no keys of the issuer. */
let start: () => ProviderLogin
const reasons: string[] = []
let sign: (audience: string, claims: JWTPayload) => Promise<string>

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  server = createServer(({ url = '' }, response) => {
    const isToken = url === '/token'
    if (away?.path === url) {
      response.writeHead(away.status).end()
      return
    }
    const discovery = {
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      id_token_signing_alg_values_supported: ['RS256'],
    }
    const bodies: Record<string, object> = {
      '/token': answer?.body,
      '/keys': { keys: [key] },
      '/me': { sub: '4711' },
    }
    const body = bodies[url] ?? discovery
    response.writeHead((isToken && answer.status) || 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  sign = (audience, claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const env = {
    AUTH_MODE: 'oidc',
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: 'assay',
    OIDC_CLIENT_ID: 'assay-web',
  }
  const settings = signInSettings(readEnv(env, SIGN_IN_VARIABLES))
  const log = createLogger('silent')
  log.warn = ({ reason }: { reason: string }) => reasons.push(reason)
  start = () => {
    const { client } = settings.oidc
    if (!client) throw new Error('No client is registered')
    return new ProviderLogin(issuer, client, new Issuer(settings, log), log)
  }
  provider = start()
})
afterEach(() => {
  away = undefined
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const TOKENS = { token_type: 'Bearer', access_token: 'opaque', expires_in: 600 }

/** Grant of the issuer with these tokens to the session whose ID token said `earlier`. */
async function renewed(tokens: object, earlier?: UserClaims) {
  answer = { body: { ...TOKENS, ...tokens } }
  return provider.renew('a refresh token', earlier)
}

const idToken = async (claims: JWTPayload) => ({ id_token: await sign('assay-web', claims) })
const accessToken = async (claims: JWTPayload) => ({ access_token: await sign('assay', claims) })

test('without a new ID token the earlier one holds, for as long as the access token', async () => {
  const { identity, grant } = await renewed({ refresh_token: 'next' }, ADA)
  expect(identity).toMatchObject({ user: 'ada', permissions: ROLES.editor })
  expect(grant).toMatchObject({ refreshToken: 'next', claims: ADA })
  expect(grant.lastsMs).toBeGreaterThan(590_000)
  expect(grant.lastsMs).toBeLessThanOrEqual(600_000)
})

test.each<[string, UserClaims, () => Promise<object>, readonly string[]]>([
  [
    'those of the earlier ID token hold, whatever the access token lists',
    ADA,
    () => accessToken({ roles: ['admin'] }),
    ROLES.editor,
  ],
  [
    'those of the new access token count where the earlier ID token listed none',
    WITHOUT_ROLES,
    () => accessToken({ roles: ['reader'] }),
    ROLES.reader,
  ],
  ['an access token that lists none by now leaves none', WITHOUT_ROLES, () => accessToken({}), []],
  ['an access token that cannot be read leaves none', WITHOUT_ROLES, async () => ({}), []],
  [
    'a new ID token takes them away',
    ADA,
    () => idToken({ ...CLAIMS, roles: ['reader'] }),
    ROLES.reader,
  ],
  ['a new ID token takes all of them away', ADA, () => idToken({ ...CLAIMS, roles: [] }), []],
  ['a new ID token that lists none leaves none', ADA, () => idToken(CLAIMS), []],
])('roles: %s', async (_, earlier, tokens, permissions) => {
  const { identity } = await renewed(await tokens(), earlier)
  expect(identity).toMatchObject({ user: 'ada', permissions })
})

test('what a new ID token says is kept for the next renewal', async () => {
  const { grant } = await renewed(await idToken({ ...CLAIMS, roles: ['reader'] }), ADA)
  expect(grant.claims).toEqual({ ...ADA, roles: ['reader'] })
  const { grant: next } = await renewed(await idToken(CLAIMS), ADA)
  expect(next.claims).toEqual(WITHOUT_ROLES)
})

test.each<[string, UserClaims | undefined, () => Promise<object>]>([
  ['names no user, and no ID token did before', undefined, async () => ({})],
  ['names another user by the same name', ADA, () => idToken({ ...CLAIMS, sub: '4712' })],
  [
    'names no roles, where a version before has split those kept,',
    { sub: '4711', user: 'ada', roles: ['not', 'admin'] },
    async () => ({}),
  ],
  ['says nowhere for how long', ADA, async () => ({ expires_in: undefined })],
])('an issuer that %s renews nothing', async (_, earlier, tokens) => {
  const refused = { code: 'UNAUTHENTICATED' }
  await expect(renewed(await tokens(), earlier)).rejects.toMatchObject(refused)
})

test.each<[string, string, number, () => Promise<object>]>([
  ['UserInfo', '/me', 503, async () => ({})],
  ['UserInfo', '/me', 404, async () => ({})],
  ['the keys for the access token', '/keys', 503, () => accessToken({})],
  ['the keys for the ID token', '/keys', 503, () => idToken(CLAIMS)],
])(
  'a refresh token that was rotated is handed on where %s cannot be had (%s: %s)',
  async (_, path, status, tokens) => {
    answer = { body: { ...TOKENS, ...(await tokens()), refresh_token: 'next' } }
    away = { path, status }
    const rotated: string[] = []
    const renewing = start().renew('first', WITHOUT_ROLES, (token) => rotated.push(token))
    await expect(renewing).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(rotated).toEqual(['next'])
  },
)

test('an ID token that other keys sign renews nothing for now, and ends nothing', async () => {
  const { privateKey } = await generateKeyPair('RS256')
  const { id_token } = await idToken(CLAIMS)
  const forged = await new SignJWT(decodeJwt(id_token))
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(privateKey)
  await expect(renewed({ id_token: forged }, ADA)).rejects.toMatchObject({ code: 'OVERLOADED' })
})

test('an issuer that refuses the refresh token renews nothing', async () => {
  answer = { status: 400, body: { error: 'invalid_grant' } }
  const renewing = provider.renew('a refresh token', ADA)
  await expect(renewing).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('the log has the error code of the issuer, also without a description', async () => {
  answer = { status: 401, body: { error: 'invalid_client' } }
  const renewing = provider.renew('a refresh token', ADA)
  await expect(renewing).rejects.toMatchObject({ code: 'OVERLOADED' })
  expect(reasons.at(-1)).toContain('invalid_client')
})

test('a person whom the issuer refuses, and the log, get its error code', async () => {
  const { url, kept } = await provider.begin('http://127.0.0.1:4000', { returnTo: '/', former: [] })
  const state = new URL(url).searchParams.get('state')
  const query = `?error=access_denied&state=${state}`
  const signingIn = provider.finish('http://127.0.0.1:4000', query, kept)
  await expect(signingIn).rejects.toThrow('The sign-in failed (access_denied)')
  expect(reasons.at(-1)).toContain('access_denied')
})
