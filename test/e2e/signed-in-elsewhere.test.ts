import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { encoded } from '../conformance/executions.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { mcp } from '../support/e2e/mcp.ts'
import { basic, Client } from '../support/e2e/users.ts'

const READ = '/component/count'
const VIEWER = '{ viewer { user permissions } }'
const CREDENTIALS = { credentials: encoded('host', 'secret') }

/** An OpenID Connect issuer with one key. */
async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server: Server = createServer(({ url }, response) => {
    const discovery = { issuer, jwks_uri: `${issuer}/keys` }
    response.end(JSON.stringify(url === '/keys' ? { keys: [key] } : discovery))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    tokenFor: (user: string, roles: string[], seconds = 300) =>
      new SignJWT({ preferred_username: user, realm_access: { roles } })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience('assay')
        .setExpirationTime(new Date(Date.now() + seconds * 1_000))
        .sign(privateKey),
    stop: () => server.close(),
  }
}

describe('with tokens of an issuer', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let assay: Assay
  let client: Client
  let bearer: (roles: string[]) => Promise<Record<string, string>>
  beforeAll(async () => {
    issuer = await startIssuer()
    assay = await startAssay({
      env: {
        AUTH_MODE: 'oidc',
        OIDC_ISSUER: issuer.issuer,
        OIDC_AUDIENCE: 'assay',
        OIDC_ROLES_CLAIM: 'realm_access.roles',
        ROLE_MAP: 'qa-leads=editor',
        MCP: 'on',
      },
    })
    client = new Client(assay.url)
    bearer = async (roles) => ({ authorization: `Bearer ${await issuer.tokenFor('ada', roles)}` })
  })
  afterAll(async () => {
    issuer?.stop()
    await assay?.stop()
  })

  test('assistants learn where to sign in, and then see the tools of their role', async () => {
    const list = async (headers: Record<string, string>) =>
      mcp(assay.url, 'tools/list', {}, headers)
    const refused = await list({})
    const metadata = `${assay.url}/.well-known/oauth-protected-resource/mcp`
    const bearerAt = `Bearer realm="Assay", resource_metadata="${metadata}"`
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, bearerAt])
    const document = {
      resource: `${assay.url}/mcp`,
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ['header'],
    }
    for (const path of [metadata, metadata.replace('/mcp', '')])
      expect(await (await fetch(path)).json()).toEqual(document)
    const { result } = await list(await bearer(['qa-leads']))
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('explain_failure')
    expect(names).not.toContain('run_test')
  })

  test('nobody comes in without one, and is told what to bring', async () => {
    for (const path of [READ, '/v1/events']) {
      const { status, headers } = await client.rest('GET', path)
      expect({ status, challenge: headers.get('www-authenticate') }).toEqual({
        status: 401,
        challenge: 'Bearer realm="Assay"',
      })
    }
    const sent = await client.rest('POST', '/v1/events', basic('ada', 'secret'), { title: 'x' })
    expect(sent.status).toBe(401)
    expect(sent.headers.get('www-authenticate')).toBe('Bearer realm="Assay"')
    expect(sent.body).toMatchObject({ result: { sent: 0 } })
  })

  test('roles of the issuer decide, over every protocol', async () => {
    const reader = await bearer(['reader'])
    const editor = await bearer(['qa-leads'])
    const component = { id: 'by-ada', name: 'By Ada', sourceCode: 'export {}' }
    expect((await client.rest('GET', READ, reader)).status).toBe(200)
    expect((await client.rest('POST', '/component', reader, component)).status).toBe(403)
    expect((await client.rest('POST', '/component', editor, component)).status).toBe(201)
    expect((await client.rest('GET', READ, await bearer(['strangers']))).status).toBe(403)
    const begun = await client.rest('POST', '/execute/loan-schedule', { ...editor, ...CREDENTIALS })
    expect(begun.body.executedBy).toBe('ada')
    expect(await client.run(VIEWER, { token: await issuer.tokenFor('bob', ['runner']) })).toEqual({
      viewer: { user: 'bob', permissions: expect.arrayContaining(['executions:run']) },
    })
    expect(await client.overSocket(editor, '{ viewer { user } }')).toEqual({
      data: { viewer: { user: 'ada' } },
    })
  })

  test('a token that is over is refused', async () => {
    const token = await issuer.tokenFor('ada', ['admin'], -60)
    const { status, body } = await client.rest('GET', READ, { token })
    expect({ status, message: body.message }).toEqual({
      status: 401,
      message: 'The token has expired',
    })
  })

  test('no other tokens are given, because none would be taken', async () => {
    const token = await issuer.tokenFor('ada', ['admin'])
    const answer = await client.rest('POST', '/authenticate', { ...basic('ada', 'x'), token })
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    })
  })
})

test('behind a server that signs users in no tokens are given either', async () => {
  const assay = await startAssay({
    env: { AUTH_MODE: 'proxy', PROXY_ADDRESSES: '127.0.0.1/32', DEFAULT_ROLE: 'reader' },
  })
  try {
    await assay.says(assay.parts.gateway, /X-Forwarded-For of these proxies; each must set it/)
    const signedIn = { 'x-forwarded-user': 'ada', ...basic('ada', 'secret') }
    const { status } = await new Client(assay.url).rest('POST', '/authenticate', signedIn)
    expect(status).toBe(403)
  } finally {
    await assay.stop()
  }
})

test('where everybody may do everything, a start that other machines reach warns of it', async () => {
  const assay = await startAssay({ env: { AUTH_MODE: 'none', HOST: '0.0.0.0' } })
  try {
    await assay.says(assay.parts.gateway, /"level":40[^\n]*AUTH_MODE=none: everybody who reaches/)
    const named = await fetch(`${assay.url.replace('0.0.0.0', '127.0.0.1')}/api${READ}`)
    expect(named.status).toBe(200)
  } finally {
    await assay.stop()
  }
})
