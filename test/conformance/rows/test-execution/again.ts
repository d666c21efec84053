import { create, send, unique } from '../../artifacts.ts'
import { withCollector } from '../../callbacks.ts'
import { call, expectError } from '../../calls.ts'
import { type ExecutionResult, execute } from '../../executions.ts'
import { inSection } from '../../row.ts'

interface Context {
  startedBy: string
  againOfId: string | null
  againId: string | null
  environmentId: string | null
  labels: { name: string; value: string }[]
}

const contextOf = async ({ id }: Pick<ExecutionResult, 'id'>): Promise<Context> =>
  (await call<Context>('GET', `/result/${id}/context`)).body

const again = ({ id }: Pick<ExecutionResult, 'id'>, query = '', headers?: Record<string, string>) =>
  execute(`/result/${id}/execute?synchron=true${query}`, headers)

const statesOf = ({ testCaseResults }: ExecutionResult) =>
  testCaseResults.map(({ contextId, state }) => [contextId, state])

/** A suite of scenarios behind a host that fails below `/bad`, and the first time below `/flaky`. */
const withSuite = (
  check: (of: {
    ids: readonly string[]
    suiteId: string
    first: ExecutionResult
    label: string
    mend(): void
  }) => Promise<void>,
): Promise<void> =>
  withCollector(async (collector) => {
    const asked = new Set<string>()
    let isMended = false
    collector.answer((response, _nth, { path }) => {
      const isFirst = !asked.has(path)
      asked.add(path)
      const isDown = (path === '/bad' && !isMended) || (path === '/flaky' && isFirst)
      response.writeHead(isDown ? 503 : 200).end()
    })
    const environment = await create('environment', { baseUrl: collector.url })
    const made = []
    for (const path of ['/good', '/flaky', '/bad'])
      made.push(
        await create('testcase', {
          componentUnderTest: null,
          scenario: { steps: [{ id: 'only', http: { url: path } }] },
          retries: path === '/flaky' ? 1 : 0,
        }),
      )
    const [good, flaky, bad] = made.map(({ id }) => id)
    const never = await create('testcase', { needs: [bad] })
    const ids = [good, flaky, bad, never.id].map((id) => id ?? '')
    const suite = await create('suite', { testCases: ids })
    const label = unique('build')
    const { body: first } = await execute(
      `/suite/${suite.id}/execute?synchron=true&label=build=${label}&environmentId=${environment.id}`,
    )
    expect(first.state).toBe('FAILED')
    await check({
      ids,
      suiteId: suite.id,
      first,
      label,
      mend: () => {
        isMended = true
      },
    })
  })

const countOf = async (label: string): Promise<unknown> => {
  const filter = encodeURIComponent(JSON.stringify({ labels: { build: label }, member: true }))
  const { body } = await call<Record<string, number>>('GET', `/result/statistics?filter=${filter}`)
  return { total: body.total, failed: body.failed, completed: body.completed }
}

export const repetitions = inSection('TX', 'Endpoints: execute', [
  {
    id: 'TX-322',
    rule: 'POST /result/{id}/execute?only=not-passed MUST execute what did not pass or never began, in the environment and with the labels of that result; the results name each other, and statistics count the last of a chain.',
    check: () =>
      withSuite(async ({ ids: [, , bad = '', never = ''], first, label, mend }) => {
        const second = (await again(first, '&only=not-passed&label=why=again')).body
        expect(statesOf(second)).toEqual([[bad, 'FAILED']])
        mend()
        const third = (await again(second, '&only=Not-Passed')).body
        expect(third.state).toBe('COMPLETED')
        expect(statesOf(third)).toEqual([
          [bad, 'COMPLETED'],
          [never, 'COMPLETED'],
        ])
        const [one, two, three] = await Promise.all([first, second, third].map(contextOf))
        expect([one?.againOfId, one?.againId]).toEqual([null, second.id])
        expect([two?.againOfId, two?.againId]).toEqual([first.id, third.id])
        expect([three?.againOfId, three?.againId]).toEqual([second.id, null])
        expect(three).toMatchObject({
          startedBy: 'again',
          environmentId: one?.environmentId,
          labels: [
            { name: 'build', value: label },
            { name: 'why', value: 'again' },
          ],
        })
        expect(await countOf(label)).toEqual({ total: 4, failed: 0, completed: 4 })
      }),
  },
  {
    id: 'TX-323',
    rule: 'Of a result, only=all MUST execute its scenarios and flaky those that passed only when tried again; where nothing is left the status is 409, and 409 as well for a running execution, files and imports.',
    check: () =>
      withSuite(async ({ ids: [good = '', flaky = '', bad = ''], suiteId, first }) => {
        const all = (await again(first)).body
        expect(statesOf(all)).toEqual([
          [good, 'COMPLETED'],
          [flaky, 'COMPLETED'],
          [bad, 'FAILED'],
        ])
        expect(statesOf((await again(first, '&only=flaky')).body)).toEqual([[flaky, 'COMPLETED']])
        expectError(await again(all, '&only=flaky'), 409, 'CONFLICT')
        const [passed] = first.testCaseResults
        expectError(await again(passed ?? first, '&only=not-passed'), 409, 'CONFLICT')
        expectError(await again(first, '&only=failed'), 400, 'BAD_USER_INPUT')
        expectError(await again({ id: 'none' }), 404, 'NOT_FOUND')
        const files = {
          contextId: good,
          artifacts: [{ kind: 'suite', id: 'x', testCases: [good] }],
        }
        const inline = await send<ExecutionResult>('POST', '/execute?synchron=true', {
          ...files,
          contextId: 'x',
        })
        expectError(await again(inline.body), 409, 'CONFLICT')
        expect((await contextOf(all)).againOfId).toBe(first.id)
        expect(suiteId).toBe(all.contextId)
      }),
  },
  {
    id: 'TX-324',
    rule: 'revisions=then MUST execute artifacts as the repeated execution ran them, now as they are stored; the Idempotency-Key and host credentials are as for every execute.',
    async check() {
      const scenario = (value: number) => ({
        steps: [{ id: 'a', call: { function: 'one' }, expect: [{ assert: 'equals', value }] }],
      })
      const { id: componentUnderTest } = await create('component')
      const { id, name } = await create('testcase', {
        componentUnderTest,
        scenario: scenario(1),
      })
      const first = (await execute(`/testcase/${id}/execute?synchron=true`)).body
      expect(first.state).toBe('COMPLETED')
      await send('PUT', `/testcase/${id}`, { name, componentUnderTest, scenario: scenario(2) })
      expect((await again(first, '&revisions=then')).body.state).toBe('COMPLETED')
      const key = { 'idempotency-key': unique('key'), credentials: 'dTpw' }
      const now = (await again(first, '', key)).body
      expect(now.state).toBe('FAILED')
      expect((await again(first, '', key)).body.id).toBe(now.id)
      expectError(await again(first, '&only=not-passed', key), 422, 'IDEMPOTENCY_MISMATCH')
      expectError(await again(first, '', {}), 403, 'FORBIDDEN')
    },
  },
])
