import { randomUUID } from 'node:crypto'
import { create, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import {
  type ExecutionResult,
  execute,
  SCENARIOS,
  suiteRun,
  synchronousRun,
  TIMESTAMP,
} from '../../executions.ts'
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
  {
    id: 'TX-192',
    rule: 'GET /result, /testcase/{id}/result and /suite/{id}/result MUST list simple results with filter, sort, paging, X-Total-Count and Link, the newest first, and /count MUST count them.',
    check: async () => {
      const label = `build=${randomUUID()}`
      const run = async (path: string) =>
        (await execute(`${path}?synchron=true&label=${label}&label=branch=main`)).body
      const suite = await run('/suite/finance/execute')
      const testcase = await run('/testcase/tax-table/execute')
      const [name, value] = label.split('=') as [string, string]
      const list = (path: string, more: Record<string, unknown> = {}, query = '') =>
        call<ExecutionResult[]>(
          'GET',
          `${path}?filter=${encodeURIComponent(JSON.stringify({ labels: { [name]: value }, ...more }))}${query}`,
        )
      const all = await list('/result')
      expect(all.status).toBe(200)
      expect(all.headers.get('x-total-count')).toBe(String(all.body.length))
      expect(all.body[0]).toEqual(testcase)
      expect(all.body).toContainEqual(suite)
      expect((await list('/result/count')).body).toBe(all.body.length)
      expect((await list('/suite/finance/result')).body).toEqual([suite])
      expect((await list('/suite/tax-table/result')).body).toEqual([])
      expect((await list('/testcase/tax-table/result/count')).body).toBeGreaterThan(0)
      expect((await list('/result', { state: ['failed'], type: 'suite' })).body).toEqual([suite])
      expect((await list('/result', { labels: { branch: 'no*' } })).body).toEqual([])
      expect((await list('/result', { ended: null })).body).toEqual([])
      expect(
        (await list('/testcase/tax-table/result', { environment: null, member: false })).body,
      ).toEqual([testcase])
      const any = { type: ['TEST', 'SUITE'], state: ['COMP*', 'FAI*'] }
      const labels = { [name]: [value, 'x'], owner: null }
      expect((await list('/result', { ...any, labels })).body).toEqual(all.body)
      const { id, message, useCodeCoverage } = testcase
      const codeless = { errorCode: null }
      for (const filter of [{ id }, { id, message, useCodeCoverage, ...codeless }])
        expect((await list('/result', filter)).body).toEqual([testcase])
      expect((await list('/result', { errorCode: 'CANCELLED' })).body).toEqual([])
      const page = await list('/result', {}, '&sort=started,asc&pageSize=1')
      expect(page.body).toHaveLength(1)
      expect(page.body[0]?.id).not.toBe(testcase.id)
      expect(page.headers.get('link')).toContain('rel="next"')
      for (const [filter, words] of [
        ['{"colour":1}', 'colour'],
        ['{"state":"GREEN"}', 'state'],
        ['{"started":{"from":"noon"}}', 'started.from'],
        ['[', 'filter'],
      ] as const) {
        const answer = await call('GET', `/result?filter=${encodeURIComponent(filter)}`)
        expect(expectError(answer, 400, 'BAD_USER_INPUT').message).toContain(words)
      }
      expectError(await call('GET', '/result?sort=colour'), 400, 'BAD_USER_INPUT')
      expectError(await call('GET', '/result?pagesize=1'), 400, 'BAD_USER_INPUT')
      const unlabelled = await execute('/execute/tax-table?label=build')
      expect(expectError(unlabelled, 400, 'BAD_USER_INPUT').message).toContain('label')
    },
  },
  {
    id: 'TX-193',
    rule: 'GET /result/{resultId}/steps MUST list the steps of an execution with their states, times and attempts.',
    check: async () => {
      const { simple } = await synchronousRun('tax-table')
      const { status, body } = await call<Record<string, unknown>[]>(
        'GET',
        `/result/${simple.id}/steps`,
      )
      expect(status).toBe(200)
      expect(body.length).toBeGreaterThan(0)
      for (const step of body)
        expect(step).toMatchObject({
          id: expect.any(String),
          state: expect.stringMatching(/^(COMPLETED|FAILED|SKIPPED)$/),
          started: expect.stringMatching(TIMESTAMP),
        })
      expectError(await call('GET', '/result/no-such-id/steps'), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-194',
    rule: 'GET /result/statistics, /result/flaky and /result/{resultId}/comparison MUST show how executions went over time, which change their verdict, and what differs between two.',
    check: async () => {
      const { simple } = await synchronousRun('tax-table')
      expect(
        await call('GET', `/result/${simple.id}/comparison?before=${simple.id}`),
      ).toMatchObject({
        status: 200,
        body: { before: { id: simple.id }, after: { id: simple.id } },
      })
      const statistics = await call<{ total: number; buckets: unknown[] }>(
        'GET',
        '/result/statistics?interval=hour',
      )
      expect(statistics).toMatchObject({ status: 200, body: { total: expect.any(Number) } })
      expect(statistics.body.buckets).toHaveLength(30)
      expect(await call('GET', '/result/flaky')).toMatchObject({ status: 200 })
      for (const query of ['interval=year', 'from=noon', 'filter={', 'colour=1'])
        expectError(await call('GET', `/result/statistics?${query}`), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-350',
    rule: 'GET /result/statistics MUST begin days in the zone that timeZone names, and answer an unknown one with 400.',
    check: async () => {
      const path = '/result/statistics?interval=day&timeZone='
      const { body } = await call<{ buckets: { start: string }[] }>('GET', `${path}Asia/Kolkata`)
      expect(body.buckets).toHaveLength(30)
      for (const { start } of body.buckets) expect(start).toMatch(/T18:30:00\.000\+0000$/)
      expectError(await call('GET', `${path}Mars/Base`), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-351',
    rule: 'GET /result/{resultId}/steps MUST show the function, arguments and result of a call.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      const { body } = await call<{ call: object | null }[]>('GET', `/result/${simple.id}/steps`)
      expect(body.flatMap((step) => step.call ?? [])).toContainEqual({
        component: expect.any(String),
        function: expect.any(String),
        args: expect.any(Array),
        result: expect.anything(),
      })
    },
  },
])
