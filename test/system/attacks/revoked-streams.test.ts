import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type Assay, startAssay } from '../../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../../support/e2e/users.ts'
import { eventually, withTimeEnough } from '../../support/eventually.ts'
import { openStream } from '../../support/system/open-stream.ts'
import { shapesOf } from '../../support/system/shapes.ts'

/** Revocation reaches streams within these; an operator's defaults are 20 and 40. */
const TIMES = { SIGN_IN_RECHECK_SECONDS: '1', SIGN_IN_GRACE_SECONDS: '4' }
const GRACE_MS = 4_000
const SOON_MS = 10_000
const TRANSPORTS = ['WebSocket', 'Server-Sent Events'] as const

const REVOKED = { WebSocket: '4403', 'Server-Sent Events': 'UNAUTHENTICATED' } as const
const UNCHECKED = { WebSocket: '1013', 'Server-Sent Events': 'OVERLOADED' } as const

type Headers = Record<string, string>

/** A stream of each kind, of one sign-in. */
const openBoth = async (url: string, headers: Headers) =>
  Promise.all(
    TRANSPORTS.map(async (transport) => ({
      transport,
      ...(await openStream(url, headers, transport === 'WebSocket')),
    })),
  )
type Both = Awaited<ReturnType<typeof openBoth>>

const endsWith = (streams: Both, words: Readonly<Record<string, string>>, withinMs = SOON_MS) =>
  Promise.all(
    streams.map(async ({ transport, ended }) =>
      expect(await ended(withinMs)).toContain(words[transport]),
    ),
  )

const staysOpen = (streams: Both, ms: number) =>
  Promise.all(streams.map(({ ended }) => expect(ended(ms)).rejects.toThrow('still open')))

describe('with accounts of a process of their own', () => {
  let assay: Assay
  let client: Client
  const admin = basic(ADMIN, ADMIN_PASSWORD)
  const open = (headers: Headers) => openBoth(assay.url, headers)
  beforeAll(async () => {
    assay = await startAssay({ mode: 'distributed', env: { ...USERS_ENV, ...TIMES } })
    client = new Client(assay.url)
  })
  afterAll(() => assay?.stop())

  let made = 0
  const account = (role = 'EDITOR') => client.account(`attacker-${made++}@example.com`, role)
  const change = (id: string, input: object) =>
    client.run(
      'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { id } }',
      admin,
      { input: { id, ...input } },
    )
  /** Wrong passwords from the address that all of this test have. */
  const guess = async (headers: Headers, times: number) => {
    const user = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()
    const name = user.split(':', 1)[0] ?? ''
    const statuses: number[] = []
    for (let n = 0; n < times; n++)
      statuses.push((await client.rest('GET', '/component/count', basic(name, `no-${n}`))).status)
    return statuses
  }

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['is switched off', (id) => change(id, { active: false })],
    ['gets another password', (id) => change(id, { password: 'another-password-of-it' })],
    ['gets a lower role', (id) => change(id, { role: 'READER' })],
    [
      'is removed',
      (id) => client.run('mutation ($id: ID!) { deleteAccount(id: $id) }', admin, { id }),
    ],
  ])('streams end when their account %s', async (_, revoke) => {
    const { id, headers } = await account()
    const streams = await open(headers)
    await revoke(id)
    await endsWith(streams, REVOKED)
  })

  test('and while others send so many wrong passwords that sign-ins are refused', async () => {
    const { id, headers } = await account()
    const streams = await open(headers)
    const bystander = await account()
    const others = await open(bystander.headers)
    expect(await guess(headers, 11)).toContain(429)
    expect(await guess(bystander.headers, 11)).toContain(429)
    await change(id, { active: false })
    await endsWith(streams, REVOKED)
    await staysOpen(others, GRACE_MS + 1_000)
    for (const { close } of others) close()
  })

  test('streams of an API token end when that is revoked or runs out', async () => {
    const { headers } = await account()
    const forEver = await client.token(headers, ['events:read'], { neverExpires: true })
    const streams = await open({ token: forEver.secret })
    await client.run('mutation ($id: ID!) { revokeApiToken(id: $id) }', headers, forEver)
    await endsWith(streams, REVOKED)

    await withTimeEnough(3_000, async (ms) => {
      const expires = new Date(Date.now() + ms)
      const short = await client.token(headers, ['events:read'], { expires })
      await endsWith(await open({ token: short.secret }), REVOKED, ms + SOON_MS)
      expect(Date.now()).toBeLessThan(expires.getTime() + 2_000)
    })
  })

  test('streams of a session end when that is signed out', async () => {
    const { headers } = await account()
    const { body } = await client.rest('POST', '/authenticate', headers)
    const streams = await open({ token: body.token })
    await client.rest('DELETE', '/authenticate', { token: body.token })
    await endsWith(streams, REVOKED)
  })

  test('streams outlive accounts that hang for a moment, and end when it takes longer', async () => {
    const { headers } = await account()
    const streams = await open(headers)
    const pid = assay.pids.accounts ?? 0
    process.kill(pid, 'SIGSTOP')
    await staysOpen(streams, GRACE_MS / 2)
    process.kill(pid, 'SIGCONT')
    await staysOpen(streams, GRACE_MS + 1_000)

    process.kill(pid, 'SIGSTOP')
    const stopped = performance.now()
    try {
      await endsWith(streams, UNCHECKED)
      expect(performance.now() - stopped).toBeLessThan(GRACE_MS + 2_000)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const again = await eventually(() => open(headers))
    for (const { close } of again) close()
  })
})

test('streams of tokens of an issuer end at their exp', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server = createServer(({ url }, response) => {
    const discovery = { issuer, jwks_uri: `${issuer}/keys` }
    response.end(JSON.stringify(url === '/keys' ? { keys: [key] } : discovery))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const assay = await startAssay({
    mode: 'in-process',
    env: {
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: 'assay',
      DEFAULT_ROLE: 'reader',
      LOG_LEVEL: 'trace',
    },
  })
  try {
    const token = await withTimeEnough(3_000, async (ms) => {
      const exp = Math.ceil((Date.now() + ms) / 1_000)
      const signed = await new SignJWT({ preferred_username: 'ada' })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience('assay')
        .setExpirationTime(exp)
        .sign(privateKey)
      await endsWith(await openBoth(assay.url, { token: signed }), REVOKED, ms + SOON_MS)
      expect(Date.now() / 1_000).toBeGreaterThanOrEqual(exp)
      expect(Date.now() / 1_000).toBeLessThan(exp + 2)
      return signed
    })
    await expect(openBoth(assay.url, { token: `${token}x` })).rejects.toThrow('refused')
    for (const shape of shapesOf(token)) expect(assay.logs()).not.toContain(shape)
  } finally {
    server.close()
    await assay.stop()
  }
})
