import { readUntil } from '../../conformance/calls.ts'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'
import { eventually, withTimeEnough } from '../../support/eventually.ts'

describe('sign in', () => {
  const client = () => new Client(assay().url)
  const admin = basic(ADMIN, ADMIN_PASSWORD)

  const VIEWER = '{ viewer { user permissions account { role } } }'
  const READ = '/component/count'

  test('nobody comes in without a sign-in, over whatever protocol', async () => {
    expect((await client().rest('GET', READ)).status).toBe(401)
    const components = '{ components { totalCount } }'
    expect(await client().graphql(components, {})).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await client().overSocket({}, components)).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    })
    const stream = await fetch(`${assay().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { eventReceived { cursor } }' }),
    })
    expect(await stream.text()).toContain('UNAUTHENTICATED')
  })

  test('a sign-in that is not valid is refused as a whole', async () => {
    for (const headers of [
      basic(ADMIN, 'wrong'),
      { token: 'wrong' },
      { authorization: 'Nonsense' },
    ]) {
      expect((await client().rest('GET', READ, headers)).status).toBe(401)
      expect(await client().graphql('{ __typename }', headers)).toMatchObject({ status: 401 })
      expect(await client().overSocket(headers, '{ __typename }')).toBe(4403)
    }
  })

  test('an unknown account is refused in the same words as a wrong password', async () => {
    const [one, other] = await Promise.all([
      client().rest('GET', READ, basic(ADMIN, 'another-wrong')),
      client().rest('GET', READ, basic('nobody@example.com', 'another-wrong')),
    ])
    expect(other.status).toBe(one.status)
    expect(other.body.message).toBe(one.body.message)
  })

  test('each role may do what it is for, over REST and GraphQL alike', async () => {
    const component = { name: 'Made by somebody', language: 'JAVASCRIPT', sourceCode: 'export {}' }
    const reader = await client().account('reader@example.com', 'READER')
    const editor = await client().account('editor@example.com', 'EDITOR')
    expect((await client().rest('GET', READ, reader.headers)).status).toBe(200)
    expect((await client().rest('POST', '/component', reader.headers, component)).status).toBe(403)
    expect((await client().rest('POST', '/component', editor.headers, component)).status).toBe(201)
    const ACCOUNTS = '{ accounts { nodes { email } } }'
    expect(await client().graphql(ACCOUNTS, editor.headers)).toMatchObject({ code: 'FORBIDDEN' })
    const { accounts } = await client().run(ACCOUNTS, admin)
    expect(accounts.nodes).toContainEqual({ email: 'editor@example.com' })
  })

  test('executedBy tells the account, and host credentials are no sign-in', async () => {
    const runner = await client().account('runner@example.com', 'RUNNER')
    const credentials = btoa('host:secret')
    const path = '/testcase/loan-schedule/execute'
    const begun = await client().rest('POST', path, { ...runner.headers, credentials })
    expect(begun.body.executedBy).toBe('runner@example.com')
    expect((await client().rest('POST', path, { credentials })).status).toBe(401)
  })

  test('without a sign-in only what is open runs, whatever host credentials say', async () => {
    const credentials = btoa(`${ADMIN}:invented`)
    const call = (id: string) =>
      client().rest('POST', `/noauth/execute/${id}?synchron=true`, { credentials })
    for (const id of ['loan-schedule', 'finance', 'no-such-id'])
      expect((await call(id)).status).toBe(401)
    const begun = await call(await client().openScenario())
    expect(begun).toMatchObject({
      status: 200,
      body: { state: 'COMPLETED', executedBy: 'anonymous' },
    })
    const details = (headers: Record<string, string>) =>
      client().rest('GET', `/result/${begun.body.id}/details`, headers)
    expect((await details({})).body.codeCoverage).toMatchObject([{ sourceCode: '' }])
    expect((await details(admin)).body.codeCoverage[0].sourceCode).toContain('export')
  })

  test('no program runs unless the operator says so', async () => {
    const scenario = { steps: [{ id: 'start', command: { program: 'true' } }] }
    const id = await client().openScenario({ scenario })
    expect(await client().rest('POST', `/noauth/execute/${id}`)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('COMMAND_STEPS=on') },
    })
  })

  test('a token stands for the sign-in until it is ended', async () => {
    const { status, body } = await client().rest('POST', '/authenticate', admin)
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ['token'] })
    const headers = { token: body.token as string }
    expect(await client().run(VIEWER, headers)).toMatchObject({
      viewer: { user: ADMIN, account: { role: 'ADMIN' } },
    })
    expect(await client().overSocket(headers, '{ viewer { user } }')).toEqual({
      data: { viewer: { user: ADMIN } },
    })
    expect((await client().rest('DELETE', '/authenticate', headers)).status).toBe(204)
    expect((await client().rest('GET', READ, headers)).status).toBe(401)
  })

  test('a token gets no other, so that it ends', async () => {
    const { body } = await client().rest('POST', '/authenticate', admin)
    const { token } = body
    expect((await client().rest('POST', '/authenticate', { ...admin, token })).status).toBe(401)
    expect(await client().graphql('mutation { authenticate { token } }', { token })).toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  })

  test('an API token is limited to its scopes, and gone at once when it is revoked', async () => {
    const { secret, id } = await client().token(admin, ['events:write'])
    const event = { title: 'Sent with an API token' }
    for (const headers of [basic(ADMIN, secret), basic('', secret), basic(secret, '')])
      expect((await client().rest('POST', '/v1/events', headers, event)).status).toBe(202)
    const bearer = { authorization: `Bearer ${secret}` }
    expect((await client().rest('GET', READ, bearer)).status).toBe(403)
    expect(await client().graphql('mutation { authenticate { token } }', bearer)).toMatchObject({
      code: 'FORBIDDEN',
    })
    const { viewer } = await client().run(
      '{ viewer { account { apiTokens { id lastUsed } } } }',
      admin,
    )
    expect(viewer.account.apiTokens).toContainEqual({ id, lastUsed: expect.any(String) })

    await client().run('mutation ($id: ID!) { revokeApiToken(id: $id) }', admin, { id })
    expect((await client().rest('POST', '/v1/events', basic('', secret), event)).status).toBe(401)
  })

  test('a token ends when it says', async () => {
    await withTimeEnough(1_000, async (ms) => {
      const expires = new Date(Date.now() + ms)
      const { secret } = await client().token(admin, ['events:read'], { expires })
      const read = async () => (await client().rest('GET', '/v1/events', { token: secret })).status
      expect(await read()).toBe(200)
      expect(await readUntil(read, (status) => status !== 200)).toBe(401)
      expect(Date.now()).toBeGreaterThanOrEqual(expires.getTime())
    })
  })

  test('a token ends after API_TOKEN_DAYS unless it is asked to last', async () => {
    const daysOf = async (lifetime: object) => {
      const { expires } = await client().token(admin, ['events:read'], lifetime)
      return expires && Math.round((Date.parse(expires) - Date.now()) / 86_400_000)
    }
    expect(await daysOf({})).toBe(90)
    expect(await daysOf({ expires: null, neverExpires: false })).toBe(90)
    expect(await daysOf({ expires: new Date(Date.now() + 3 * 86_400_000) })).toBe(3)
    expect(await daysOf({ neverExpires: true })).toBeNull()
    const both = { expires: new Date(Date.now() + 1_000), neverExpires: true }
    await expect(daysOf(both)).rejects.toThrow('BAD_USER_INPUT')
  })

  test('whoever is switched off is out at once, also with what was known to be valid', async () => {
    const editor = await client().account('leaver@example.com', 'EDITOR')
    expect((await client().rest('GET', READ, editor.headers)).status).toBe(200)
    await client().run(
      'mutation ($id: ID!) { updateAccount(input: { id: $id, active: false }) { active } }',
      admin,
      { id: editor.id },
    )
    expect((await client().rest('GET', READ, editor.headers)).status).toBe(401)
  })

  test('the last administrator stays one', async () => {
    const { viewer } = await client().run('{ viewer { account { id } } }', admin)
    const demote = 'mutation ($id: ID!) { updateAccount(input: { id: $id, role: READER }) { id } }'
    const remove = 'mutation ($id: ID!) { deleteAccount(id: $id) }'
    for (const change of [demote, remove])
      expect(await client().graphql(change, admin, viewer.account)).toMatchObject({
        code: 'CONFLICT',
      })
  })

  test('the audit log tells who did what in whichever subgraph, to administrators only', async () => {
    const begun = Date.now()
    const editor = await client().account('auditee@example.com', 'EDITOR')
    const CREATE =
      'mutation { createEnvironment(input: { id: "audited", name: "Audited" }) { id } }'
    await client().run(CREATE, editor.headers)
    const event = await client().rest('POST', '/v1/events', editor.headers, { title: 'To settle' })
    const id = event.body.result.accepted[0].id
    const SETTLE =
      'mutation ($id: ID!) { setEventStatus(input: { id: $id, status: ACKNOWLEDGED }) { id } }'
    await client().run(SETTLE, editor.headers, { id })

    const LOG = `query ($after: String) { auditLog(first: 1, after: $after, filter: { user: "auditee@example.com" }) {
    totalCount pageInfo { endCursor } nodes { at action target requestId address } } }`
    const { auditLog: latest } = await client().run(LOG, admin)
    expect(latest).toMatchObject({
      totalCount: 3,
      nodes: [{ action: 'setEventStatus', target: id, address: '127.0.0.1' }],
    })
    const at = Date.parse(latest.nodes[0].at)
    expect(at).toBeGreaterThanOrEqual(begun)
    expect(at).toBeLessThanOrEqual(Date.now())
    const { auditLog: rest } = await client().run(LOG, admin, { after: latest.pageInfo.endCursor })
    expect(rest.nodes).toMatchObject([{ action: 'createEnvironment', target: 'audited' }])
    const { auditLog: first } = await client().run(LOG, admin, { after: rest.pageInfo.endCursor })
    expect(first.nodes).toMatchObject([
      { action: 'signIn', target: 'auditee@example.com', address: '127.0.0.1' },
    ])
    expect(await client().graphql(LOG, editor.headers)).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('guessing is slowed down, and says for how long', async () => {
    await client().account('victim@example.com', 'READER')
    const guess = (n: number) =>
      client().rest('GET', READ, basic('victim@example.com', `guess-${n}`))
    const statuses = []
    for (let n = 0; n < 11; n++) statuses.push((await guess(n)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    const { headers } = await guess(12)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('nor is the own password guessed with somebody else’s token', async () => {
    const reader = await client().account('stolen@example.com', 'READER')
    const { body } = await client().rest('POST', '/authenticate', reader.headers)
    const CHANGE =
      'mutation ($current: String!) { changePassword(input: { current: $current, password: "a-new-password" }) }'
    const codes = []
    for (let n = 0; n < 11; n++)
      codes.push(
        (await client().graphql(CHANGE, { token: body.token }, { current: `guess-${n}` })).code,
      )
    expect(codes).toEqual([...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED'])
    expect((await client().rest('GET', READ, reader.headers)).status).toBe(200)
  })

  test('a wrong password is in the audit log, and every refused sign-in in the log', async () => {
    const { headers } = await client().rest('GET', READ, basic(ADMIN, 'a-wrong-password'))
    const requestId = headers.get('x-request-id')
    const LOG =
      '{ auditLog(first: 1, filter: { action: "failedSignIn" }) { nodes { user target requestId address } } }'
    const entry = { user: null, target: ADMIN, requestId, address: '127.0.0.1' }
    await eventually(async () => {
      expect((await client().run(LOG, admin)).auditLog.nodes).toEqual([entry])
    })
    for (const refused of [
      basic('', 'assay_wrong'),
      { token: 'wrong' },
      { authorization: 'Odd' },
    ]) {
      const answer = await client().rest('GET', READ, refused as Record<string, string>)
      await assay().says(
        assay().parts.gateway,
        new RegExp(
          `"requestId":"${answer.headers.get('x-request-id')}"[^\\n]*"A sign-in was refused"`,
        ),
      )
    }
    expect(assay().logs()).not.toContain('a-wrong-password')
  })

  test('no secret is written to the log', async () => {
    const { secret } = await client().token(admin, ['events:write'])
    await client().rest('POST', '/v1/events', basic('', secret), { title: 'x' })
    for (const text of [secret, ADMIN_PASSWORD, btoa(`:${secret}`)])
      expect(assay().logs()).not.toContain(text)
  })
})
