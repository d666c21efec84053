import { call, expectError } from '../../calls.ts'
import { type ExecutionResult, readDetails } from '../../executions.ts'
import { inSection } from '../../row.ts'

const post = (query: string, given: object) =>
  call<ExecutionResult>('POST', `/executions/import${query}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'imported', ...given }),
  })

const GOOD = { scenarios: [{ name: 'a', state: 'COMPLETED' }] }

const SKIPPED = { name: 'open', state: 'SKIPPED' }

export const imports = inSection('TX', 'Endpoints: execute', [
  {
    id: 'TX-280',
    rule: 'POST /executions/import MUST store a run as ERROR whose exitCode is not 0 where none of its scenarios is bad, and answer 400 to an exitCode that is no number.',
    check: async () => {
      expect((await post('?exitCode=1', GOOD)).body).toMatchObject({ state: 'ERROR' })
      expect((await post('?exitCode=0', GOOD)).body).toMatchObject({ state: 'COMPLETED' })
      expectError(await post('?exitCode=one', GOOD), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-442',
    rule: 'An import MUST read reports in JUnit XML as they are, each test as a scenario, and answer 400 naming one that is none.',
    check: async () => {
      const suite = (name: string, inside: string) =>
        `<testsuite name="${name}"><testcase name="pays" time="0.25">${inside}</testcase></testsuite>`
      const reports = [
        { path: 'a.xml', text: suite('a', '') },
        { path: 'b.xml', text: suite('b', '<failure message="too late"/>') },
      ]
      const { body } = await post('', { ...GOOD, reports })
      expect(body.state).toBe('FAILED')
      expect(body.testCaseResults.map(({ state, message }) => [state, message])).toEqual([
        ['COMPLETED', ''],
        ['COMPLETED', ''],
        ['FAILED', 'too late'],
      ])
      for (const text of ['<testsuite>', '<html/>', '<testsuite/>', 'none']) {
        const given = { scenarios: [], reports: [{ path: 'c.xml', text }] }
        const { message } = expectError(await post('', given), 400, 'BAD_USER_INPUT')
        expect(message).toContain('c.xml')
      }
    },
  },
  {
    id: 'TX-450',
    rule: 'An import MUST tell reports of JUnit, Cucumber, Playwright and XA apart by what they hold, keep their steps, attach the files that they hold, and answer 400 naming a text that is none.',
    check: async () => {
      const picture = { mime_type: 'image/png', data: btoa('pixels') }
      const steps = [{ name: 'a step', result: { status: 'passed' }, embeddings: [picture] }]
      const cucumber = [{ name: 'Cart', elements: [{ name: 'pays', steps }] }]
      const result = { status: 'failed', error: { message: 'late' } }
      const specs = [{ title: 'ships', tests: [{ status: 'unexpected', results: [result] }] }]
      const message = '<message><![CDATA[<testsuite/>]]></message>'
      const output = '<system-out><![CDATA[<XaUnitResult/> {"suites": []}]]></system-out>'
      const reports = [
        JSON.stringify(cucumber),
        JSON.stringify({ suites: [{ specs }] }),
        `<XaUnitResult name="pump" resultType="ERROR">${message}</XaUnitResult>`,
        `<testsuite name="shop"><testcase name="cart">${output}</testcase></testsuite>`,
      ].map((text, at) => ({ path: `report-${at}`, text }))
      const { body } = await post('', { scenarios: [], reports })
      expect(
        body.testCaseResults.map((each) => [each.contextId, each.state, each.message]),
      ).toEqual([
        ['Cart › pays', 'COMPLETED', ''],
        ['ships', 'FAILED', 'late'],
        ['pump', 'ERROR', '<testsuite/>'],
        ['shop cart', 'COMPLETED', ''],
      ])
      const files = await call<object[]>(
        'GET',
        `/result/${body.testCaseResults[0]?.id}/attachments`,
      )
      expect(files.body).toMatchObject([{ contentType: 'image/png', size: 6 }])
      const given = { scenarios: [], reports: [{ path: 'e.json', text: '{}' }] }
      const fault = expectError(await post('', given), 400, 'BAD_USER_INPUT')
      expect(fault.message).toContain('e.json is no report of tests: expected JUnit XML')
    },
  },
  {
    id: 'TX-443',
    rule: 'POST /scenario/requests MUST read a command line of curl, or an OpenAPI 3 document as YAML or JSON, as http steps without values of secrets; another text is 400.',
    check: async () => {
      const read = (text: unknown) =>
        call<{ steps: { http: object }[] }>('POST', '/scenario/requests', {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ text }),
        })
      const curl = await read(`curl -u a:b -H 'X-Api-Key: s3cret' https://shop.example.com/orders`)
      expect(curl).toMatchObject({
        status: 200,
        body: {
          baseUrl: 'https://shop.example.com',
          secrets: ['X_API_KEY'],
          signsIn: true,
          steps: [{ http: { url: '/orders', headers: { 'X-Api-Key': '{{env.X_API_KEY}}' } } }],
        },
      })
      const document = {
        openapi: '3.1.0',
        info: { title: 'Shop' },
        paths: { '/carts': { get: {} } },
      }
      for (const text of [
        JSON.stringify(document),
        'openapi: 3.0.0\npaths: { /carts: { get: {} } }',
      ])
        expect((await read(text)).body).toMatchObject({
          baseUrl: null,
          steps: [{ http: { method: 'GET', url: '/carts' } }],
        })
      // So many examples that they exceed EVALUATION_MS.
      const names = Array.from({ length: 30 }, (_, n) => `p${n}`)
      const at = (level: number) => ({ $ref: `#/components/schemas/s${level}` })
      const schemas = Array.from({ length: 8 }, (_, level) => [
        `s${level}`,
        { required: names, properties: Object.fromEntries(names.map((n) => [n, at(level + 1)])) },
      ])
      const content = { 'application/json': { schema: at(0) } }
      const large = JSON.stringify({
        ...{ ...document, paths: { '/': { post: { requestBody: { content } } } } },
        components: { schemas: Object.fromEntries(schemas) },
      })
      for (const text of [
        '',
        'wget https://a/',
        'openapi: 3.0.0',
        'curl',
        'curl "',
        '- [',
        7,
        large,
      ])
        expectError(await read(text), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'TX-281',
    rule: 'No imported result MUST end after its import; times of year 1, of 1970 and far ahead MUST count as unknown.',
    check: async () => {
      const before = Date.now()
      for (const started of [
        '0001-01-01T00:00:00Z',
        '1970-01-01T00:00:00Z',
        '2099-01-01T00:00:00Z',
        new Date(before + 9 * 3_600_000).toISOString(),
      ]) {
        const scenarios = [{ name: 'a', state: 'COMPLETED', started, durationMs: 5_000 }]
        const { body } = await post('', { scenarios })
        expect(Date.parse(body.ended ?? '')).toBeLessThanOrEqual(Date.now())
        expect(Date.parse(body.started)).toBeGreaterThan(before - 60_000)
      }
    },
  },
  {
    id: 'TX-282',
    rule: 'Texts of an import MUST be kept without colours and control characters, and its warnings be lines of its log.',
    check: async () => {
      const { body } = await post('', {
        scenarios: [{ name: 'a', state: 'FAILED', message: '\u001b[31mred\u001b[0m B\u0000C' }],
        warnings: ['The report counts 2 failures'],
      })
      expect(body.testCaseResults[0]?.message).toBe('red B\uFFFDC')
      expect((await readDetails(body.id)).body.log).toContain('WARN Import  The report counts 2')
    },
  },
  {
    id: 'TX-290',
    rule: 'Each test of an import MUST end as its tool judged it; one that was SKIPPED has no result, and what it wrote is in the log of the whole.',
    check: async () => {
      const states = ['COMPLETED', 'FAILED', 'ERROR', 'SKIPPED']
      const scenarios = states.map((state) => ({ name: `is ${state}`, state, log: `of ${state}` }))
      const { body } = await post('', { scenarios })
      expect(body.testCaseResults.map(({ state }) => state)).toEqual(states.slice(0, 3))
      expect((await readDetails(body.id)).body.log).toContain('INFO is SKIPPED  of SKIPPED')
    },
  },
  {
    id: 'TX-311',
    rule: 'Files of a scenario that an import has as SKIPPED MUST be attachments of the whole, as it has no result of its own.',
    check: async () => {
      const attachments = [{ name: 'shot.png', base64: btoa('shot') }]
      const skipped = { name: 'a', state: 'SKIPPED', steps: [{ ...SKIPPED, attachments }] }
      const { body } = await post('', { scenarios: [skipped, { name: 'b', state: 'COMPLETED' }] })
      const files = await call<{ name: string }[]>('GET', `/result/${body.id}/attachments`)
      expect(files.body).toMatchObject([{ name: 'shot.png', size: 4 }])
    },
  },
])
