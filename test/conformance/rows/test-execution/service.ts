import { graphFunctions } from '../../../documents/functions.ts'
import { count, create, list, RESOURCES, send } from '../../artifacts.ts'
import { call, isJson, readUntil } from '../../calls.ts'
import { documentsOf, operationsOf } from '../../documents.ts'
import { exampleCalls } from '../../example-calls.ts'
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
import { checkAt, inSection, product } from '../../row.ts'

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
        expect(await send('PUT', path, artifact)).toMatchObject({ body: { revision: 2 } })
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
  {
    id: 'TX-11',
    rule: 'An explorer page MUST be served at /swagger-ui.html below the base URL, over Swagger 2.0 at /v2/api-docs and OpenAPI 3.1 at /v3/api-docs.',
    check: async () => {
      const page = await fetch(`${product().base}/swagger-ui.html`)
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)]
      expect(files).toHaveLength(5)
      for (const [, file = ''] of files)
        expect((await fetch(new URL(file, page.url))).status).toBe(200)
      const [openapi, swagger] = await documentsOf(product().base)
      expect([openapi?.openapi, swagger?.swagger]).toEqual(['3.1.0', '2.0'])
      expect(openapi?.servers).toEqual([{ url: '/api' }])
      expect(swagger?.basePath).toBe('/api')
    },
  },
  {
    id: 'TX-12',
    rule: 'The explorer MUST group the operations by area.',
    check: async () => {
      for (const document of await documentsOf(product().base)) {
        const areas = document.tags.map(({ name }) => name)
        for (const { operation } of operationsOf(document))
          expect(areas).toContain(operation.tags[0])
        expect(new Set(areas).size).toBeGreaterThan(5)
      }
    },
  },
  {
    id: 'TX-13',
    rule: 'The explorer MUST show the query parameters, header parameters, request body and answers of every operation.',
    check: async () => {
      const [openapi] = await documentsOf(product().base)
      const described = (path: string, method: string) => {
        const { parameters, requestBody, responses } = openapi?.paths[path]?.[method] ?? {}
        return {
          parameters: parameters?.map((each) => `${each.in} ${each.name}`),
          body: requestBody !== undefined,
          answers: Object.keys(responses ?? {}),
        }
      }
      expect(described('/testcase/{id}/execute', 'post')).toEqual({
        parameters: [
          'path id',
          'query synchron',
          'query callbackUrl',
          'header Idempotency-Key',
          'header credentials',
        ],
        body: false,
        answers: ['200', '400', '401', '403', '404', '409', '422', '429', '503', '504'],
      })
      expect(described('/suite', 'post')).toMatchObject({ parameters: [], body: true })
      expect(described('/suite', 'get').parameters).toEqual([
        'query pageNumber',
        'query pageSize',
        'query sort',
        'query filter',
      ])
      for (const document of await documentsOf(product().base))
        for (const { operation } of operationsOf(document))
          expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
    },
  },
  {
    id: 'TX-14',
    rule: 'The explorer MUST mark which parameters are required.',
    check: async () => {
      for (const { paths } of await documentsOf(product().base)) {
        const required = (path: string) =>
          paths[path]?.post?.parameters.filter((each) => each.required).map(({ name }) => name)
        expect(required('/suite/{id}/execute')).toEqual(['id', 'credentials'])
        expect(required('/noauth/execute/{id}')).toEqual(['id'])
        expect(required('/noauth/testcases/execute')).toEqual(['componentName', 'environmentId'])
      }
    },
  },
  {
    id: 'TX-15',
    rule: 'Calling an operation from within the explorer MUST work.',
    check: async () => {
      const [openapi] = await documentsOf(product().base)
      for (const example of await exampleCalls(openapi)) {
        const { name, method, path, headers, body, success, url } = example
        const check = async () => {
          const answer = await call(method, path, { headers, ...(body ? { body } : {}) })
          expect([name, String(answer.status), answer.body]).toEqual([name, success, answer.body])
        }
        await (url ? checkAt(url, check) : check())
      }
    },
  },
  {
    id: 'TX-175',
    rule: 'The code of a component MUST reach no file, network, process or module of the machine.',
    check: async () => {
      const modules = ['fs', 'net', 'child_process', 'worker_threads', 'vm', 'v8', 'process']
      const component = await create('component', {
        sourceCode: `export const reach = async (names) =>
          (await Promise.allSettled(names.map((name) => import(name)))).map(({ status }) => status)`,
      })
      const expected = modules.map(() => 'rejected')
      const { id } = await create('testcase', {
        componentUnderTest: component.id,
        scenario: {
          steps: [
            {
              id: 'reach',
              call: { function: 'reach', args: [modules] },
              expect: [{ path: '$', assert: 'equals', value: expected }],
            },
          ],
        },
      })
      const { body } = await execute(`/testcase/${id}/execute?synchron=true`)
      expect(body).toMatchObject({ state: 'COMPLETED', validationFailures: [] })
    },
  },
  {
    id: 'TX-176',
    rule: 'GET /healthz MUST name every wall around component code, as one that stands or as one that is missing, with the reason.',
    check: async () => {
      const response = await fetch(new URL('/healthz', product().base))
      const { sandbox } = (await response.json()) as { sandbox: SandboxHealth }
      const missing = sandbox.missing.map(({ wall, reason }) => {
        expect(reason).not.toBe('')
        return wall
      })
      expect([...sandbox.walls, ...missing]).toEqual(
        expect.arrayContaining([
          ...['user namespace', 'mount namespace', 'network namespace', 'PID namespace'],
          ...['IPC namespace', 'UTS namespace', 'limits', 'no capabilities'],
          ...['no new privileges', 'system-call filter'],
        ]),
      )
    },
  },
])

interface SandboxHealth {
  walls: string[]
  missing: { wall: string; reason: string }[]
}
