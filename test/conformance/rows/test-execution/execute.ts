import { create } from '../../artifacts.ts'
import { withCollector } from '../../callbacks.ts'
import { expectError, readUntil } from '../../calls.ts'
import { withStore } from '../../configured.ts'
import {
  execute as call,
  encoded,
  PASSWORD,
  readResult,
  SCENARIOS,
  suiteRun,
  synchronousRun,
  USER_ID,
} from '../../executions.ts'
import { withPause } from '../../gated.ts'
import { inSection, product } from '../../row.ts'

const ROUTES = ['/testcase/loan-schedule/execute', '/execute/loan-schedule']

const NONE: Record<string, string> = {}

const UNUSABLE = {
  'not Base64': '***',
  'Base64 without a colon': btoa(USER_ID),
  'percent-encoding cut off': `${encodeURIComponent(encoded(USER_ID, PASSWORD))}%3`,
  'with a scheme': `Basic ${encoded(USER_ID, PASSWORD)}`,
  blank: ' ',
}

const UNUSABLE_URLS = [
  ...['', 'receiver', '/hook', 'ftp://receiver/', 'file:///etc/passwd', 'http://'],
  ...['http://me@127.0.0.1/', 'http://me:pw@receiver/'],
  ...['http://169.254.169.254/', 'http://[fe80::1]/', 'http://[::ffff:127.0.0.1]/'],
  ...['http://0.0.0.0/', 'http://0/', 'http://[::]/', 'http://224.0.0.1/', 'http://0xa9fea9fe/'],
]

export const execute = inSection('TX', 'Endpoints: execute', [
  {
    id: 'TX-96',
    rule: 'POST /testcase/{id}/execute MUST execute the test case with that id.',
    check: async () => {
      for (const scenario of SCENARIOS)
        expect((await synchronousRun(scenario)).start).toMatchObject({
          status: 200,
          body: { contextId: scenario, type: 'TEST' },
        })
    },
  },
  {
    id: 'TX-97',
    rule: 'POST /suite/{id}/execute MUST execute the suite with that id.',
    check: async () => {
      expect((await suiteRun('finance')).start).toMatchObject({
        status: 200,
        body: { contextId: 'finance', type: 'SUITE' },
      })
      expectError(await call('/suite/loan-schedule/execute'), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-98',
    rule: 'POST /execute/{id} MUST execute a test case as well.',
    check: async () => {
      expect(await call('/execute/loan-schedule?synchron=true')).toMatchObject({
        status: 200,
        body: { contextId: 'loan-schedule', type: 'TEST', state: 'COMPLETED' },
      })
    },
  },
  {
    id: 'TX-99',
    rule: 'POST /execute/{id} MUST execute a suite as well.',
    check: async () => {
      expect(await call('/execute/finance?synchron=true')).toMatchObject({
        status: 200,
        body: { contextId: 'finance', type: 'SUITE', state: 'FAILED' },
      })
    },
  },
  {
    id: 'TX-100',
    rule: 'The answer MUST be 200 with the execution result, with and without waiting, and hold at least id, state and contextId.',
    check: async () => {
      for (const route of ROUTES)
        for (const query of ['', '?synchron=true'])
          expect(await call(route + query)).toMatchObject({
            status: 200,
            body: {
              id: expect.any(String),
              state: expect.stringMatching(query ? /^COMPLETED$/ : /^RUNNING$/),
              contextId: 'loan-schedule',
            },
          })
    },
  },
  {
    id: 'TX-101',
    rule: 'synchron MUST take true and false in any case; absent means false.',
    check: async () => {
      const stateFor = async (query: string) =>
        (await call(`/testcase/loan-schedule/execute${query}`)).body.state
      expect(await stateFor('?synchron=TRUE')).toBe('COMPLETED')
      expect(await stateFor('?synchron=True')).toBe('COMPLETED')
      expect(await stateFor('?synchron=False')).toBe('RUNNING')
      expect(await stateFor('')).toBe('RUNNING')
    },
  },
  {
    id: 'TX-102',
    rule: 'Any other synchron MUST be refused with 400 naming the parameter.',
    check: async () => {
      for (const route of ROUTES)
        for (const value of ['yes', '1', '']) {
          const answer = await call(`${route}?synchron=${value}`)
          expect(expectError(answer, 400, 'BAD_USER_INPUT').message).toContain('synchron')
        }
    },
  },
  {
    id: 'TX-103',
    rule: 'callbackUrl MUST be optional and receive the result by POST once the execution has ended.',
    check: () =>
      withCollector(async (collector) => {
        const callbackUrl = encodeURIComponent(collector.url)
        for (const [n, route] of ROUTES.entries())
          for (const synchron of [false, true]) {
            const { status, body } = await call(
              `${route}?callbackUrl=${callbackUrl}&synchron=${synchron}`,
            )
            expect(status).toBe(200)
            const requests = await collector.received(2 * n + (synchron ? 2 : 1))
            expect(JSON.parse(requests.at(-1)?.body ?? '')).toMatchObject({
              id: body.id,
              state: 'COMPLETED',
              ended: expect.any(String),
            })
          }
      }),
  },
  {
    id: 'TX-104',
    rule: 'A callbackUrl that is no URL, or is an address that is not allowed, MUST be refused with 400.',
    check: async () => {
      const ownPort = new URL(product().base).port
      for (const route of ROUTES)
        for (const url of [...UNUSABLE_URLS, `http://127.0.0.1:${ownPort}/api/`]) {
          const answer = await call(`${route}?callbackUrl=${encodeURIComponent(url)}`)
          expect(expectError(answer, 400, 'BAD_USER_INPUT').message).toContain('callbackUrl')
        }
    },
  },
  {
    id: 'TX-105',
    rule: 'credentials MUST be Base64 of user id, colon and password, where the password may hold colons.',
    check: async () => {
      const { status, body } = await call('/testcase/loan-schedule/execute', {
        credentials: encoded('HOST07', 'a:b:c'),
      })
      expect({ status, by: body.executedBy }).toEqual({ status: 200, by: 'HOST07' })
    },
  },
  {
    id: 'TX-106',
    rule: 'credentials MUST be accepted percent-encoded as well.',
    check: async () => {
      for (const password of ['open-sesam', '>>>???~~~']) {
        const credentials = encodeURIComponent(encoded('HOST07', password))
        expect(credentials).toContain('%')
        for (const route of ROUTES)
          expect(await call(route, { credentials })).toMatchObject({
            status: 200,
            body: { executedBy: 'HOST07' },
          })
      }
    },
  },
  {
    id: 'TX-107',
    rule: 'An execute call without credentials MUST be refused with 400 naming the header, signed in or not.',
    check: async () => {
      for (const route of ROUTES)
        for (const headers of [NONE, { authorization: `Basic ${encoded('tom', 'x')}` }]) {
          const answer = await call(route, headers)
          expect(expectError(answer, 400, 'BAD_USER_INPUT').message).toContain('credentials')
        }
    },
  },
  {
    id: 'TX-108',
    rule: 'Malformed credentials MUST be refused with 400, and the answer MUST NOT repeat them.',
    check: async () => {
      for (const credentials of Object.values(UNUSABLE))
        for (const route of ROUTES) {
          const { message } = expectError(await call(route, { credentials }), 400, 'BAD_USER_INPUT')
          expect(message).toContain('credentials')
          if (credentials.trim()) expect(message).not.toContain(credentials)
        }
    },
  },
  {
    id: 'TX-109',
    rule: 'credentials MUST be judged before the id: 400 for both being wrong.',
    check: async () => {
      for (const route of ['/testcase/no-such-id/execute', '/execute/no-such-id'])
        for (const headers of [NONE, { credentials: '***' }])
          expectError(await call(route, headers), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-110',
    rule: 'An unknown id MUST be answered with 404 naming it.',
    check: async () => {
      for (const route of ['/testcase/no-such-id/execute', '/execute/no-such-id'])
        for (const query of ['', '?synchron=true'])
          expect(expectError(await call(route + query), 404, 'NOT_FOUND').message).toContain(
            'no-such-id',
          )
    },
  },
  {
    id: 'TX-111',
    rule: 'The password MUST appear nowhere in what the product returns about the execution.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const everything = JSON.stringify(await synchronousRun(scenario))
        expect(everything).not.toContain(PASSWORD)
        expect(everything).not.toContain(encoded(USER_ID, PASSWORD))
      }
    },
  },
  {
    id: 'TX-112',
    rule: 'credentials MUST be encrypted where they are stored, absent from every log, and gone once the execution has ended.',
    check: () =>
      withStore((assay, store) =>
        withPause(async ({ attributes, open }) => {
          const sealed = async (id: string) => {
            const [row] = await store.query<{ credentials: string | null }>(
              'select credentials from test_execution.execution where id = $1',
              [id],
            )
            return row?.credentials
          }
          const { id } = await create('testcase', attributes)
          const suite = await create('suite', { testCases: [id, 'loan-schedule'], maxParallel: 1 })
          const { body } = await call(`/testcase/${id}/execute`)
          const ofSuite = await call(`/suite/${suite.id}/execute`)
          for (const each of [body, ofSuite.body])
            expect(await sealed(each.id)).toEqual(expect.any(String))
          const stored = await store.everything()
          open()
          for (const each of [body, ofSuite.body]) {
            const ended = await readUntil(
              () => readResult(each.id),
              (answer) => answer.body.state !== 'RUNNING',
            )
            expect(ended.body.state).toBe('COMPLETED')
            for (const { id } of [each, ...ended.body.testCaseResults])
              expect(await sealed(id)).toBeNull()
          }
          for (const place of [stored, await store.everything(), assay.logs()])
            for (const secret of [PASSWORD, encoded(USER_ID, PASSWORD)])
              expect(place).not.toContain(secret)
        }),
      ),
  },
  {
    id: 'TX-113',
    rule: 'An execute call MUST NOT mind its content type, charset included, as it reads no body.',
    check: async () => {
      const credentials = encoded(USER_ID, PASSWORD)
      for (const type of ['application/json', 'application/json; charset=UTF-8', 'text/plain'])
        expect(
          await call('/testcase/loan-schedule/execute', { credentials, 'content-type': type }),
        ).toMatchObject({ status: 200 })
    },
  },
  {
    id: 'TX-172',
    rule: 'An unknown query parameter of an execute call MUST be ignored.',
    check: async () => {
      for (const path of [...ROUTES, '/suite/finance/execute', '/noauth/execute/loan-schedule'])
        expect(await call(`${path}?loadlibrary=LIB&colour=red`)).toMatchObject({ status: 200 })
    },
  },
])
