import { randomUUID } from 'node:crypto'
import { status } from '../../../support/collector.ts'
import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { type Delivery, deliveryOf, executeWithCallback, withCollector } from '../../callbacks.ts'
import { call, expectError } from '../../calls.ts'
import { withUsers } from '../../configured.ts'
import { TIMESTAMP } from '../../executions.ts'
import { inSection } from '../../row.ts'

const admin = basic(ADMIN, ADMIN_PASSWORD)
const JSON_TYPE = { 'content-type': 'application/json' }

const send = <T>(method: string, path: string, body: unknown) =>
  call<T>(method, path, { headers: JSON_TYPE, body: JSON.stringify(body) })

export const clients = inSection('TX', 'What the service does', [
  {
    id: 'TX-200',
    rule: 'Administrators MUST manage accounts over REST: list, create, read, change and delete them; others get 403.',
    check: async () => {
      const users = await withUsers()
      const email = `${randomUUID()}@example.com`
      const made = await users.rest('POST', '/account', admin, { email, role: 'READER' })
      const { account, password } = made.body
      expect(made).toMatchObject({ status: 201, body: { account: { email, active: true } } })
      expect(made.headers.get('location')).toBe(`/api/account/${account.id}`)
      expect(account.created).toMatch(TIMESTAMP)
      const path = `/account/${account.id}`
      expect((await users.rest('GET', path, admin)).body).toEqual(account)
      const list = await users.rest('GET', '/account?limit=1000', admin)
      expect(list.body).toContainEqual(account)
      expect(list.headers.get('x-total-count')).toBe(String(list.body.length))
      const own = basic(email, password)
      expect((await users.rest('GET', '/account/me', own)).body).toMatchObject({
        user: email,
        permissions: expect.arrayContaining(['events:read']),
        account,
      })
      expect((await users.rest('GET', '/account', own)).status).toBe(403)
      const changed = await users.rest('PATCH', path, admin, { role: 'EDITOR', active: false })
      expect(changed.body).toEqual({ ...account, role: 'EDITOR', active: false })
      expect((await users.rest('GET', '/account/me', own)).status).toBe(401)
      expect((await users.rest('DELETE', path, admin)).status).toBe(204)
      expect((await users.rest('GET', path, admin)).status).toBe(404)
    },
  },
  {
    id: 'TX-201',
    rule: 'Users MUST create, list and revoke API tokens over REST; a secret is shown once, when it is created.',
    check: async () => {
      const users = await withUsers()
      const { headers, id } = await users.account(`${randomUUID()}@example.com`, 'EDITOR')
      const input = { name: 'Nightly build', scopes: ['events:read'] }
      const made = await users.rest('POST', '/account/me/token', headers, input)
      expect(made.status).toBe(201)
      const { secret, token } = made.body
      expect(token).toMatchObject({ ...input, lastUsed: null })
      expect((await users.rest('GET', '/v1/events', { token: secret })).status).toBe(200)
      expect((await users.rest('GET', '/testcase', { token: secret })).status).toBe(403)
      const listed = await users.rest('GET', '/account/me/token', headers)
      expect(listed.body).toMatchObject([{ id: token.id, ...input }])
      expect(JSON.stringify(listed.body)).not.toContain(secret)
      const ofAccount = `/account/${id}/token`
      expect((await users.rest('GET', ofAccount, admin)).body).toEqual(listed.body)
      expect((await users.rest('POST', ofAccount, admin, input)).status).toBe(201)
      expect((await users.rest('DELETE', `/token/${token.id}`, headers)).status).toBe(204)
      expect((await users.rest('GET', '/v1/events', { token: secret })).status).toBe(401)
    },
  },
  {
    id: 'TX-202',
    rule: 'GET /audit MUST list who changed or ran what, filtered by user, action, target and time, to administrators only.',
    check: async () => {
      const users = await withUsers()
      const email = `${randomUUID()}@example.com`
      const { headers } = await users.account(email, 'EDITOR')
      const before = new Date().toISOString()
      const component = { id: randomUUID(), name: email, sourceCode: 'export const a = 1' }
      expect((await users.rest('POST', '/component', headers, component)).status).toBe(201)
      const query = new URLSearchParams({ user: email, action: 'createComponent', from: before })
      const found = await users.rest('GET', `/audit?${query}`, admin)
      expect(found.body).toMatchObject([
        { user: email, action: 'createComponent', target: component.id },
      ])
      expect(found.body[0].at).toMatch(TIMESTAMP)
      const earlier = new URLSearchParams({ user: email, action: 'createComponent', to: before })
      expect((await users.rest('GET', `/audit?${earlier}`, admin)).body).toEqual([])
      expect((await users.rest('GET', '/audit?from=yesterday', admin)).status).toBe(400)
      const unknown = await users.rest('GET', '/audit?who=ann', admin)
      expect(unknown.status).toBe(400)
      expect(unknown.body.message).toMatch(/"who".*user, action/)
      expect((await users.rest('GET', '/audit', headers)).status).toBe(403)
    },
  },
  {
    id: 'TX-203',
    rule: 'GET /callback MUST list deliveries of callbacks by state with every attempt, and POST /callback/{id}/redeliver MUST deliver one again.',
    check: () =>
      withCollector(async (collector) => {
        const resultId = await executeWithCallback(collector.url)
        const { id } = await deliveryOf(resultId, ({ state }) => state === 'GIVEN_UP')
        const list = await call<(Delivery & { resultId: string })[]>(
          'GET',
          '/callback?state=given_up&limit=1000',
        )
        expect(list.body.find((each) => each.id === id)).toMatchObject({
          state: 'GIVEN_UP',
          resultId,
          attempts: [{ status: 410, started: expect.stringMatching(TIMESTAMP) }],
        })
        const { promise: released, resolve: release } = Promise.withResolvers<void>()
        collector.answer((...request) => void released.then(() => status(204)(...request)))
        const again = await call('POST', `/callback/${id}/redeliver`)
        expect(again).toMatchObject({ status: 200, body: { id, state: 'PENDING' } })
        release()
        await deliveryOf(resultId, ({ state }) => state === 'DELIVERED')
        expectError(await call('GET', '/callback?state=lost'), 400, 'BAD_USER_INPUT')
        expectError(await call('POST', '/callback/none/redeliver'), 404, 'NOT_FOUND')
      }, status(410)),
  },
  {
    id: 'TX-204',
    rule: 'Authors MUST validate a scenario and evaluate an expectation over REST, while nothing is stored and nothing runs.',
    check: async () => {
      const step = { id: 'low', call: { component: 'tax-table', function: 'tax', args: [0] } }
      const valid = await send('POST', '/scenario/validate', { scenario: { steps: [step] } })
      expect(valid).toMatchObject({ status: 200, body: { isValid: true, faults: [] } })
      const twice = { steps: [{ ...step, call: { component: 'none', function: 'f' } }, {}] }
      const faulty = await send<{ faults: string[] }>('POST', '/scenario/validate', {
        scenario: twice,
      })
      expect(faulty).toMatchObject({ status: 200, body: { isValid: false } })
      expect(faulty.body.faults.length).toBeGreaterThan(0)
      const scenario = { steps: [{ id: 'low', call: { function: 'none', args: [0] } }] }
      const placed = { scenario, componentUnderTest: 'tax-table', environment: null }
      const unfit = await send<{ faults: string[] }>('POST', '/scenario/validate', placed)
      expect(unfit.body.faults).toEqual([expect.stringContaining('none')])
      const unknown = await send('POST', '/scenario/validate', { ...placed, component: 'a' })
      expect(expectError(unknown, 400, 'BAD_USER_INPUT').message).toContain('component')
      const expectation = { path: '$.tax', assert: 'equals', value: 0 }
      for (const [tax, isMet] of [
        [0, true],
        [1, false],
      ])
        expect(
          await send('POST', '/expectation/evaluate', { expectation, actual: { tax } }),
        ).toMatchObject({ status: 200, body: { isMet } })
    },
  },
])
