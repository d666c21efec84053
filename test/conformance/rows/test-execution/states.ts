import { create, RESOURCES, send } from '../../artifacts.ts'
import { executeWithCallback, withCollector } from '../../callbacks.ts'
import { call, expectError, readUntil } from '../../calls.ts'
import { withStore } from '../../configured.ts'
import {
  asynchronousRun,
  execute,
  readResult,
  SCENARIOS,
  type Scenario,
  synchronousRun,
  TIMESTAMP,
} from '../../executions.ts'
import { withPause } from '../../gated.ts'
import { inSection } from '../../row.ts'

/** Asserts that a scenario reaches `state`, whether or not the caller waits. */
async function expectEnd(scenario: Scenario, state: string): Promise<void> {
  for (const run of [await synchronousRun(scenario), await asynchronousRun(scenario)])
    expect(run.simple).toMatchObject({ state, ended: expect.stringMatching(TIMESTAMP) })
}

export const states = inSection('TX', 'States and transitions', [
  {
    id: 'TX-61',
    rule: 'An asynchronous execution MUST be RUNNING in the answer, with a new id and with ended and message null.',
    check: async () => {
      for (const query of ['', '?synchron=false']) {
        const { status, body } = await execute(`/testcase/loan-schedule/execute${query}`)
        expect(status).toBe(200)
        expect(body).toMatchObject({ state: 'RUNNING', ended: null, message: null })
        expect(body.id).not.toBe((await asynchronousRun('loan-schedule')).start.body.id)
      }
    },
  },
  {
    id: 'TX-62',
    rule: 'With synchron=true the answer MUST come after the end and carry the final state.',
    check: async () => {
      const { start, simple } = await synchronousRun('loan-schedule')
      expect(start.body).toEqual(simple)
      expect(start.body).toMatchObject({
        state: 'COMPLETED',
        ended: expect.stringMatching(TIMESTAMP),
      })
    },
  },
  {
    id: 'TX-63',
    rule: 'An execution MUST end COMPLETED, with ended set, when everything verified.',
    check: () => expectEnd('loan-schedule', 'COMPLETED'),
  },
  {
    id: 'TX-64',
    rule: 'An execution MUST end FAILED, with ended set, when data did not verify.',
    check: () => expectEnd('tax-table', 'FAILED'),
  },
  {
    id: 'TX-65',
    rule: 'An execution MUST end ERROR, with ended set, when something technical went wrong.',
    check: () => expectEnd('shipping-quote', 'ERROR'),
  },
  {
    id: 'TX-66',
    rule: 'A final state MUST stay: reading again gives the same result.',
    check: async () => {
      const { simple } = await synchronousRun('tax-table')
      expect((await readResult(simple.id)).body).toEqual(simple)
    },
  },
  {
    id: 'TX-67',
    rule: 'The end of an execution that was started with a callbackUrl MUST be followed by the callback.',
    check: () =>
      withCollector(async (collector) => {
        for (const [n, scenario] of SCENARIOS.entries()) {
          const id = await executeWithCallback(collector.url, scenario)
          const { body } = (await collector.received(n + 1))[n] ?? {}
          expect(JSON.parse(body ?? '')).toMatchObject({
            id,
            state: expect.not.stringMatching(/^RUNNING$/),
          })
        }
      }),
  },
  {
    id: 'TX-68',
    rule: 'A suite MUST be ERROR if a member is ERROR, else FAILED if a member is FAILED, else COMPLETED; an empty one is refused with 409.',
    check: async () => {
      for (const [members, state] of [
        [['loan-schedule'], 'COMPLETED'],
        [['loan-schedule', 'tax-table'], 'FAILED'],
        [['tax-table', 'shipping-quote', 'loan-schedule'], 'ERROR'],
      ] as const) {
        const { id } = await create('suite', { testCases: members, maxParallel: 3 })
        const { body } = await execute(`/suite/${id}/execute?synchron=true`)
        expect(body.state).toBe(state)
      }
      const { id } = await create('suite', { testCases: [] })
      expectError(await execute(`/suite/${id}/execute`), 409, 'CONFLICT')
    },
  },
  {
    id: 'TX-174',
    rule: 'With haltAtFailure the members that never began MUST be absent from testCaseResults, counted in message and skipped in JUnit XML.',
    check: async () => {
      const members = ['tax-table', 'loan-schedule', 'currency-exchange']
      const { id } = await create('suite', { testCases: members, haltAtFailure: true })
      const { body } = await execute(`/suite/${id}/execute?synchron=true`)
      expect(body.testCaseResults.map(({ contextId }) => contextId)).toEqual(['tax-table'])
      expect(body.message).toBe('1 of 3 scenarios failed, 2 did not run')
      const junit = await call<string>('GET', `/result/${body.id}/details?format=junit`)
      expect(junit.body).toContain('tests="3" failures="1" errors="0" skipped="2"')
      expect(junit.body.match(/<skipped /g)).toHaveLength(2)
    },
  },
  {
    id: 'TX-69',
    rule: 'An execution MUST run on the scenario as it was when accepted, whatever is edited or deleted meanwhile.',
    check: () =>
      withPause(
        async ({
          attributes: {
            environment,
            scenario: {
              steps: [pause],
            },
          },
          open,
        }) => {
          const one = {
            id: 'one',
            call: { function: 'one' },
            expect: [{ path: '$', assert: 'equals', value: 1 }],
          }
          const component = await create('component')
          const attributes = {
            componentUnderTest: component.id,
            environment,
            scenario: { steps: [pause, one] },
          }
          const [edited, deleted] = await Promise.all([
            create('testcase', attributes),
            create('testcase', attributes),
          ])
          const runs = await Promise.all(
            [edited, deleted].map(({ id }) => execute(`/testcase/${id}/execute`)),
          )
          const failing = [{ id: 'none', call: { function: 'none' } }]
          const change = { ...edited, scenario: { steps: failing } }
          expect((await send('PUT', `/testcase/${edited.id}`, change)).status).toBe(200)
          expect((await call('DELETE', `/testcase/${deleted.id}`)).status).toBe(204)
          for (const { body } of runs)
            expect((await readResult(body.id)).body.state).toBe('RUNNING')
          open()
          for (const { body } of runs) {
            const ended = await readUntil(
              () => readResult(body.id),
              ({ body }) => body.state !== 'RUNNING',
            )
            expect(ended.body.state).toBe('COMPLETED')
          }
        },
      ),
  },
  {
    id: 'TX-70',
    rule: 'An execution whose worker was lost MUST run once more, or be ERROR at once where rerunAfterCrash is false, with one verdict.',
    check: () =>
      withStore((assay, store) =>
        withPause(async ({ attributes, open }) => {
          const started: string[] = []
          for (const rerunAfterCrash of [true, false]) {
            const { id } = await create('testcase', { ...attributes, rerunAfterCrash })
            started.push((await execute(`/testcase/${id}/execute`)).body.id)
          }
          const running =
            'select 1 from test_execution.execution where attempt > 0 and id = any($1)'
          await readUntil(
            () => store.query(running, [started]),
            (rows) => rows.length === 2,
          )
          await assay.kill('server', 'SIGKILL')
          open()
          await assay.restart('server')
          for (const [id, state] of started.map((id, at) => [id, ['COMPLETED', 'ERROR'][at]])) {
            const { body } = await readUntil(
              () => readResult(String(id)),
              (answer) => answer.body.state !== 'RUNNING',
            )
            expect(body.state).toBe(state)
            const updates = await store.query(
              "select 1 from test_execution.execution_update where execution_id = $1 and kind = 'STATE'",
              [id],
            )
            expect(updates).toHaveLength(2) // RUNNING, and one verdict
          }
        }),
      ),
  },
  {
    id: 'TX-71',
    rule: 'An artifact itself MUST NOT have a state: only its results do.',
    check: async () => {
      await synchronousRun('tax-table')
      for (const { name } of RESOURCES)
        expect(Object.keys(await create(name))).not.toContain('state')
      expect((await call('GET', '/testcase/tax-table')).body).not.toHaveProperty('state')
    },
  },
])
