import { graphFunctions } from '../../../documents/functions.ts'
import { count, create, list, RESOURCES, send } from '../../artifacts.ts'
import { call, isJson, readUntil } from '../../calls.ts'
import {
  asynchronousRun,
  type ExecutionResult,
  execute,
  readDetails,
  readResult,
  SCENARIOS,
  suiteRun,
  synchronousRun,
} from '../../executions.ts'
import { inSection, product } from '../../row.ts'

const COMPONENT_PATH = '/noauth/testcases/execute?componentName=Loan%20schedule&environmentId=local'

export const service = inSection('TX', 'What the service does', [
  {
    id: 'TX-01',
    rule: 'Whatever the web client can do MUST be possible over REST as well, so that a build server needs nothing but HTTP.',
    check: async () => {
      expect(graphFunctions().filter(({ rows, reason }) => rows.length === 0 && !reason)).toEqual(
        [],
      )
      const component = await create('component', {
        sourceCode: 'export const double = (x) => 2 * x',
      })
      const environment = await create('environment')
      const scenario = await create('testcase', {
        componentUnderTest: component.id,
        environment: environment.id,
        scenario: {
          steps: [
            {
              id: 'double',
              call: { function: 'double', args: [2] },
              expect: [{ path: '$', assert: 'equals', value: 4 }],
            },
          ],
        },
      })
      const suite = await create('suite', { testCases: [scenario.id] })
      const { body } = await execute(`/suite/${suite.id}/execute`)
      const path = `/suite/${suite.id}/result/${body.id}`
      const done = ({ body }: { body: ExecutionResult }) => body.state !== 'RUNNING'
      const result = await readUntil(() => call<ExecutionResult>('GET', path), done)
      expect(result.body.state).toBe('COMPLETED')
      expect((await call('GET', `${path}/details?format=junit`)).status).toBe(200)
      const ended = `source.ref:"${suite.id}"`
      await readUntil(
        () =>
          call<{ counts: { total: number } }>(
            'GET',
            `/v1/events?${new URLSearchParams({ q: ended })}`,
          ),
        ({ body }) => body.counts.total === 1,
      )
      for (const [kind, { id }] of Object.entries({
        suite,
        testcase: scenario,
        component,
        environment,
      }))
        expect((await call('DELETE', `/${kind}/${id}`)).status).toBe(204)
    },
  },
  {
    id: 'TX-02',
    rule: 'Every kind of artifact MUST be managed by the same six operations: create, read, update, delete, list and count.',
    check: async () => {
      for (const { name } of RESOURCES) {
        const artifact = await create(name)
        const path = `/${name}/${artifact.id}`
        const filter = JSON.stringify({ id: artifact.id })
        expect((await call('GET', path)).body).toEqual(artifact)
        expect((await list(name, { filter })).body).toEqual([artifact])
        expect((await count(name, { filter })).body).toBe(1)
        const changed = { ...artifact, description: 'changed' }
        expect(await send('PUT', path, changed)).toMatchObject({ body: { revision: 2 } })
        expect((await call('DELETE', path)).status).toBe(204)
        expect((await count(name, { filter })).body).toBe(0)
      }
    },
  },
  {
    id: 'TX-03',
    rule: 'A test case MUST run when a client asks for it.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { start } = await synchronousRun(scenario)
        expect(start.body.contextId).toBe(scenario)
      }
    },
  },
  {
    id: 'TX-04',
    rule: 'A test suite MUST run when a client asks for it.',
    check: async () => {
      expect((await suiteRun('finance')).simple).toMatchObject({
        contextId: 'finance',
        state: 'FAILED',
      })
    },
  },
  {
    id: 'TX-05',
    rule: 'An execution MUST be asynchronous unless the client asks to wait.',
    check: async () => {
      const { start } = await asynchronousRun('loan-schedule')
      expect(start.body.state).toBe('RUNNING')
    },
  },
  {
    id: 'TX-06',
    rule: 'The start of an execution MUST hand out a result id at once, and reading with it MUST give the result of that execution.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect(simple).toMatchObject({ id: start.body.id, contextId: 'loan-schedule' })
      const again = await execute('/testcase/loan-schedule/execute?synchron=true')
      expect(again.body.id).not.toBe(start.body.id)
    },
  },
  {
    id: 'TX-07',
    rule: 'One call MUST run every scenario that tests a named component in one environment, through a suite that the product generates.',
    check: async () => {
      const { status, body } = await execute(`${COMPONENT_PATH}&synchron=true`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ type: 'SUITE', state: 'COMPLETED' })
      expect(body.testCaseResults.map(({ contextId }) => contextId)).toContain('loan-schedule')
    },
  },
  {
    id: 'TX-08',
    rule: 'Every REST address MUST stand behind the base URL with its API root path, and, except for /v1, nowhere else.',
    check: async () => {
      const { start } = await synchronousRun('loan-schedule')
      expect((await readResult(start.body.id)).status).toBe(200)
      const beside = await fetch(new URL(`/result/${start.body.id}`, product().base))
      await beside.text()
      expect(beside.status).toBe(404)
    },
  },
  {
    id: 'TX-09',
    rule: 'A doubled slash behind the base URL and a slash at the end of an address MUST make no difference.',
    check: async () => {
      const { start, simple } = await synchronousRun('loan-schedule')
      for (const path of [`//result/${simple.id}`, `/result/${simple.id}/`])
        expect(await call('GET', path)).toMatchObject({ status: 200, body: simple })
      const untidy = await execute('//testcase/loan-schedule/execute/?synchron=true')
      expect(untidy).toMatchObject({ status: 200, body: { state: start.body.state } })
    },
  },
  {
    id: 'TX-10',
    rule: 'Answers MUST be JSON and say so in their content type, errors included.',
    check: async () => {
      const { start } = await synchronousRun('loan-schedule')
      for (const answer of [
        start,
        await readResult(start.body.id),
        await readDetails(start.body.id),
        await readResult('no-such-result'),
      ])
        expect({ json: isJson(answer), body: answer.body }).toEqual({
          json: true,
          body: expect.any(Object),
        })
    },
  },
])
