import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { create } from '../../artifacts.ts'
import { expectError } from '../../calls.ts'
import { withUsers } from '../../configured.ts'
import { encoded, execute, PASSWORD, USER_ID } from '../../executions.ts'
import { inSection } from '../../row.ts'

const admin = basic(ADMIN, ADMIN_PASSWORD)
const INVENTED = { credentials: encoded(USER_ID, PASSWORD) }

/** Without and with host credentials, plain and percent-encoded. */
const ANY_CREDENTIALS: Record<string, string>[] = [
  {},
  INVENTED,
  { credentials: encodeURIComponent(INVENTED.credentials) },
]

/** A scenario that allows execution without credentials, and one that does not. */
const openAndClosed = async () => {
  const [open, closed] = [true, false].map((allowExecuteWithoutCredentials) =>
    create('testcase', { allowExecuteWithoutCredentials }),
  )
  return { open: (await open)?.id ?? '', closed: (await closed)?.id ?? '' }
}

/** Rights to execute, and to read the results. */
export const running = inSection('TX', 'Authentication', [
  {
    id: 'TX-145',
    rule: 'POST /noauth/execute/{id} MUST run without token and credentials what allows it (allowExecuteWithoutCredentials), else 403.',
    check: async () => {
      const { open, closed } = await openAndClosed()
      const allowed = await execute(`/noauth/execute/${open}?synchron=true`, {})
      expect(allowed).toMatchObject({
        status: 200,
        body: { state: 'COMPLETED', executedBy: 'anonymous' },
      })
      expectError(await execute(`/noauth/execute/${closed}`, {}), 403, 'FORBIDDEN')
    },
  },
  {
    id: 'TX-146',
    rule: 'A suite MUST be executable without credentials only when all its scenarios, setup and teardown included, allow it; with credentials the permission is not needed where users do not sign in.',
    check: async () => {
      const { open, closed } = await openAndClosed()
      const allOpen = await create('suite', { testCases: [open] })
      const mixed = await create('suite', { testCases: [open, closed] })
      const path = (id: string) => `/noauth/execute/${id}?synchron=true`
      expect(await execute(path(allOpen.id), {})).toMatchObject({ status: 200 })
      const withSetup = await create('suite', { testCases: [open], setup: closed })
      const withTeardown = await create('suite', { testCases: [open], teardown: closed })
      for (const { id } of [mixed, withSetup, withTeardown])
        expectError(await execute(path(id), {}), 403, 'FORBIDDEN')
      expect(await execute(path(mixed.id))).toMatchObject({
        status: 200,
        body: { state: 'COMPLETED' },
      })
    },
  },
  {
    id: 'TX-147',
    rule: 'A result that was started without a sign-in MUST be readable by every caller that knows its id.',
    check: async () => {
      const users = await withUsers()
      const open = await users.rest('POST', `/noauth/execute/${await users.openScenario()}`)
      expect(open.status).toBe(200)
      expect((await users.rest('GET', `/result/${open.body.id}`)).status).toBe(200)
      for (const part of ['/details', '/steps', '/tries', '/log', '/attachments'])
        expect([part, (await users.rest('GET', `/result/${open.body.id}${part}`)).status]).toEqual([
          part,
          200,
        ])
      const context = await users.rest('GET', `/result/${open.body.id}/context`)
      expect(context).toMatchObject({ status: 200, body: { environment: null, isFlaky: false } })
      const headers = { ...admin, ...INVENTED }
      const closed = await users.rest('POST', '/execute/loan-schedule', headers)
      expect((await users.rest('GET', `/result/${closed.body.id}`)).status).toBe(401)
    },
  },
  {
    id: 'TX-163',
    rule: 'Where users sign in, a call of /noauth without a sign-in MUST execute only what allows it, with or without credentials, else 401.',
    check: async () => {
      const users = await withUsers()
      const open = await users.openScenario()
      const suite = { name: `${open} and closed`, testCases: [open, 'tax-table'] }
      const mixed = await users.rest('POST', '/suite', admin, suite)
      const leading = await users.openScenario({
        scenario: { steps: [{ id: 'inner', scenario: { id: 'tax-table' } }] },
      })
      const setup = { name: `${open} behind a setup`, testCases: [open], setup: 'tax-table' }
      const behind = await users.rest('POST', '/suite', admin, setup)
      for (const headers of ANY_CREDENTIALS) {
        const call = (id: string) => users.rest('POST', `/noauth/execute/${id}`, headers)
        expect((await call(open)).status).toBe(200)
        for (const id of [
          'tax-table',
          'finance',
          mixed.body.id,
          behind.body.id,
          leading,
          'no-such',
        ])
          expect(await call(id)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
      }
    },
  },
  {
    id: 'TX-164',
    rule: 'Where users sign in, one who has signed in MUST need the right to run on every execute route (else 403), and on /noauth the permission of the scenario or credentials.',
    check: async () => {
      const users = await withUsers()
      const open = await users.openScenario()
      const reader = await users.account('tx-164@example.com', 'READER')
      const { secret } = await users.token(admin, ['artifacts:write', 'executions:read'])
      const runner = await users.token(admin, ['executions:run'])
      const call = async (path: string, token: Record<string, string>) =>
        (await users.rest('POST', path, token)).status
      for (const who of [reader.headers, { token: secret }])
        for (const id of [open, 'tax-table'])
          for (const path of [`/noauth/execute/${id}`, `/execute/${id}`])
            expect(await call(path, { ...who, ...INVENTED })).toBe(403)
      const token = { token: runner.secret }
      expect(await call(`/noauth/execute/${open}`, token)).toBe(200)
      expect(await call('/noauth/execute/tax-table', token)).toBe(403)
      expect(await call('/noauth/execute/tax-table', { ...token, ...INVENTED })).toBe(200)
    },
  },
  {
    id: 'TX-165',
    rule: 'A call of /noauth/testcases/execute that is refused MUST neither generate nor change a suite.',
    check: async () => {
      const users = await withUsers()
      const path = '/noauth/testcases/execute?componentName=Loan%20schedule&environmentId=local'
      const suites = async () => (await users.rest('GET', '/suite', admin)).body
      const before = await suites()
      const reader = await users.account('tx-165@example.com', 'READER')
      for (const headers of ANY_CREDENTIALS) {
        expect((await users.rest('POST', path, headers)).status).toBe(401)
        const asReader = { ...headers, ...reader.headers }
        expect((await users.rest('POST', path, asReader)).status).toBe(403)
      }
      expect(await suites()).toEqual(before)
    },
  },
  {
    id: 'TX-166',
    rule: 'Details MUST come without the source code of components for readers who may not read components.',
    check: async () => {
      const users = await withUsers()
      const path = `/noauth/execute/${await users.openScenario()}?synchron=true`
      const { body } = await users.rest('POST', path)
      const { secret } = await users.token(admin, ['executions:read'])
      const sourceFor = async (headers: Record<string, string>) => {
        const details = await users.rest('GET', `/result/${body.id}/details`, headers)
        expect(details.status).toBe(200)
        return details.body.codeCoverage[0].sourceCode
      }
      expect(await sourceFor({})).toBe('')
      expect(await sourceFor({ token: secret })).toBe('')
      expect(await sourceFor(admin)).toMatch(/export/)
    },
  },
  {
    id: 'TX-167',
    rule: 'Where users sign in, a scenario with a command step MUST be refused with 403 that names COMMAND_STEPS, unless the operator turned it on.',
    check: async () => {
      const users = await withUsers()
      const scenario = { steps: [{ id: 'start', command: { program: 'true' } }] }
      const id = await users.openScenario({ scenario })
      const refusal = {
        status: 403,
        body: { message: expect.stringContaining('COMMAND_STEPS=on') },
      }
      const headers = { ...admin, ...INVENTED }
      expect(await users.rest('POST', `/testcase/${id}/execute`, headers)).toMatchObject(refusal)
      expect(await users.rest('POST', `/noauth/execute/${id}`)).toMatchObject(refusal)
    },
  },
])
