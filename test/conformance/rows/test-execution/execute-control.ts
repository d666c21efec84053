import { randomUUID } from 'node:crypto'
import { create } from '../../artifacts.ts'
import { expectError, call as request } from '../../calls.ts'
import {
  execute as call,
  type ExecutionResult,
  encoded,
  PASSWORD,
  readResult,
  USER_ID,
} from '../../executions.ts'
import { inSection } from '../../row.ts'

/** Repeating and cancelling executions. */
export const executeControl = inSection('TX', 'Endpoints: execute', [
  {
    id: 'TX-190',
    rule: 'Every execute route MUST take an Idempotency-Key: the same key gets the same result id and starts nothing twice, also concurrently; another request under it is refused with 422.',
    check: async () => {
      for (const path of [
        '/testcase/loan-schedule/execute',
        '/suite/finance/execute',
        '/execute/tax-table',
        '/noauth/execute/loan-schedule',
        '/noauth/testcases/execute?componentName=Loan%20schedule&environmentId=local',
      ]) {
        const headers = {
          credentials: encoded(USER_ID, PASSWORD),
          'idempotency-key': `TX-190 ${randomUUID()}`,
        }
        const answers = await Promise.all([1, 2, 3].map(() => call(path, headers)))
        const waited = await call(`${path}${path.includes('?') ? '&' : '?'}synchron=true`, headers)
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
        expect(new Set([...answers, waited].map(({ body }) => body.id)).size).toBe(1)
        expect(waited.body.state).not.toBe('RUNNING')
        expectError(await call('/execute/currency-exchange', headers), 422, 'IDEMPOTENCY_MISMATCH')
      }
    },
  },
  {
    id: 'TX-191',
    rule: 'POST /result/{id}/cancel MUST end an execution that runs, and refuse with 409 one that has ended.',
    check: async () => {
      const { id } = await create('testcase', {
        scenario: { steps: [{ id: 'pause', wait: { ms: 60_000 } }] },
      })
      const { body } = await call(`/testcase/${id}/execute`)
      const cancel = (reason = '') =>
        request<ExecutionResult>('POST', `/result/${body.id}/cancel${reason}`)
      expect(await cancel('?reason=aborted')).toMatchObject({
        status: 200,
        body: { id: body.id, state: 'ERROR', message: 'Cancelled by anonymous: aborted' },
      })
      expect(await readResult(body.id)).toMatchObject({ body: { state: 'ERROR' } })
      expectError(await cancel(), 409, 'CONFLICT')
      expectError(await request('POST', '/result/no-such-id/cancel'), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'TX-274',
    rule: 'label, environmentId, tag and skipTag without a value MUST count as absent on execute routes; a label without = MUST be refused with 400.',
    check: async () => {
      for (const path of ['/testcase/loan-schedule/execute', '/suite/finance/execute'])
        for (const query of ['label=', 'environmentId=', 'tag=', 'skipTag=', 'label=&label=a=b']) {
          const { status } = await call(`${path}?${query}`)
          expect({ path, query, status }).toEqual({ path, query, status: 200 })
        }
      const bare = await call('/testcase/loan-schedule/execute?label=nightly')
      expectError(bare, 400, 'BAD_USER_INPUT')
    },
  },
])
