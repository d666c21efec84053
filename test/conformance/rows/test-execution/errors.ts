import { create } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { readDetails, synchronousRun, TIMESTAMP } from '../../executions.ts'
import { inSection } from '../../row.ts'

export const errors = inSection('TX', 'Errors', [
  {
    id: 'TX-153',
    rule: 'A technical error MUST be reported by state ERROR and a message in a result that is answered with 200.',
    check: async () => {
      const { start } = await synchronousRun('shipping-quote')
      expect(start).toMatchObject({
        status: 200,
        body: { state: 'ERROR', message: expect.stringMatching(/\S/) },
      })
    },
  },
  {
    id: 'TX-154',
    rule: 'Data that did not verify MUST be reported by state FAILED and validationFailures in a result that is answered with 200.',
    check: async () => {
      const { start } = await synchronousRun('tax-table')
      expect(start).toMatchObject({ status: 200, body: { state: 'FAILED' } })
      expect(start.body.validationFailures.length).toBeGreaterThan(0)
    },
  },
  {
    id: 'TX-155',
    rule: 'A refused request MUST be answered with timestamp, status, error, message, path, code and requestId, and nothing else.',
    check: async () => {
      const answers = [
        expectError(await call('GET', '/result/no-such-result'), 404, 'NOT_FOUND'),
        expectError(await call('POST', '/execute/loan-schedule'), 400, 'BAD_USER_INPUT'),
      ]
      for (const body of answers)
        expect(body).toMatchObject({
          timestamp: expect.stringMatching(TIMESTAMP),
          error: expect.stringMatching(/\S/),
          message: expect.stringMatching(/\S/),
          requestId: expect.stringMatching(/\S/),
        })
      expect(answers.map(({ path }) => path)).toEqual([
        expect.stringMatching(/\/result\/no-such-result$/),
        expect.stringMatching(/\/execute\/loan-schedule$/),
      ])
    },
  },
  {
    id: 'TX-156',
    rule: 'requestId of an error MUST be the X-Request-Id of the request, or a new one each time.',
    check: async () => {
      const failing = async (headers: Record<string, string> = {}) =>
        expectError(await call('GET', '/result/no-such-result', { headers }), 404, 'NOT_FOUND')
      expect((await failing({ 'x-request-id': 'build-4711' })).requestId).toBe('build-4711')
      expect((await failing()).requestId).not.toBe((await failing()).requestId)
    },
  },
  {
    id: 'TX-157',
    rule: 'No answer about a failure MUST show a stack trace or a path of the server.',
    check: async () => {
      const { start } = await synchronousRun('shipping-quote')
      const details = await readDetails(start.body.id)
      for (const { body } of [await call('GET', '/result/no-such-result'), start, details])
        expect(JSON.stringify(body)).not.toMatch(/node_modules|\bat \S+ \(\S+:\d+:\d+\)|file:\/\//)
    },
  },
  {
    id: 'TX-158',
    rule: 'An address that does not exist MUST be answered with 404, a wrong method with 405 and Allow.',
    check: async () => {
      for (const path of ['/nothing', '/component/a/b', '/testcase/a/nothing', '/'])
        expectError(await call('GET', path), 404, 'NOT_FOUND')
      for (const [method, path, allow] of [
        ['DELETE', '/component', 'GET, POST, HEAD, OPTIONS'],
        ['POST', '/suite/some', 'GET, PUT, DELETE, HEAD, OPTIONS'],
        ['PUT', '/environment/count', 'GET, HEAD, OPTIONS'],
        ['GET', '/testcase/loan-schedule/execute', 'POST, OPTIONS'],
      ] as const) {
        const answer = await call(method, path)
        expectError(answer, 405, 'METHOD_NOT_ALLOWED')
        expect(answer.headers.get('allow')).toBe(allow)
      }
    },
  },
  {
    id: 'TX-159',
    rule: 'Malformed JSON MUST be answered with 400, another content type, also one that ends with +json, with 415, a body over the limit with 413, wherever a body is read.',
    check: async () => {
      const { id } = await create('component')
      const json = { 'content-type': 'application/json; charset=utf-8' }
      for (const [method, path] of [
        ['POST', '/component'],
        ['PUT', `/component/${id}`],
      ] as const) {
        const answer = (body: string, headers: Record<string, string> = json) =>
          call(method, path, { headers, body })
        for (const body of ['', '{', '{"name":"x"', "{'name':'x'}"])
          expectError(await answer(body), 400, 'BAD_USER_INPUT')
        for (const type of ['text/plain', 'application/problem+json'])
          expectError(await answer('{}', { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
        const tooLarge = JSON.stringify({ name: 'x', sourceCode: 'x'.repeat(4 * 1024 * 1024) })
        expectError(await answer(tooLarge), 413, 'PAYLOAD_TOO_LARGE')
      }
    },
  },
])
