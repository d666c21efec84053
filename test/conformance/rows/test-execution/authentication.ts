import { once } from 'node:events'
import { get } from 'node:http'
import { ADMIN, ADMIN_PASSWORD, basic, type Client } from '../../../support/e2e/users.ts'
import { call, graphql } from '../../calls.ts'
import { withProxy, withUsers } from '../../configured.ts'
import { documentsOf } from '../../documents.ts'
import { encoded, execute, PASSWORD, synchronousRun, USER_ID } from '../../executions.ts'
import { inSection, product } from '../../row.ts'

const admin = basic(ADMIN, ADMIN_PASSWORD)
const READ = '/component/count'
const sessionOf = async (users: Client): Promise<string> =>
  (await users.rest('POST', '/authenticate', admin)).body.token

export const authentication = inSection('TX', 'Authentication', [
  {
    id: 'TX-132',
    rule: 'Behind a central server the identity and rights MUST be those that this server vouches for, from its addresses only.',
    check: async () => {
      const proxied = await withProxy()
      const signedIn = { 'x-forwarded-user': 'ada', 'x-forwarded-groups': 'runner' }
      expect((await proxied.rest('GET', READ)).status).toBe(401)
      expect((await proxied.rest('GET', READ, signedIn)).status).toBe(200)
      expect((await proxied.rest('DELETE', '/component/x', signedIn)).status).toBe(403)
      const credentials = encoded(USER_ID, PASSWORD)
      const begun = await proxied.rest('POST', '/execute/loan-schedule', {
        ...signedIn,
        credentials,
      })
      expect(begun.body.executedBy).toBe('ada')
      expect(await statusFrom('127.0.0.2', `${proxied.url}/api${READ}`, signedIn)).toBe(401)
    },
  },
  {
    id: 'TX-133',
    rule: 'While users do not sign in, every address MUST be usable without a sign-in.',
    check: async () => {
      const credentials = encoded(USER_ID, PASSWORD)
      const { status, body } = await execute('/execute/loan-schedule', { credentials })
      expect(status).toBe(200)
      expect((await call('GET', `/result/${body.id}`)).status).toBe(200)
    },
  },
  {
    id: 'TX-134',
    rule: 'While users do not sign in, sign-in headers MUST be ignored, malformed ones too.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      for (const headers of [
        { authorization: `Basic ${encoded('tom', 'wrong')}` },
        { authorization: 'Basic ***' },
        { authorization: 'Bearer not-a-jwt' },
        { authorization: 'Nonsense' },
        { token: 'not-a-token' },
      ] as Record<string, string>[]) {
        const { status, body } = await call('GET', `/result/${simple.id}`, { headers })
        expect({ status, body }).toEqual({ status: 200, body: simple })
      }
    },
  },
  {
    id: 'TX-135',
    rule: 'Where users sign in, every call MUST bring a known user id and password, else 401.',
    check: async () => {
      const users = await withUsers()
      for (const headers of [{}, basic(ADMIN, 'wrong'), basic('unknown@example.com', 'wrong')]) {
        const { status, body } = await users.rest('GET', READ, headers as Record<string, string>)
        expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
      }
      expect((await users.rest('GET', READ, admin)).status).toBe(200)
    },
  },
  {
    id: 'TX-136',
    rule: 'The explorer MUST have an Authorize button for user id and password, and for a token.',
    check: async () => {
      const [openapi, swagger] = await documentsOf(product().base)
      const token = { type: 'apiKey', in: 'header', name: 'token' }
      expect(openapi?.components?.securitySchemes).toMatchObject({
        basic: { type: 'http', scheme: 'basic' },
        token,
      })
      expect(swagger?.securityDefinitions).toMatchObject({ basic: { type: 'basic' }, token })
    },
  },
  {
    id: 'TX-137',
    rule: 'What needs administration rights MUST be open to users with the admin role only, else 403.',
    check: async () => {
      const users = await withUsers()
      const editor = await users.account('tx-137@example.com', 'EDITOR')
      const ADMINISTRATION = '{ accounts { totalCount } auditLog { totalCount } }'
      expect(await users.graphql(ADMINISTRATION, editor.headers)).toMatchObject({
        code: 'FORBIDDEN',
      })
      expect(await users.run(ADMINISTRATION, admin)).toMatchObject({
        accounts: { totalCount: expect.any(Number) },
      })
      const reader = await users.account('tx-137-reader@example.com', 'READER')
      const { status, body } = await users.rest('DELETE', '/suite/finance', reader.headers)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' })
    },
  },
  {
    id: 'TX-138',
    rule: 'POST /authenticate with HTTP Basic MUST answer an object with a token; without Basic 401.',
    check: async () => {
      const users = await withUsers()
      const { status, body } = await users.rest('POST', '/authenticate', admin)
      expect({ status, body }).toEqual({ status: 200, body: { token: expect.any(String) } })
      expect((await users.rest('POST', '/authenticate')).status).toBe(401)
      expect((await call('POST', '/authenticate')).status).toBe(401)
    },
  },
  {
    id: 'TX-139',
    rule: 'A token MUST be accepted in the header token for 60 minutes, and on artifact operations as well.',
    check: async () => {
      const users = await withUsers()
      const began = Date.now()
      const { authenticate } = await users.run('mutation { authenticate { token expires } }', admin)
      const given = Date.parse(authenticate.expires) - 60 * 60_000
      expect(given).toBeGreaterThanOrEqual(began)
      expect(given).toBeLessThanOrEqual(Date.now())
      const { token } = authenticate
      const input = { id: 'tx-139', name: 'TX-139' }
      expect((await users.rest('POST', '/environment', { token }, input)).status).toBe(201)
      expect((await users.rest('GET', '/environment/tx-139', { token })).status).toBe(200)
    },
  },
  {
    id: 'TX-140',
    rule: 'HTTP Basic MUST be accepted on every call in place of a token.',
    check: async () => {
      const users = await withUsers()
      const credentials = encoded(USER_ID, PASSWORD)
      const begun = await users.rest('POST', '/execute/loan-schedule', { ...admin, credentials })
      expect(begun.status).toBe(200)
      const input = { id: 'tx-140', name: 'TX-140' }
      expect((await users.rest('POST', '/environment', admin, input)).status).toBe(201)
      expect((await users.rest('GET', `/result/${begun.body.id}`, admin)).status).toBe(200)
    },
  },
  {
    id: 'TX-141',
    rule: 'Of several sign-ins token MUST win over Bearer and Bearer over Basic; an invalid one is 401 without falling back.',
    check: async () => {
      const users = await withUsers()
      const token = await sessionOf(users)
      const reader = await users.account('tx-141@example.com', 'READER')
      const { secret } = await users.token(admin, ['events:write'])
      const bearer = { authorization: `Bearer ${secret}` }
      const statusOf = async (headers: Record<string, string>) =>
        (await users.rest('GET', READ, headers)).status
      expect(await statusOf({ ...bearer, token })).toBe(200)
      expect(await statusOf({ ...bearer })).toBe(403)
      expect(await statusOf({ ...reader.headers, token: 'invalid' })).toBe(401)
      expect(await statusOf({ token, authorization: 'Bearer invalid' })).toBe(200)
    },
  },
  {
    id: 'TX-142',
    rule: 'connection_init of a GraphQL connection MUST take the same names as the headers.',
    check: async () => {
      const users = await withUsers()
      const VIEWER = '{ viewer { user } }'
      const signedIn = { data: { viewer: { user: ADMIN } } }
      const token = await sessionOf(users)
      expect(await users.overSocket({ token }, VIEWER)).toEqual(signedIn)
      expect(await users.overSocket({ authorization: `Bearer ${token}` }, VIEWER)).toEqual(signedIn)
      expect(await users.overSocket({ Authorization: admin.authorization }, VIEWER)).toEqual(
        signedIn,
      )
      expect(await users.overSocket({ ...admin, token: 'invalid' }, VIEWER)).toBe(4403)
      // Web clients send null while their user is signed out.
      expect(await users.overSocket({ token: null }, VIEWER)).toEqual(
        await users.overSocket({}, VIEWER),
      )
      expect(await users.overSocket({ ...admin, token: null }, VIEWER)).toEqual(signedIn)
    },
  },
  {
    id: 'TX-143',
    rule: 'While users do not sign in, /authenticate MUST give any Basic pair a token that is accepted and ignored.',
    check: async () => {
      const headers = { authorization: `Basic ${encoded('any-user', 'anything')}` }
      const { status, body } = await call<{ token: string }>('POST', '/authenticate', { headers })
      expect({ status, body }).toEqual({ status: 200, body: { token: expect.any(String) } })
      expect((await call('GET', READ, { headers: { token: body.token } })).status).toBe(200)
      expect(await graphql('{ viewer { user } }', {})).toEqual({ viewer: { user: null } })
    },
  },
  {
    id: 'TX-144',
    rule: 'Host credentials of an execute call MUST never count as a sign-in.',
    check: async () => {
      const users = await withUsers()
      const credentials = encoded(ADMIN, ADMIN_PASSWORD)
      const { status } = await users.rest('POST', '/execute/loan-schedule', { credentials })
      expect(status).toBe(401)
    },
  },
])

/** The status of a GET that comes from another address of this machine. */
async function statusFrom(
  localAddress: string,
  url: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const [response] = await once(get(url, { localAddress, headers }), 'response')
  response.resume()
  return response.statusCode
}
