import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { readUntil } from '../../conformance/calls.ts'
import { encoded, PASSWORD, USER_ID } from '../../conformance/executions.ts'
import { product } from '../../conformance/row.ts'
import { data } from '../../support/e2e/graph.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import { createSlowScenario } from '../../support/e2e/scenarios.ts'

useAssay()

describe('repeated', () => {
  const CALLS = 10
  const PAUSE_MS = 500

  /** A call whose connection ends has no status. */
  async function execute(id: string, key: string) {
    const headers = { credentials: encoded(USER_ID, PASSWORD), 'idempotency-key': key }
    const url = `${product().base}/testcase/${id}/execute?synchron=true`
    const response = await fetch(url, { method: 'POST', headers }).catch(() => null)
    const body = (await response?.json().catch(() => null)) as { id: string; state: string } | null
    return { status: response?.status, retryAfter: response?.headers.get('retry-after'), body }
  }

  /** Without a key, over both interfaces. */
  async function executeOnce(id: string, nth: number) {
    const headers = { credentials: encoded(USER_ID, PASSWORD), 'content-type': 'application/json' }
    const query = `mutation ($id: ID!) { execute(input: { contextId: $id, wait: true, credentials: { userId: "u", password: "p" } }) { id } }`
    const response = await (nth % 2
      ? fetch(`${product().base}/testcase/${id}/execute?synchron=true`, { method: 'POST', headers })
      : fetch(`${assay().url}/graphql`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify({ query, variables: { id } }),
        })
    ).catch(() => null)
    const body = (await response?.json().catch(() => null)) as Answer | null
    const { code, requestId } = body?.errors?.[0]?.extensions ?? body ?? {}
    return {
      status: response?.status,
      retryAfter: response?.headers.get('retry-after'),
      code,
      requestId,
    }
  }

  /** Response of both interfaces that is no result. */
  interface Answer {
    code?: string
    requestId?: string
    errors?: { extensions: { code?: string; requestId?: string } }[]
  }

  const started = async (contextId: string) => {
    const { executionResults } = await data<{ executionResults: { totalCount: number } }>(
      'query ($id: ID!) { executionResults(filter: { contextId: $id }) { totalCount } }',
      { id: contextId },
    )
    return executionResults.totalCount
  }

  test('a client that lost the answer of an execute gets its execution by the same key, and nothing ran twice', async () => {
    const { testExecution } = assay().parts
    const id = await createSlowScenario(PAUSE_MS)
    const keys = Array.from({ length: CALLS }, () => randomUUID())
    const lost = Promise.all(keys.map((key) => execute(id, key)))
    const other = await createSlowScenario(PAUSE_MS)
    const lostOnce = Promise.all(keys.map((_, nth) => executeOnce(other, nth)))
    await readUntil(
      () => started(id),
      (count) => count > 0,
    )
    await assay().kill(testExecution, 'SIGKILL')
    await assay().restart(testExecution)
    for (const { status, retryAfter } of await lost) {
      expect([200, 503, undefined]).toContain(status)
      if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    for (const { status, retryAfter, code, requestId } of await lostOnce) {
      // In one process the connection of the client ends, too.
      if (status === undefined) expect(assay().mode).toBe('in-process')
      if (status === undefined || code === undefined) continue
      expect(code).toMatch(/^(DOWNSTREAM_(ANSWER_LOST|UNREACHABLE|TIMEOUT)|OVERLOADED)$/)
      expect([Number(retryAfter) > 0, typeof requestId]).toEqual([true, 'string'])
    }
    const again = await Promise.all(keys.map((key) => untilAnswered(id, key)))
    for (const answer of again) expect(answer).toMatchObject({ state: 'COMPLETED' })
    expect(new Set(again.map((answer) => answer.id)).size).toBe(CALLS)
    expect(await started(id)).toBe(CALLS)
  })

  async function untilAnswered(id: string, key: string) {
    for (;;) {
      const { status, body } = await execute(id, key)
      if (status === 200 && body) return body
      expect([503, undefined]).toContain(status)
      await delay(250)
    }
  }
})
