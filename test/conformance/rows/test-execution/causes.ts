import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { create, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { withUsers } from '../../configured.ts'
import { type ExecutionResult, execute } from '../../executions.ts'
import { inSection } from '../../row.ts'

interface Cause {
  id: string
  expectation: string
  count: number
  currentCount: number
  scenarioCount: number
  scenarios: { contextId: string; isQuarantined: boolean }[]
  suites: { contextId: string }[]
  since: { id: string }
  lastGood: { id: string; revisions: object[] } | null
  verdict: string | null
  owner: string | null
  ticket: string | null
}

const steps = (property: string, value: number) => [
  {
    ...{ id: 'a', name: property, call: { function: 'one' } },
    expect: [{ path: '$', assert: 'equals', value }],
  },
]

/** A suite of two scenarios that pass, then fail by one cause and a newer revision of their component. */
async function failing() {
  const component = await create('component')
  const { id: componentUnderTest, name } = component
  const property = unique('step').replaceAll(/\d/g, 'x')
  const attributes = { componentUnderTest, scenario: { steps: steps(property, 1) } }
  const made = [await create('testcase', attributes), await create('testcase', attributes)]
  const testCases = made.map(({ id }) => id)
  const suite = await create('suite', { testCases })
  const label = unique('build')
  const run = async () =>
    (await execute(`/suite/${suite.id}/execute?synchron=true&label=build=${label}`)).body
  const good = await run()
  const sourceCode = 'export const one = () => 2'
  await send('PUT', `/component/${componentUnderTest}`, { name, sourceCode })
  const bad = await run()
  expect([good.state, bad.state]).toEqual(['COMPLETED', 'FAILED'])
  const filter = encodeURIComponent(JSON.stringify({ labels: { build: label } }))
  const list = (query = '') => call<Cause[]>('GET', `/result/cause?filter=${filter}${query}`)
  return { testCases, suite, good, bad, list, componentUnderTest, run }
}

const idsOf = ({ testCaseResults }: ExecutionResult) => testCaseResults.map(({ id }) => id)

export const causes = inSection('TX', 'Endpoints: read results', [
  {
    id: 'TX-340',
    rule: 'GET /result/cause MUST list the causes of failures among the results that its filter selects: one for all failures that are alike, with its count, scenarios, suites, since when, and the last good revisions.',
    async check() {
      const { testCases, suite, good, bad, list, componentUnderTest } = await failing()
      const { body, headers } = await list()
      expect(headers.get('x-total-count')).toBe('1')
      const [cause] = body
      expect(cause).toMatchObject({
        ...{ expectation: '$ equals', count: 2, currentCount: 2, scenarioCount: 2 },
        ...{ suites: [{ contextId: suite.id }], verdict: null, owner: null },
      })
      expect(cause?.scenarios.map(({ contextId }) => contextId).sort()).toEqual(testCases.sort())
      expect(idsOf(bad)).toContain(cause?.since.id)
      expect(idsOf(good)).toContain(cause?.lastGood?.id)
      expect(cause?.lastGood?.revisions).toContainEqual({
        ...{ kind: 'component', artifactId: componentUnderTest, revision: 1 },
      })
      expect((await call<Cause>('GET', `/cause/${cause?.id}`)).body.count).toBe(2)
      expectError(await call('GET', '/cause/nothing'), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-341',
    rule: 'Causes MUST be paged with limit, cursor and Link, and selected by verdict, owner and current; a bad filter, word or unknown parameter is 400.',
    async check() {
      const { list } = await failing()
      const all = await call<Cause[]>('GET', '/result/cause?limit=1')
      expect(all.body).toHaveLength(1)
      const total = Number(all.headers.get('x-total-count'))
      if (total > 1) expect(all.headers.get('link')).toContain('rel="next"')
      expect((await list('&current=true&verdict=none')).body).toHaveLength(1)
      expect((await list('&verdict=Product')).body).toEqual([])
      expect((await list('&owner=nobody-of-that-name')).body).toEqual([])
      for (const query of ['verdict=bad', 'current=2', 'limit=0', 'filter={"a":1}', 'more=1'])
        expectError(await call('GET', `/result/cause?${query}`), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-342',
    rule: 'PUT /cause/{id}/verdict MUST set verdict, owner, comment and ticket of a cause in place of former ones, and the next equal failure shows them.',
    async check() {
      const { list, run } = await failing()
      const [cause] = (await list()).body
      const path = `/cause/${cause?.id}/verdict`
      const said = { verdict: 'PRODUCT', owner: 'ann', comment: null, ticket: 'QA-7' }
      expect((await send<Cause>('PUT', path, said)).body).toMatchObject(said)
      const [member = ''] = idsOf(await run())
      const why = await call<{ cause: Cause }>('GET', `/result/${member}/cause`)
      expect(why.body.cause).toMatchObject({ ...said, id: cause?.id, count: 4 })
      const next = { verdict: 'FLAKY' }
      expect((await send<Cause>('PUT', path, next)).body).toMatchObject({ ...next, owner: null })
      expectError(await send('PUT', path, { verdict: 'GUILTY' }), 400, 'BAD_USER_INPUT')
      const long = { ticket: 'x'.repeat(2_001) }
      expectError(await send('PUT', path, long), 400, 'BAD_USER_INPUT')
      expectError(await send('PUT', '/cause/nothing/verdict', said), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-343',
    rule: 'GET /result/{id}/cause MUST name the execution since which a scenario or suite fails, the last good one, and what changed between: revisions, environment and labels.',
    async check() {
      const { good, bad, componentUnderTest, run } = await failing()
      const [member = ''] = idsOf(await run())
      const { failingSince } = (
        await call<{ failingSince: unknown }>('GET', `/result/${member}/cause`)
      ).body
      expect(failingSince).toMatchObject({
        failures: 2,
        first: { id: idsOf(bad)[0] },
        lastGood: { id: idsOf(good)[0] },
        changes: [{ kind: 'component', name: componentUnderTest, before: '1', after: '2' }],
      })
      const ofSuite = await call<{ cause: unknown }>('GET', `/result/${bad.id}/cause`)
      expect(ofSuite.body).toMatchObject({ cause: null, failingSince: { first: { id: bad.id } } })
      const passed = await call('GET', `/result/${good.id}/cause`)
      expect(passed.body).toEqual({ cause: null, failingSince: null })
    },
  },
  {
    id: 'TX-344',
    rule: 'PUT /testcase/{id}/quarantine MUST change nothing else of a scenario; it runs on, its failure does not fail its suite, and result and suite say so.',
    async check() {
      const { testCases, run, list } = await failing()
      for (const id of testCases) {
        const { body } = await send('PUT', `/testcase/${id}/quarantine`, { quarantine: true })
        expect(body).toMatchObject({ id, quarantine: true, revision: 2 })
      }
      const result = await run()
      expect([result.state, result.message]).toEqual([
        'COMPLETED',
        '2 of 2 scenarios did not succeed in quarantine',
      ])
      const [cause] = (await list()).body
      expect(cause?.scenarios).toMatchObject([{ isQuarantined: true }, { isQuarantined: true }])
      const path = '/testcase/nothing/quarantine'
      expectError(await send('PUT', path, { quarantine: true }), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-345',
    rule: 'Readers MUST see causes with their verdicts; setting a verdict or quarantine needs artifacts:write (403), and stands in the audit log.',
    async check() {
      const users = await withUsers()
      const { headers } = await users.account(`${unique('runner')}@example.com`, 'RUNNER')
      expect((await users.rest('GET', '/result/cause', headers)).status).toBe(200)
      const verdict = '/cause/nothing/verdict'
      expect((await users.rest('PUT', verdict, headers, {})).status).toBe(403)
      const quarantine = '/testcase/loan-schedule/quarantine'
      expect((await users.rest('PUT', quarantine, headers, { quarantine: true })).status).toBe(403)
      const admin = basic(ADMIN, ADMIN_PASSWORD)
      expect((await users.rest('PUT', verdict, admin, {})).status).toBe(404)
      expect((await users.rest('PUT', quarantine, admin, { quarantine: true })).status).toBe(200)
      expect((await users.rest('PUT', quarantine, admin, { quarantine: false })).status).toBe(200)
      const log = await users.rest('GET', '/audit?action=setQuarantine', admin)
      expect(log.body[0]).toMatchObject({ action: 'setQuarantine', target: 'loan-schedule' })
    },
  },
])
