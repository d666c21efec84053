import { randomUUID } from 'node:crypto'
import { call, expectError, readUntil } from '../../conformance/calls.ts'
import { accept, newTitle } from '../../conformance/events.ts'
import { encoded, execute } from '../../conformance/executions.ts'
import type { ProcessName } from '../../support/assay.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { ask } from '../../support/e2e/graph.ts'
import { assay } from '../../support/e2e/product.ts'

describe('request id', () => {
  let collector: Collector
  beforeAll(async () => {
    collector = await startCollector()
  })
  afterAll(() => collector.stop())

  const credentials = encoded('tester', 'secret')

  /** Waits until a process has logged a message about a request. */
  const logged = (name: ProcessName, requestId: string, message: string): Promise<string> =>
    readUntil(
      async () => assay().logs(name),
      (logs) => new RegExp(`"requestId":"${requestId}".*"msg":"${message}"`).test(logs),
    )

  test('an execution is logged under the request id of its caller by every process', async () => {
    const requestId = `build-${randomUUID()}`
    const headers = { credentials, 'x-request-id': requestId }
    const callbackUrl = encodeURIComponent(collector.url)
    const answer = await execute(
      `/execute/tax-table?synchron=true&callbackUrl=${callbackUrl}`,
      headers,
    )
    expect(answer.headers.get('x-request-id')).toBe(requestId)
    const { gateway, testExecution, runner, events } = assay().parts
    await logged(gateway, requestId, 'Request')
    await logged(testExecution, requestId, 'Operation')
    await logged(runner, requestId, 'Execution begins')
    await logged(runner, requestId, 'Execution ended')
    await logged(events, requestId, 'Execution counted')
    await logged(runner, requestId, 'Callback delivered')
  })

  test('a query over both subgraphs is logged by both', async () => {
    const requestId = `dashboard-${randomUUID()}`
    const { headers } = await ask(
      '{ testCase(id: "tax-table") { name events { totalCount } } }',
      {},
      { 'x-request-id': requestId },
    )
    expect(headers.get('x-request-id')).toBe(requestId)
    for (const name of [assay().parts.testExecution, assay().parts.events])
      await logged(name, requestId, 'Operation')
  })

  test('without an id, or with one that is unusable, every request gets a new one', async () => {
    const ids = new Set<string>()
    for (const given of [undefined, undefined, 'with blanks', 'x'.repeat(500)]) {
      const answer = await call('GET', '/result/no-such-id', {
        headers: given ? { 'x-request-id': given } : {},
      })
      const { requestId } = expectError(answer, 404, 'NOT_FOUND')
      expect(answer.headers.get('x-request-id')).toBe(requestId)
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
      ids.add(requestId)
    }
    expect(ids.size).toBe(4)
  })

  test('host credentials stand in no log line, wherever they went wrong', async () => {
    const password = `pw-${randomUUID()}`
    const given = encoded('tester', password)
    await execute('/execute/tax-table?synchron=true', { credentials: given })
    await execute('/execute/no-such-id', { credentials: given })
    await execute('/execute/tax-table', { credentials: `Basic ${given}` })
    await execute('/execute/tax-table', { credentials: encodeURIComponent(given) })
    await ask(
      'mutation ($input: ExecuteInput!) { execute(input: $input) { id nonsense } }',
      { input: { contextId: 'tax-table', credentials: { userId: 'tester', password } } },
      { authorization: `Basic ${given}` },
    )
    await ask('mutation ($input: ExecuteInput!) { execute(input: $input) { id } }', {
      input: { contextId: 'tax-table', wait: true, credentials: { userId: 'tester', password } },
    })
    await ask('mutation ($input: ExecuteInput!) { execute(input: $input) { id } }', {
      input: { contextId: 'tax-table', credentials: { userId: 7, password } },
    })
    await accept({ title: newTitle() })
    for (const secret of [password, given, encodeURIComponent(given)])
      expect(assay().logs()).not.toContain(secret)
  })
})
