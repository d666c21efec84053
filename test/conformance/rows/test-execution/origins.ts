import { create, send, unique } from '../../artifacts.ts'
import { call, expectError, graphql, readUntil } from '../../calls.ts'
import { type ExecutionResult, execute } from '../../executions.ts'
import { inSection } from '../../row.ts'

const WAIT = { scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] } }

/** An address of the machine that runs the product: no step calls it. */
const NOWHERE = { url: 'http://127.0.0.1:1/' }

const originOf = async ({ id }: ExecutionResult): Promise<unknown> =>
  (await call<{ startedBy: string }>('GET', `/result/${id}/context`)).body.startedBy

/** Results with a label, in the order of their origins, and how many the statistics count. */
async function labelled(build: string, startedBy?: unknown) {
  const filter = JSON.stringify({
    labels: { build },
    ...(startedBy !== undefined && { startedBy }),
  })
  const query = `filter=${encodeURIComponent(filter)}`
  const { body } = await call<ExecutionResult[]>('GET', `/result?${query}`)
  const { body: counts } = await call<{ total: number }>('GET', `/result/statistics?${query}`)
  return { origins: (await Promise.all(body.map(originOf))).sort(), total: counts.total }
}

const run = async (path: string, body?: object): Promise<ExecutionResult> => {
  const answer = body ? await send<ExecutionResult>('POST', path, body) : await execute(path)
  expect([answer.status, answer.body]).toEqual([200, answer.body])
  return answer.body
}

export const origins = inSection('TX', 'Resources: execution result', [
  {
    id: 'TX-320',
    rule: 'startedBy MUST name the origin of every execution, of a member that of its suite; lists and statistics filter by it, in any case, and leave tries of the editor out unless asked for them.',
    async check() {
      const build = unique('build')
      const labels = `synchron=true&label=${encodeURIComponent(`build=${build}`)}`
      const component = await create('component')
      const environment = await create('environment')
      const { id } = await create('testcase', {
        ...WAIT,
        componentUnderTest: component.id,
        environment: environment.id,
        allowExecuteWithoutCredentials: true,
      })
      await run(`/testcase/${id}/execute?${labels}`)
      const given = { contextId: id, artifacts: [{ kind: 'testcase', id, ...WAIT }] }
      await run(`/execute?${labels}`, given)
      await run(`/execute?${labels}`, { ...given, startedBy: 'EDITOR' })
      await run(`/executions/import?${labels.replace('synchron=true&', '')}`, {
        name: 'Elsewhere',
        scenarios: [{ name: 'a', state: 'COMPLETED' }],
      })
      const of = new URLSearchParams({
        componentName: component.name,
        environmentId: environment.id,
      })
      await run(`/noauth/testcases/execute?${of}&${labels}`)
      const all = ['component', 'component', 'files', 'import', 'import', 'user']
      expect(await labelled(build)).toEqual({ origins: all, total: 6 })
      const tries = await labelled(build, ['editor'])
      expect(tries).toEqual({ origins: ['editor'], total: 1 })
      const chosen = ['component', 'component', 'import', 'import']
      expect(await labelled(build, ['Import', 'COMPONENT'])).toEqual({ origins: chosen, total: 4 })
      const wrong = encodeURIComponent('{"startedBy":"cron"}')
      expectError(await call('GET', `/result?filter=${wrong}`), 400, 'BAD_USER_INPUT')
      expectError(
        await send('POST', '/execute', { ...given, startedBy: 'SCHEDULE' }),
        ...([400, 'BAD_USER_INPUT'] as const),
      )
    },
  },
  {
    id: 'TX-441',
    rule: 'Lists and statistics of results MUST filter by component, one that ran, and by tag, one that the scenario had when it was executed, each with `*` for any text; of a suite they find the scenarios.',
    async check() {
      const tag = unique('tag')
      const component = await create('component')
      const scenario = { ...WAIT, tags: [tag, 'all'], componentUnderTest: component.id }
      const open = { allowExecuteWithoutCredentials: true }
      const { id, name } = await create('testcase', { ...scenario, ...open })
      const suite = await create('suite', { testCases: [id] })
      const alone = await run(`/testcase/${id}/execute?synchron=true`)
      await run(`/suite/${suite.id}/execute?synchron=true`)
      const artifacts = [{ kind: 'testcase', id: 'inline', ...WAIT, tags: [tag] }]
      const inline = await run('/execute?synchron=true', { contextId: 'inline', artifacts })
      const stored = { ...scenario, ...open, name, tags: [] }
      expect((await send('PUT', `/testcase/${id}`, stored)).status).toBe(200)
      const untagged = await run(`/testcase/${id}/execute?synchron=true`)
      const found = async (filter: object) => {
        const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`
        const { body } = await call<ExecutionResult[]>('GET', `/result?${query}`)
        const { body: counts } = await call<{ total: number }>('GET', `/result/statistics?${query}`)
        expect(counts.total).toBe(body.length)
        return body.map((result) => result.id)
      }
      const member = expect.any(String)
      expect(await found({ tag })).toEqual([inline.id, member, alone.id])
      expect(await found({ tag: `${tag.slice(0, -1)}*`, component: component.id })).toEqual([
        member,
        alone.id,
      ])
      expect(await found({ component: [component.id, 'nowhere'] })).toEqual([
        untagged.id,
        member,
        alone.id,
      ])
      expect(await found({ component: id })).toEqual([])
    },
  },
  {
    id: 'TX-321',
    rule: 'A try of the editor MUST make no event; the execution of files makes one as every execution.',
    async check() {
      const artifacts = [{ kind: 'testcase', id: 'tried', ...WAIT }]
      const given = { contextId: 'tried', artifacts }
      const tried = await run('/execute?synchron=true', { ...given, startedBy: 'EDITOR' })
      const ran = await run('/execute?synchron=true', given)
      const eventsOf = async (id: string) =>
        (
          await graphql<{ executionResult: { events: object[] } }>(
            'query ($id: ID!) { executionResult(id: $id) { events { id } } }',
            { id },
          )
        ).executionResult.events
      // The later one has its event, so the earlier one would have it as well.
      await readUntil(
        () => eventsOf(ran.id),
        (found) => found.length === 1,
      )
      expect(await eventsOf(tried.id)).toEqual([])
    },
  },
  {
    id: 'TX-360',
    rule: 'A badge of a suite or scenario MUST show how its last execution ended, with a branch only those of that label, and take no try of the editor.',
    async check() {
      const { id, name } = await create('testcase', {
        ...WAIT,
        name: 'Loans & "more"',
        allowExecuteWithoutCredentials: true,
      })
      const badge = async (query = '') => {
        const { status, headers, body } = await call('GET', `/testcase/${id}/badge${query}`)
        const type = headers.get('content-type')
        expect([status, type]).toEqual([200, 'image/svg+xml; charset=utf-8'])
        return /<title>(.*)<\/title>/.exec(String(body))?.[1]
      }
      expect(await badge()).toBe('Loans &amp; "more": no result')
      await run(`/testcase/${id}/execute?synchron=true&label=branch%3Dmain`)
      expect(await badge()).toBe('Loans &amp; "more": passed')
      expect(await badge('?branch=main')).toBe('Loans &amp; "more", main: passed')
      expect(await badge('?branch=other')).toBe('Loans &amp; "more", other: no result')
      const artifacts = [
        { kind: 'testcase', id, name, scenario: { steps: [{ id: 'a', http: NOWHERE }] } },
      ]
      await run('/execute?synchron=true', { contextId: id, artifacts, startedBy: 'EDITOR' })
      expect(await badge()).toBe('Loans &amp; "more": passed')
      expectError(await call('GET', '/suite/nowhere/badge'), 404, 'NOT_FOUND')
    },
  },
])
