import { create, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { execute, SCENARIOS, suiteRun, synchronousRun } from '../../executions.ts'
import { inSection } from '../../row.ts'

export const readResults = inSection('TX', 'Endpoints: read results', [
  {
    id: 'TX-120',
    rule: 'GET /result/{resultId} MUST answer 200 with the simple result.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { start, simple } = await synchronousRun(scenario)
        expect(await call('GET', `/result/${start.body.id}`)).toMatchObject({ status: 200 })
        expect(simple).toEqual(start.body)
      }
    },
  },
  {
    id: 'TX-121',
    rule: 'GET /testcase/{id}/result/{resultId} MUST answer 200 with the same simple result.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { simple } = await synchronousRun(scenario)
        const { status, body } = await call('GET', `/testcase/${scenario}/result/${simple.id}`)
        expect({ status, body }).toEqual({ status: 200, body: simple })
      }
    },
  },
  {
    id: 'TX-122',
    rule: 'GET /suite/{id}/result/{resultId} MUST answer 200 with the same simple result.',
    check: async () => {
      const { simple } = await suiteRun('finance')
      const { status, body } = await call('GET', `/suite/finance/result/${simple.id}`)
      expect({ status, body }).toEqual({ status: 200, body: simple })
    },
  },
  {
    id: 'TX-123',
    rule: 'GET /result/{resultId}/details MUST answer 200 with the detailed result.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { simple } = await synchronousRun(scenario)
        expect(await call('GET', `/result/${simple.id}/details`)).toMatchObject({
          status: 200,
          body: { id: simple.id, report: expect.any(String), log: expect.any(String) },
        })
      }
    },
  },
  {
    id: 'TX-124',
    rule: 'GET /testcase/{id}/result/{resultId}/details MUST answer 200 with the same detailed result.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { details } = await synchronousRun(scenario)
        const path = `/testcase/${scenario}/result/${details.id}/details`
        const { status, body } = await call('GET', path)
        expect({ status, body }).toEqual({ status: 200, body: details })
      }
    },
  },
  {
    id: 'TX-125',
    rule: 'GET /suite/{id}/result/{resultId}/details MUST answer 200 with the same detailed result.',
    check: async () => {
      const { details } = await suiteRun('finance')
      const { status, body } = await call('GET', `/suite/finance/result/${details.id}/details`)
      expect({ status, body }).toEqual({ status: 200, body: details })
    },
  },
  {
    id: 'TX-126',
    rule: 'Reading results MUST need no credentials header, and one that is sent MUST NOT matter.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      for (const suffix of ['', '/details'])
        for (const credentials of ['', '***'])
          expect(
            await call('GET', `/result/${simple.id}${suffix}`, { headers: { credentials } }),
          ).toMatchObject({
            status: 200,
          })
    },
  },
  {
    id: 'TX-127',
    rule: 'An unknown result id MUST be answered with 404 on every path.',
    check: async () => {
      for (const path of [
        '/result/no-such-result',
        '/testcase/loan-schedule/result/no-such-result',
      ])
        for (const suffix of ['', '/details'])
          expectError(await call('GET', path + suffix), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-128',
    rule: 'A result asked for below a test case that it does not belong to MUST be answered with 404.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      for (const parent of ['tax-table', 'no-such-testcase'])
        for (const suffix of ['', '/details'])
          expectError(
            await call('GET', `/testcase/${parent}/result/${simple.id}${suffix}`),
            404,
            'NOT_FOUND',
          )
    },
  },
  {
    id: 'TX-129',
    rule: 'A result MUST be the same to read, whichever of the execute routes started it.',
    check: async () => {
      const { body } = await execute('/execute/loan-schedule?synchron=true')
      expect((await call('GET', `/testcase/loan-schedule/result/${body.id}`)).body).toEqual(body)
    },
  },
  {
    id: 'TX-130',
    rule: 'Results MUST stay readable on both paths after the scenario was edited or deleted.',
    check: async () => {
      const scenario = await create('testcase')
      const { body } = await execute(`/execute/${scenario.id}?synchron=true`)
      const path = `/testcase/${scenario.id}`
      const expectReadable = async () => {
        for (const parent of [path, ''])
          expect(await call('GET', `${parent}/result/${body.id}`)).toMatchObject({
            status: 200,
            body,
          })
      }
      expect((await send('PUT', path, { ...scenario, name: unique('renamed') })).status).toBe(200)
      await expectReadable()
      expect((await call('DELETE', path)).status).toBe(204)
      await expectReadable()
    },
  },
  {
    id: 'TX-131',
    rule: 'With format=junit the details MUST come as JUnit XML.',
    check: async () => {
      const testcase = await synchronousRun('tax-table')
      const suite = await suiteRun('finance')
      for (const [parent, { simple }] of [
        ['/testcase/tax-table', testcase],
        ['/suite/finance', suite],
      ] as const)
        for (const path of [parent, '']) {
          const details = `${path}/result/${simple.id}/details`
          const { status, headers, body } = await call<string>('GET', `${details}?format=junit`)
          expect([status, headers.get('content-type')]).toEqual([
            200,
            'application/xml; charset=utf-8',
          ])
          expect(body).toMatch(/^<\?xml[^>]*>\s*<testsuites?\b/)
          expect(body).toContain('<failure')
          expectError(await call('GET', `${details}?format=pdf`), 400, 'BAD_USER_INPUT')
        }
    },
  },
])
