import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { HttpRequest } from '../../../gateway/http/http-message.ts'
import {
  SIGN_IN_VARIABLES,
  type SignInSettings,
  signInSettings,
} from '../../../gateway/sign-in/settings.ts'
import { createSignIn } from '../../../gateway/sign-in/sign-in.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { createLogger, type Logger } from '../../../platform/process/logger.ts'
import { type Env, readEnv } from '../../../platform/settings/env.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that answers whom it takes a caller for. */
async function whoami(
  env: Env,
  log: Logger = createLogger('silent'),
): Promise<(headers: Record<string, string>) => Promise<Caller>> {
  const settings: SignInSettings = signInSettings(readEnv(env, SIGN_IN_VARIABLES))
  const signIn = createSignIn({ settings, isLocal: true, accounts: undefined, log })
  const url = await serve(async (request, response) => {
    response.end(JSON.stringify(await signIn.of(new HttpRequest(request))))
  })
  return async (headers) => (await fetch(url, { headers })).json() as Promise<Caller>
}

describe('behind a server that signs users in', () => {
  const PROXY = { AUTH_MODE: 'proxy', ROLE_MAP: 'qa-leads=editor, Test Managers=admin' }
  const user = { 'x-forwarded-user': 'ada' }

  test('a user is whom it names, with the highest of the roles that it names', async () => {
    const ask = await whoami({ ...PROXY, PROXY_ADDRESSES: '127.0.0.0/8' })
    const roles = async (groups: string) =>
      (await ask({ ...user, 'x-forwarded-groups': groups })).permissions
    expect(await ask({ ...user, 'x-forwarded-groups': 'reader' })).toMatchObject({
      user: 'ada',
      permissions: ROLES.reader,
    })
    expect(await roles('reader,qa-leads')).toEqual(ROLES.editor)
    expect(await roles('Test Managers')).toEqual(ROLES.admin)
    expect(await roles('strangers')).toEqual([])
    expect(await ask({})).toMatchObject({ user: null, permissions: [], address: '127.0.0.1' })
    expect(await ask({ ...user, 'x-forwarded-for': '203.0.113.7' })).toMatchObject({
      address: '203.0.113.7',
    })
    const blank = await ask({ 'x-forwarded-user': '' })
    expect(blank).toMatchObject({ user: null, permissions: [] })
  })

  test.each<BufferEncoding>(['utf8', 'latin1'])('names may be %s', async (encoding) => {
    const ROLE_MAP = 'Prüfer=editor'
    const ask = await whoami({ ...PROXY, ROLE_MAP, PROXY_ADDRESSES: '127.0.0.0/8' })
    const sent = (name: string) => Buffer.from(name, encoding).toString('latin1')
    const headers = { 'x-forwarded-user': sent('José'), 'x-forwarded-groups': sent('Prüfer') }
    expect(await ask(headers)).toMatchObject({ user: 'José', permissions: ROLES.editor })
  })

  test('nobody else is believed', async () => {
    const ask = await whoami({ ...PROXY, PROXY_ADDRESSES: '10.1.2.0/24' })
    const { permissions, refusal } = await ask({ ...user, 'x-forwarded-groups': 'admin' })
    expect(permissions).toEqual([])
    expect(refusal).toEqual({
      code: 'UNAUTHENTICATED',
      message:
        'x-forwarded-user is taken from the addresses in PROXY_ADDRESSES only, not from 127.0.0.1',
    })
  })

  test('headers and the role of the others can be chosen', async () => {
    const ask = await whoami({
      ...PROXY,
      PROXY_ADDRESSES: '127.0.0.1/32',
      PROXY_USER_HEADER: 'Remote-User',
      PROXY_ROLES_HEADER: 'Remote-Groups',
      DEFAULT_ROLE: 'reader',
    })
    expect(await ask({ 'remote-user': 'bob' })).toMatchObject({
      user: 'bob',
      permissions: ROLES.reader,
    })
    expect(await ask({ 'remote-user': 'bob', 'remote-groups': 'runner' })).toMatchObject({
      permissions: ROLES.runner,
    })
  })
})

describe('with tokens of an OpenID Connect issuer', () => {
  let issuer: string
  let isDown = false
  let ask: Awaited<ReturnType<typeof whoami>>
  let sign: (claims: JWTPayload, change?: (jwt: SignJWT) => SignJWT) => Promise<string>
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    issuer = await serve((request, response) => {
      if (isDown) response.statusCode = 500
      const discovery = { issuer, jwks_uri: `${issuer}/keys` }
      response.end(JSON.stringify(request.url === '/keys' ? { keys: [key] } : discovery))
    })
    sign = (claims, change = (jwt) => jwt) =>
      change(
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'one' })
          .setIssuer(issuer)
          .setAudience('assay')
          .setExpirationTime('5m'),
      ).sign(privateKey)
    ask = await whoami({
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: 'assay',
      OIDC_ROLES_CLAIM: 'realm_access.roles',
    })
  })
  test.each(['https://id.example', 'trailing-slash', undefined])(
    'a discovery document of the issuer %s is refused, and the log says what to do',
    async (name) => {
      const address = await serve((_, response) => {
        const named = name === 'trailing-slash' ? `${address}/` : name
        response.end(JSON.stringify({ issuer: named, jwks_uri: `${issuer}/keys` }))
      })
      const said: { reason: string }[] = []
      const log = { warn() {}, error: (line: { reason: string }) => said.push(line) }
      const strict = await whoami(
        { AUTH_MODE: 'oidc', OIDC_ISSUER: address, OIDC_AUDIENCE: 'assay' },
        log as unknown as Logger,
      )
      const token = await sign(ada, (jwt) => jwt.setIssuer(address))
      const { refusal, user } = await strict({ authorization: `Bearer ${token}` })
      expect({ user, code: refusal?.code }).toEqual({ user: null, code: 'OVERLOADED' })
      expect(said[0]?.reason).toMatch(/is of the issuer .*, not of .* set OIDC_ISSUER to its name/)
    },
  )

  const ada = { preferred_username: 'ada', realm_access: { roles: ['offline', 'runner'] } }
  const bearer = (token: string) => ask({ authorization: `Bearer ${token}` })

  test('issuers that do not answer are told as such, and asked again', async () => {
    isDown = true
    const { refusal } = await bearer(await sign(ada))
    expect(refusal).toEqual({
      code: 'OVERLOADED',
      message: `Cannot fetch the keys of ${issuer} at the moment; try again`,
      retryAfterSeconds: 2,
    })
    isDown = false
    expect(await bearer(await sign(ada))).toMatchObject({ user: 'ada' })
  })

  test('a token tells who, with which roles and for how long, in either header', async () => {
    const token = await sign(ada)
    const caller = {
      user: 'ada',
      subject: `${issuer}\n\nada`,
      permissions: ROLES.runner,
      expiresAt: expect.any(Number),
    }
    expect(await bearer(token)).toMatchObject(caller)
    expect(await ask({ token })).toMatchObject(caller)
    expect(await bearer(await sign({ sub: '4711' }))).toMatchObject({
      user: '4711',
      permissions: [],
    })
    expect(await ask({})).toMatchObject({ user: null, permissions: [] })
  })

  test.each<[string, () => Promise<string>, RegExp]>([
    ['that has expired', () => sign(ada, (jwt) => jwt.setExpirationTime('-5m')), /has expired/],
    ['for somebody else', () => sign(ada, (jwt) => jwt.setAudience('other')), /aud is not as/],
    ['of another issuer', () => sign(ada, (jwt) => jwt.setIssuer('https://x')), /iss is not as/],
    ['without a user', () => sign({}), /names no user/],
    ['that is none', async () => 'nonsense', /is not valid/],
    [
      'that nobody signed',
      async () => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(ada))}.`.replaceAll('=', ''),
      /is signed by none; taken are RS256, .*Ed25519/,
    ],
    [
      'that its public key signed',
      () =>
        new SignJWT(ada).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(Buffer.alloc(32)),
      /is signed by HS256; taken are RS256/,
    ],
  ])('a token %s is refused', async (_, token, message) => {
    const { refusal, permissions } = await bearer(await token())
    expect(permissions).toEqual([])
    expect(refusal).toEqual({ code: 'UNAUTHENTICATED', message: expect.stringMatching(message) })
  })

  test('a password is of no use', async () => {
    const { refusal } = await ask({ authorization: `Basic ${btoa('ada:secret')}` })
    expect(refusal?.message).toBe(`Sign in with a bearer token of ${issuer}`)
  })
})
