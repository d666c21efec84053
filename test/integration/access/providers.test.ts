import { generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import type { ClientMetadata, Configuration } from 'oidc-provider'
import { Issuer } from '../../../gateway/sign-in/oidc.ts'
import { type Granted, ProviderLogin } from '../../../gateway/sign-in/provider-login.ts'
import { SIGN_IN_VARIABLES, signInSettings } from '../../../gateway/sign-in/settings.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { type Env, readEnv } from '../../../platform/settings/env.ts'
import {
  CLIENT,
  ORIGIN,
  type RunningProvider,
  signInAt,
  startProvider,
} from '../../support/oidc-provider.ts'

let running: RunningProvider | undefined
afterEach(() => running?.stop())

interface Claims {
  [name: string]: unknown
}

const ADA: Claims = { preferred_username: 'ada', groups: ['qa-leads'] }
const account = (claims: Claims = ADA): Configuration => ({
  claims: {
    openid: ['sub'],
    profile: [...new Set(['preferred_username', 'groups', ...Object.keys(claims)])],
  },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...claims }) }),
})

/** The product in front of a provider that is set up like this. */
async function loginAt(configuration: Configuration, env: Env = {}) {
  running = await startProvider(configuration)
  const { issuer } = running
  const settings = signInSettings(
    readEnv(
      {
        AUTH_MODE: 'oidc',
        OIDC_ISSUER: issuer,
        OIDC_AUDIENCE: 'assay',
        OIDC_CLIENT_ID: CLIENT.client_id,
        ...(env.OIDC_CLIENT_KEY ? {} : { OIDC_CLIENT_SECRET: CLIENT.client_secret }),
        OIDC_SCOPES: 'openid profile',
        OIDC_ROLES_CLAIM: 'groups',
        ROLE_MAP: 'qa-leads=editor',
        ...env,
      },
      SIGN_IN_VARIABLES,
    ),
  )
  const said: string[] = []
  const warned: string[] = []
  const log = createLogger('silent')
  log.warn = ({ reason }: { reason?: string }, message?: string) => {
    if (reason !== undefined) said.push(reason)
    warned.push(message ?? '')
  }
  const { client } = settings.oidc
  if (!client) throw new Error('No client is registered')
  const login = new ProviderLogin(issuer, client, new Issuer(settings, log), log)
  return {
    login,
    said,
    warned,
    issuer,
    asked: running.asked,
    async signIn(user = 'u1'): Promise<Granted> {
      const { url, kept } = await login.begin(ORIGIN, { returnTo: '/', former: [] })
      return login.finish(ORIGIN, await signInAt(url, user), kept)
    },
  }
}

const EDITOR = { user: 'ada', permissions: ROLES.editor }

test('claims that stand in UserInfo alone are found there, at the sign-in and at each renewal', async () => {
  const { signIn, login, issuer, asked } = await loginAt(account())
  const { identity, grant } = await signIn()
  expect(identity).toMatchObject({ ...EDITOR, subject: `${issuer}\nu1` })
  const renewed = await login.renew(grant?.refreshToken ?? '', grant?.claims)
  expect(renewed.identity).toMatchObject(EDITOR)
  expect(asked.filter((path) => path === '/me')).toHaveLength(2)
})

test('UserInfo is not asked where the ID token says all, and nothing is pushed that need not be', async () => {
  const { signIn, asked } = await loginAt({ ...account(), conformIdTokenClaims: false })
  expect((await signIn()).identity).toMatchObject(EDITOR)
  expect(asked).not.toContain('/me')
  expect(asked).not.toContain('/request')
})

test('UserInfo of another subject opens no session, and the refresh token is taken back', async () => {
  const { signIn, asked } = await loginAt({
    ...account(),
    features: { revocation: { enabled: true } },
  })
  running?.provider.use(async (context, next) => {
    await next()
    if (context.path === '/me') Object.assign(context.body as object, { sub: 'u2' })
  })
  await expect(signIn()).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    message: 'The issuer names another user in UserInfo',
  })
  expect(asked).toContain('/token/revocation')
})

test.each([
  [403, /^u1$/],
  [404, /^OVERLOADED: UserInfo of the issuer, http:.*\/me, gave no claims \(status 404\)/],
  [503, /^OVERLOADED: UserInfo of the issuer, http:.*\/me, gave no claims \(status 503\)/],
  // A page in the place of claims.
  [200, /^OVERLOADED: UserInfo of the issuer, http:.*\/me, gave no claims \(status 200\)/],
])('where UserInfo answers %s, the sign-in ends with %s', async (status, expected) => {
  const { signIn } = await loginAt(account())
  running?.provider.use(async (context, next) => {
    if (context.path !== '/me') return next()
    context.status = status
    context.body = '<!doctype html>'
  })
  const outcome = await signIn().then(
    ({ identity }) => identity.user,
    ({ code, message }) => `${code}: ${message}`,
  )
  expect(outcome).toMatch(expected)
})

test('two subjects with one name are two users', async () => {
  const { signIn } = await loginAt(account())
  const [one, other] = [await signIn('u1'), await signIn('u2')]
  expect(one.identity.user).toBe(other.identity.user)
  expect(one.identity.subject).not.toBe(other.identity.subject)
})

test('a provider that requires pushed requests is used with them', async () => {
  const { signIn, asked } = await loginAt({
    ...account(),
    features: {
      pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
    },
  })
  expect((await signIn()).identity).toMatchObject(EDITOR)
  expect(asked).toContain('/request')
})

const KEYS = [
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ['PS256', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ['Ed25519', () => generateKeyPairSync('ed25519')],
  ['EdDSA', () => generateKeyPairSync('ed25519')],
] as const

test.each(KEYS)('a client signs in with its %s key instead of a secret', async (alg, pair) => {
  const { privateKey, publicKey } = pair()
  const own = { alg, kid: 'own', use: 'sig' }
  const { client_secret: _, ...rest } = CLIENT
  const client: ClientMetadata = {
    ...rest,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: alg,
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), ...own }] },
  } as ClientMetadata
  const OIDC_CLIENT_KEY = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...own })
  const enabled = { clientAuthSigningAlgValues: [alg] }
  const { signIn } = await loginAt(
    { ...account(), clients: [client], enabledJWA: enabled } as Configuration,
    { OIDC_CLIENT_KEY },
  )
  expect((await signIn()).identity).toMatchObject(EDITOR)
})

test.each(['Ed25519', 'EdDSA', 'ES256', 'PS256'])(
  'ID tokens that %s signs are taken',
  async (alg) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const key = { ...(await exportJWK(privateKey)), alg, kid: 'one', use: 'sig' }
    const client = { ...CLIENT, id_token_signed_response_alg: alg } as ClientMetadata
    const { signIn } = await loginAt({
      ...account(),
      clients: [client],
      jwks: { keys: [key] },
      enabledJWA: { idTokenSigningAlgValues: [alg] },
    } as Configuration)
    expect((await signIn()).identity).toMatchObject(EDITOR)
  },
)

const NAMES = { preferred_username: 'ada' }
const ELSEWHERE = {
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'http://127.0.0.1:9/x' } },
}

test.each<[string, Claims, Env, RegExp]>([
  [
    'left out',
    { ...NAMES, ...ELSEWHERE },
    {},
    /=groups gave no role: the issuer left the groups out/,
  ],
  ['said to be there', { ...NAMES, hasgroups: true }, {}, /left the groups out/],
  ['an object', { ...NAMES, groups: { a: 'qa-leads' } }, {}, /it is an object, and not a text/],
  ['a number', { ...NAMES, groups: 7 }, {}, /it is a number, and not a text/],
  [
    'lists of lists',
    { ...NAMES, groups: [['qa-leads']] },
    {},
    /it lists 0 names, and none is known/,
  ],
  ['absent', NAMES, {}, /there is no such claim, only .*preferred_username/],
  [
    'of another case',
    ADA,
    { OIDC_ROLES_CLAIM: 'Groups' },
    /set OIDC_ROLES_CLAIM=groups if that is it/,
  ],
  [
    'names of another case',
    { ...NAMES, groups: ['QA-Leads'] },
    {},
    /it lists 1 names, and none is known: case or blanks differ from qa-leads/,
  ],
  [
    'unknown',
    { ...NAMES, groups: ['secret group'] },
    {},
    /it lists 1 names, and none is known\. Known are qa-leads, reader, runner, editor, admin/,
  ],
])(
  'groups that are %s are explained in the refusal and in the log, without their values',
  async (_, claims, env, reason) => {
    const { signIn, said, asked } = await loginAt(account(claims), env)
    const { identity } = await signIn()
    expect(identity).toMatchObject({ user: 'ada', permissions: [] })
    expect(identity.withoutRole).toMatch(reason)
    expect(said).toEqual([identity.withoutRole])
    expect(identity.withoutRole).not.toMatch(/secret group|127\.0\.0\.1|src1/)
    expect(asked).not.toContain('/x')
  },
)

test('a text that used to be split is one WARN with what to do, and one group', async () => {
  const { signIn, warned } = await loginAt(
    account({ preferred_username: 'ada', groups: 'Readers who are not admin' }),
  )
  for (const user of ['u1', 'u2']) expect((await signIn(user)).identity.permissions).toEqual([])
  expect(warned.filter((text) => text.includes('not split any more'))).toEqual([
    expect.stringMatching(/Let the issuer list the groups, name the whole text in ROLE_MAP/),
  ])
})

test.each(['\n', '\u0000', 'x'.repeat(256), '\ud800', 7, ['ada'], { ada: true }, ''])(
  'a user who is called %j is refused',
  async (preferred_username) => {
    const { signIn } = await loginAt({
      ...account({ preferred_username }),
      conformIdTokenClaims: false,
    })
    await expect(signIn()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  },
)
