import { create, unique } from '../../artifacts.ts'
import { withCollector } from '../../callbacks.ts'
import { call, expectError, readUntil } from '../../calls.ts'
import { type ExecutionResult, execute, readResult, TIMESTAMP } from '../../executions.ts'
import { inSection } from '../../row.ts'

interface ResultContext {
  isFlaky: boolean
  isQuarantined: boolean
  skippedScenarios: { name: string; reason: string }[]
}

interface Hosts {
  /** Paths that were asked for, in order. */
  asked: string[]
  /** Stores a scenario of one step, which asks the host. */
  store(path: string, more?: object): Promise<Scenario>
  /** Stores a suite and runs it to its end. */
  run(scenarios: readonly Scenario[], rules?: object, query?: string): Promise<ExecutionResult>
  environments: readonly [string, string]
}

interface Scenario {
  id: string
  name: string
}

/** A host behind two environments: `/a/…` and `/b/…`. It is down below `/bad`, and once for each path below `/flaky`. */
const withHosts = (check: (hosts: Hosts) => Promise<void>): Promise<void> =>
  withCollector(async (collector) => {
    const asked: string[] = []
    collector.answer((response, _nth, { path }) => {
      const isFirst = !asked.includes(path)
      asked.push(path)
      const isDown = path.includes('/bad') || (path.includes('/flaky') && isFirst)
      response
        .writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ token: `for${path}` }))
    })
    const [a, b] = await Promise.all(
      ['a', 'b'].map((at) => create('environment', { baseUrl: `${collector.url}/${at}` })),
    )
    const environments = [a?.id ?? '', b?.id ?? ''] as const
    await check({
      asked,
      environments,
      async store(path, more) {
        const { id, name } = await create('testcase', {
          componentUnderTest: null,
          environment: environments[0],
          scenario: { steps: [{ id: 'only', http: { url: path } }] },
          ...more,
        })
        return { id, name }
      },
      async run(scenarios, rules, query = '') {
        const suite = await create('suite', { testCases: scenarios.map(({ id }) => id), ...rules })
        return (await execute(`/suite/${suite.id}/execute?synchron=true${query}`)).body
      },
    })
  })

const contextOf = async ({ id }: ExecutionResult) =>
  (await call<ResultContext>('GET', `/result/${id}/context`)).body

const junitOf = async ({ id }: ExecutionResult) =>
  (await call<string>('GET', `/result/${id}/details?format=junit`)).body

const statesOf = ({ testCaseResults }: ExecutionResult) =>
  testCaseResults.map(({ contextId, state }) => [contextId, state])

export const suiteRules = inSection('TX', 'States and transitions', [
  {
    id: 'TX-180',
    rule: 'A scenario with retries MUST run again as a whole until it is COMPLETED; earlier tries and isFlaky are readable over REST.',
    check: () =>
      withHosts(async ({ asked, store }) => {
        const { id } = await store('/flaky/1', { retries: 2 })
        const { body } = await execute(`/testcase/${id}/execute?synchron=true`)
        expect(body).toMatchObject({ state: 'COMPLETED', message: '', validationFailures: [] })
        expect(asked).toEqual(['/a/flaky/1', '/a/flaky/1'])
        expect(await contextOf(body)).toMatchObject({ isFlaky: true })
        const time = expect.stringMatching(TIMESTAMP)
        expect((await call('GET', `/result/${body.id}/tries`)).body).toMatchObject([
          {
            ...{ state: 'FAILED', message: expect.stringContaining('503'), errorCode: null },
            ...{ started: time, ended: time },
            steps: [{ id: 'only', state: 'FAILED', started: time, ended: time }],
          },
        ])
        const hopeless = await store('/bad/1', { retries: 1 })
        const last = (await execute(`/testcase/${hopeless.id}/execute?synchron=true`)).body
        expect(last.state).toBe('FAILED')
        expect(await contextOf(last)).toMatchObject({ isFlaky: false })
        expect((await call('GET', `/result/${last.id}/tries`)).body).toHaveLength(1)
        expectError(await call('GET', '/result/none/tries'), 404, 'NOT_FOUND')
      }),
  },
  {
    id: 'TX-181',
    rule: 'A scenario in quarantine MUST keep its verdict and make no suite fail; isQuarantined is readable over REST.',
    check: () =>
      withHosts(async ({ store, run }) => {
        const known = await store('/bad', { quarantine: true })
        const good = await store('/good')
        const result = await run([known, good], { haltAtFailure: true })
        expect(result).toMatchObject({
          state: 'COMPLETED',
          message: '1 of 2 scenarios did not succeed in quarantine',
        })
        const [first, second] = result.testCaseResults
        expect(statesOf(result)).toEqual([
          [known.id, 'FAILED'],
          [good.id, 'COMPLETED'],
        ])
        for (const [member, isQuarantined] of [
          [first, true],
          [second, false],
        ] as const)
          expect(member && (await contextOf(member))).toMatchObject({ isQuarantined })
        expect(await junitOf(result)).toMatch(/<skipped message="Quarantined: [^"]*503/)
      }),
  },
  {
    id: 'TX-182',
    rule: 'A scenario MUST begin after those of its suite that it needs; if one of them does not succeed it is skipped with the reason, and so is what needs it.',
    check: () =>
      withHosts(async ({ asked, store, run }) => {
        const bad = await store('/bad')
        const good = await store('/good')
        const needsBad = await store('/needs-bad', { needs: [bad.id] })
        const needsThat = await store('/needs-that', { needs: [needsBad.id, good.id] })
        const needsGood = await store('/needs-good', { needs: [good.id] })
        const result = await run([needsThat, needsBad, bad, needsGood, good])
        expect(asked).toEqual(['/a/bad', '/a/good', '/a/needs-good'])
        expect(result).toMatchObject({
          state: 'FAILED',
          message: '1 of 5 scenarios failed, 2 did not run',
        })
        expect(statesOf(result)).toEqual([
          [bad.id, 'FAILED'],
          [needsGood.id, 'COMPLETED'],
          [good.id, 'COMPLETED'],
        ])
        const reason = `It needs ${bad.name}, which is FAILED`
        expect((await contextOf(result)).skippedScenarios).toEqual([
          { name: needsThat.name, reason },
          { name: needsBad.name, reason },
        ])
        expect(await junitOf(result)).toContain(`<skipped message="${reason}"/>`)
        expect(statesOf(await run([needsBad]))).toEqual([[needsBad.id, 'COMPLETED']])
        const circle = await call('PUT', `/testcase/${bad.id}`, {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            name: unique('circle'),
            needs: [needsThat.id],
            scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] },
          }),
        })
        expectError(circle, 400, 'BAD_USER_INPUT')
      }),
  },
  {
    id: 'TX-183',
    rule: 'The setup of a suite MUST run before its scenarios and give them its captures; the teardown runs last, also when the setup failed.',
    check: () =>
      withHosts(async ({ asked, store, run }) => {
        const login = await store('/login', {
          scenario: {
            steps: [{ id: 'only', http: { url: '/login' }, capture: { token: '$.body.token' } }],
          },
        })
        const uses = await store('/uses/{{setup.token}}')
        const logout = await store('/logout')
        const rules = { setup: login.id, teardown: logout.id, maxParallel: 4 }
        const result = await run([uses], rules)
        expect(result.state).toBe('COMPLETED')
        expect(asked).toEqual(['/a/login', '/a/uses/for/a/login', '/a/logout'])
        asked.length = 0
        const bad = await store('/bad')
        const failed = await run([uses], { ...rules, setup: bad.id, haltAtFailure: true })
        expect(asked).toEqual(['/a/bad', '/a/logout'])
        expect(failed.state).toBe('FAILED')
        expect((await contextOf(failed)).skippedScenarios).toEqual([
          { name: uses.name, reason: `It needs ${bad.name}, which is FAILED` },
        ])
      }),
  },
  {
    id: 'TX-184',
    rule: 'A suite with environments MUST run all of its scenarios once in each of them; environmentId of a call replaces them.',
    check: () =>
      withHosts(async ({ asked, environments, store, run }) => {
        const scenarios = [await store('/one'), await store('/two')]
        const result = await run(scenarios, { environments, maxParallel: 1 })
        expect(result.state).toBe('COMPLETED')
        expect(result.testCaseResults).toHaveLength(4)
        expect(asked).toEqual(['/a/one', '/a/two', '/b/one', '/b/two'])
        asked.length = 0
        await run(scenarios, { environments, maxParallel: 1 }, `&environmentId=${environments[1]}`)
        expect(asked).toEqual(['/b/one', '/b/two'])
      }),
  },
  {
    id: 'TX-185',
    rule: 'tag and skipTag of an execute call MUST choose scenarios of a suite, each repeatable; 409 when none is left.',
    check: () =>
      withHosts(async ({ asked, store }) => {
        const tagged = await Promise.all([
          store('/smoke', { tags: ['smoke'] }),
          store('/slow', { tags: ['smoke', 'slow'] }),
          store('/other', { tags: ['other'] }),
        ])
        const { id } = await create('suite', {
          testCases: tagged.map((scenario) => scenario.id),
          maxParallel: 1,
        })
        for (const [query, paths] of [
          ['tag=smoke', ['/a/smoke', '/a/slow']],
          ['tag=smoke&skipTag=slow', ['/a/smoke']],
          ['tag=slow&tag=other', ['/a/slow', '/a/other']],
          ['skipTag=slow&skipTag=other', ['/a/smoke']],
        ] as const) {
          asked.length = 0
          await execute(`/suite/${id}/execute?synchron=true&${query}`)
          expect(asked).toEqual(paths)
        }
        const none = await execute(`/suite/${id}/execute?tag=none`)
        expectError(none, 409, 'CONFLICT')
      }),
  },
  {
    id: 'TX-186',
    rule: 'The teardown of a suite MUST run after a cancel as well, until whose end the suite is RUNNING; then it is ERROR with the reason.',
    check: () =>
      withHosts(async ({ asked, store }) => {
        const pause = await store('', { scenario: { steps: [{ id: 'a', wait: { ms: 60_000 } }] } })
        const [never, logout] = [await store('/never'), await store('/logout')]
        const suite = await create('suite', {
          testCases: [pause.id, never.id],
          teardown: logout.id,
          maxParallel: 1,
        })
        const { id } = (await execute(`/suite/${suite.id}/execute`)).body
        const cancel = () => call<ExecutionResult>('POST', `/result/${id}/cancel?reason=aborted`)
        expect(statesOf((await cancel()).body)[0]).toEqual([pause.id, 'ERROR'])
        const { body } = await readUntil(
          () => readResult(id),
          ({ body: { state } }) => state !== 'RUNNING',
        )
        expect(body).toMatchObject({ state: 'ERROR', message: expect.stringMatching(/: aborted$/) })
        expect(statesOf(body)).toEqual([
          [pause.id, 'ERROR'],
          [logout.id, 'COMPLETED'],
        ])
        expect(asked).toEqual(['/a/logout'])
        expect((await contextOf(body)).skippedScenarios).toMatchObject([{ name: never.name }])
        expectError(await cancel(), 409, 'CONFLICT')
      }),
  },
])
