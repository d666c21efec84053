import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { HttpRequest } from '../../../gateway/http/http-message.ts'
import { namesAt, wasSplit } from '../../../gateway/sign-in/claims.ts'
import { identifyByProxy } from '../../../gateway/sign-in/proxy.ts'
import { permissionsOf } from '../../../gateway/sign-in/roles.ts'
import { SIGN_IN_VARIABLES, signInSettings } from '../../../gateway/sign-in/settings.ts'
import { ROLES, type Role } from '../../../platform/access/permissions.ts'
import { type Env, readEnv } from '../../../platform/settings/env.ts'
import { roleMapOf } from '../../../platform/settings/formats.ts'

const DN = 'CN=QA Leads,OU=Groups,DC=example,DC=org'
const ROLE_MAP = `QA Leads=editor,everyone=reader,"${DN}"=runner`

const settingsOf = (env: Env) => signInSettings(readEnv(env, SIGN_IN_VARIABLES))
const rightsOf = (role: Role | null) => (role ? ROLES[role] : [])

test.each<[unknown, Role | null]>([
  ['QA Leads', 'editor'],
  [['QA Leads', 'everyone'], 'editor'],
  ['Readers who are not admin', null],
  ['reader,admin', null],
  ['admin', 'admin'],
  [DN, 'runner'],
  [[DN], 'runner'],
  [' admin', null],
  ['Admin', null],
  ['аdmin', null],
  ['__proto__', null],
  [['constructor', 'toString'], null],
  [[['admin']], null],
  [{ 0: 'admin', length: 1 }, null],
  [{ admin: true }, null],
  [7, null],
  [null, null],
])('a role claim %j gives %s', (groups, role) => {
  const names = namesAt({ groups }, 'groups') ?? []
  expect(permissionsOf(names, settingsOf({ ROLE_MAP }))).toEqual(rightsOf(role))
})

test.each([
  [{ scope: 'openid reader admin,x' }, 'scope', ['openid', 'reader', 'admin,x'], true],
  [{ scp: 'reader admin' }, 'scp', ['reader', 'admin'], false],
  [{ token: { scope: 'reader admin' } }, 'token.scope', ['reader', 'admin'], false],
  [{ myscope: 'reader admin' }, 'myscope', ['reader admin'], true],
  [{ 'https://assay.example/scope': 'a b' }, 'https://assay.example/scope', ['a b'], true],
  [{ 'a.b': ['x'], a: { b: ['y'] } }, 'a.b', ['x'], false],
  [{}, 'constructor.name', null, false],
  [{ roles: ['QA Leads'] }, 'roles', ['QA Leads'], false],
])('of %j, %s lists the names %j', (claims, path, names, split) => {
  expect(namesAt(claims, path)).toEqual(names)
  expect(wasSplit(claims, path)).toBe(split)
})

test.each<[string, [string, string][]]>([
  ['', []],
  [
    'a=editor, Test Managers = admin ,',
    [
      ['a', 'editor'],
      ['Test Managers', 'admin'],
    ],
  ],
  ['CN=a=reader', [['CN=a', 'reader']]],
  [
    `"${DN}"=editor,x=reader`,
    [
      [DN, 'editor'],
      ['x', 'reader'],
    ],
  ],
  ['"say ""ah"", CN\\, x" = admin', [['say "ah", CN\\, x', 'admin']]],
  ['" a "=reader', [[' a ', 'reader']]],
])('ROLE_MAP %j is read as %j', (text, entries) => {
  expect([...roleMapOf(text)]).toEqual(entries)
  expect(() => settingsOf({ ROLE_MAP: text })).not.toThrow()
})

test.each([
  '"a',
  '"a"',
  '"a"x=editor',
  '"a"=editor"',
  'a"b=editor',
  '"a\\"=editor,b"=admin',
  '=admin',
  '""=admin',
  'a=Admin',
  'a',
  'a=__proto__',
  `${DN}=editor`,
])('ROLE_MAP %j is refused', (text) => {
  expect(() => settingsOf({ ROLE_MAP: text })).toThrow(/ROLE_MAP/)
})

const KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PRIVATE = KEY.privateKey.export({ format: 'jwk' })
const WITH_CLIENT = {
  AUTH_MODE: 'oidc',
  OIDC_ISSUER: 'https://id.example',
  OIDC_AUDIENCE: 'assay',
  OIDC_CLIENT_ID: 'assay-web',
}

test.each([
  [{ ...PRIVATE, alg: 'ES256' }, true],
  [{ ...PRIVATE, alg: 'RS256' }, false],
  [{ ...PRIVATE, alg: 'none' }, false],
  [{ ...PRIVATE, alg: ['ES256', 'x'] }, false],
  [PRIVATE, false],
  [{ ...KEY.publicKey.export({ format: 'jwk' }), alg: 'ES256' }, false],
  [{ kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }, false],
  [null, false],
])('of the keys of a client, %j is taken: %s', (key, isTaken) => {
  const read = () => settingsOf({ ...WITH_CLIENT, OIDC_CLIENT_KEY: JSON.stringify(key) })
  if (isTaken) expect(read).not.toThrow()
  else expect(read).toThrow(/OIDC_CLIENT_KEY/)
})

/** Response to a proxy on this machine that sends headers, some of them more than once. */
async function askedWith(env: Env, headers: Record<string, string[]>): Promise<unknown> {
  const identify = identifyByProxy(settingsOf({ ...BEHIND, ...env }))
  const server = createServer(async (message, response) => {
    const found = identify(new HttpRequest(message), {}, {} as never) // asks no accounts
    response.end(JSON.stringify(await found.catch(({ code, message }) => ({ code, message }))))
  }).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const asked = request({ port, host: '127.0.0.1', headers }).end()
    const [response] = await once(asked, 'response')
    return await json(response)
  } finally {
    server.close()
  }
}

const BEHIND = { AUTH_MODE: 'proxy', PROXY_ADDRESSES: '127.0.0.1/32' }

test.each<[Env, string[], Role | null]>([
  [{}, ['everyone, QA Leads'], 'editor'],
  [{}, ['everyone', 'QA Leads'], 'editor'],
  [{}, [DN], null],
  [{ PROXY_ROLES_SEPARATOR: '|' }, [DN], 'runner'],
  [{ PROXY_ROLES_SEPARATOR: '|' }, [`everyone | ${DN}`], 'runner'],
  [{ PROXY_ROLES_SEPARATOR: '|' }, ['everyone', DN], 'runner'],
  [{ PROXY_ROLES_SEPARATOR: '|' }, ['everyone,admin'], null],
  [{ PROXY_ROLES_SEPARATOR: '.*' }, ['everyone.*admin'], 'admin'],
])('with %j, the headers %j of a proxy give %s', async (env, groups, role) => {
  const headers = { 'X-Forwarded-User': ['ada'], 'X-Forwarded-Groups': groups }
  const permissions = rightsOf(role)
  expect(await askedWith({ ROLE_MAP, ...env }, headers)).toEqual({ user: 'ada', permissions })
})

test.each([[['ada', 'eve']], [['', 'eve']]])(
  'a proxy that names the users %j has passed on what a client sent, and is refused',
  async (users) => {
    expect(await askedWith({}, { 'X-Forwarded-User': users })).toEqual({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('came 2 times'),
    })
  },
)
