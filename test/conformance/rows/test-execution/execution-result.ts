import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { create } from '../../artifacts.ts'
import { withCollector } from '../../callbacks.ts'
import { graphql } from '../../calls.ts'
import { withUsers } from '../../configured.ts'
import {
  asynchronousRun,
  encoded,
  execute,
  millisecondsOf,
  PASSWORD,
  RESULT_FIELDS,
  readResult,
  SCENARIOS,
  suiteRun,
  synchronousRun,
  TIMESTAMP,
  USER_ID,
} from '../../executions.ts'
import { inSection } from '../../row.ts'

/** Attributes of a scenario that calls a function and expects nothing. */
const CALL = {
  componentUnderTest: 'loan-schedule',
  scenario: {
    steps: [
      {
        id: 'call',
        call: {
          function: 'schedule',
          args: [{ principal: 1_000, annualRatePercent: 6, months: 12 }],
        },
      },
    ],
  },
}

export const executionResult = inSection('TX', 'Resources: execution result', [
  {
    id: 'TX-25',
    rule: 'The answer to a start and the simple result MUST have one shape: every documented field, and no other.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      for (const body of [start.body, simple, (await suiteRun('finance')).simple])
        expect(Object.keys(body).sort()).toEqual([...RESULT_FIELDS].sort())
    },
  },
  {
    id: 'TX-26',
    rule: 'id MUST be the result id, a string.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect(start.body.id).toMatch(/^[\w.~:-]{1,255}$/)
      expect(simple.id).toBe(start.body.id)
    },
  },
  {
    id: 'TX-27',
    rule: 'type MUST be TEST when a test case was executed.',
    check: async () => {
      for (const scenario of SCENARIOS)
        expect((await synchronousRun(scenario)).simple.type).toBe('TEST')
    },
  },
  {
    id: 'TX-28',
    rule: 'type MUST be SUITE when a suite was executed.',
    check: async () => {
      const { start, simple } = await suiteRun('finance')
      expect([start.body.type, simple.type]).toEqual(['SUITE', 'SUITE'])
    },
  },
  {
    id: 'TX-29',
    rule: 'contextId MUST be the id of the test case or suite that was executed.',
    check: async () => {
      for (const scenario of SCENARIOS)
        expect((await synchronousRun(scenario)).simple.contextId).toBe(scenario)
    },
  },
  {
    id: 'TX-30',
    rule: 'testCaseResults MUST be an array, empty for a test case.',
    check: async () => {
      for (const scenario of SCENARIOS)
        expect((await synchronousRun(scenario)).simple.testCaseResults).toEqual([])
    },
  },
  {
    id: 'TX-31',
    rule: 'testCaseResults of a suite MUST hold one whole execution result of type TEST per member.',
    check: async () => {
      const { simple } = await suiteRun('finance')
      expect(simple.testCaseResults).toHaveLength(2)
      for (const member of simple.testCaseResults) {
        expect(Object.keys(member).sort()).toEqual([...RESULT_FIELDS].sort())
        expect(member.type).toBe('TEST')
        expect((await readResult(member.id)).body).toEqual(member)
      }
    },
  },
  {
    id: 'TX-32',
    rule: 'state MUST be RUNNING, COMPLETED, FAILED or ERROR, in upper case.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { start, simple } = await asynchronousRun(scenario)
        expect(start.body.state).toBe('RUNNING')
        expect(simple.state).toMatch(/^(COMPLETED|FAILED|ERROR)$/)
      }
    },
  },
  {
    id: 'TX-33',
    rule: 'started MUST be a timestamp with milliseconds and the offset +0000, near the time of the call and the same ever after.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect(start.body.started).toMatch(TIMESTAMP)
      expect(simple.started).toBe(start.body.started)
      expect(Math.abs(Date.now() - millisecondsOf(simple.started))).toBeLessThan(300_000)
    },
  },
  {
    id: 'TX-34',
    rule: 'ended MUST be null while the execution runs, afterwards a timestamp of the same format that is not before started.',
    check: async () => {
      for (const scenario of SCENARIOS) {
        const { start, simple } = await asynchronousRun(scenario)
        expect(start.body.ended).toBeNull()
        expect(simple.ended).toMatch(TIMESTAMP)
        expect(millisecondsOf(simple.ended)).toBeGreaterThanOrEqual(millisecondsOf(simple.started))
      }
    },
  },
  {
    id: 'TX-35',
    rule: 'message MUST be null while the execution runs, the empty string after success, and the reason after a technical error.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect(start.body.message).toBeNull()
      expect(simple.message).toBe('')
      expect((await synchronousRun('tax-table')).simple.message).toEqual(expect.any(String))
      expect((await synchronousRun('shipping-quote')).simple.message).toMatch(/\S/)
    },
  },
  {
    id: 'TX-36',
    rule: 'executedBy MUST name who ran it: without a sign-in the user id of the host credentials.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect([start.body.executedBy, simple.executedBy]).toEqual([USER_ID, USER_ID])
    },
  },
  {
    id: 'TX-37',
    rule: 'executedBy MUST be the signed-in user where there is one, and anonymous where there are neither user nor credentials; a user id that nothing has verified MUST NOT be shown where users sign in.',
    check: async () => {
      const users = await withUsers()
      const headers = { ...basic(ADMIN, ADMIN_PASSWORD), credentials: encoded(USER_ID, PASSWORD) }
      const signedIn = await users.rest('POST', '/execute/loan-schedule', headers)
      expect(signedIn.body.executedBy).toBe(ADMIN)
      const { id } = await create('testcase', { allowExecuteWithoutCredentials: true })
      expect((await execute(`/noauth/execute/${id}`, {})).body.executedBy).toBe('anonymous')
      const open = await users.openScenario()
      const forged = { credentials: encoded(ADMIN, PASSWORD) }
      const begun = await users.rest('POST', `/noauth/execute/${open}`, forged)
      expect(begun).toMatchObject({ status: 200, body: { executedBy: 'anonymous' } })
    },
  },
  {
    id: 'TX-400',
    rule: 'Host credentials that are empty in the graph, as for a host that asks for none, MUST be taken: steps send none, and executedBy is anonymous.',
    check: () =>
      withCollector(async (collector) => {
        const { id: environment } = await create('environment', { baseUrl: collector.url })
        const { id: contextId } = await create('testcase', {
          environment,
          componentUnderTest: null,
          scenario: { steps: [{ id: 'only', http: { url: '/' } }] },
        })
        const RUN = `mutation ($input: ExecuteInput!) { execute(input: $input) { state executedBy } }`
        for (const [userId, sent] of [
          ['', undefined],
          ['tester', expect.stringMatching(/^Basic /)],
        ]) {
          const input = { contextId, wait: true, credentials: { userId, password: '' } }
          expect(await graphql(RUN, { input })).toEqual({
            execute: { state: 'COMPLETED', executedBy: userId || 'anonymous' },
          })
          expect(collector.requests.at(-1)?.headers.authorization).toEqual(sent)
        }
      }),
  },
  {
    id: 'TX-38',
    rule: 'validationFailures MUST be an array that is empty when nothing failed to verify.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect([start.body.validationFailures, simple.validationFailures]).toEqual([[], []])
    },
  },
  {
    id: 'TX-39',
    rule: 'Each of the validationFailures MUST have name, message, stepId, path, assert, expectedValue, actualValue and datasetRow.',
    check: async () => {
      const { simple } = await synchronousRun('tax-table')
      expect(simple.validationFailures).not.toEqual([])
      for (const failure of simple.validationFailures) {
        expect(Object.keys(failure).sort()).toEqual(
          [
            'actualValue',
            'assert',
            'datasetRow',
            'expectedValue',
            'message',
            'name',
            'path',
            'stepId',
          ].sort(),
        )
        expect(failure.actualValue).not.toEqual(failure.expectedValue)
      }
    },
  },
  {
    id: 'TX-40',
    rule: 'useCodeCoverage MUST be a boolean: whether coverage was collected, which is the default.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect([start.body.useCodeCoverage, simple.useCodeCoverage]).toEqual([true, true])
    },
  },
  {
    id: 'TX-41',
    rule: 'A scenario that switches useCodeCoverage off MUST have an empty codeCoverage.',
    check: async () => {
      const { id } = await create('testcase', { useCodeCoverage: false, ...CALL })
      const { body } = await execute(`/testcase/${id}/execute?synchron=true`)
      expect(body).toMatchObject({ state: 'COMPLETED', useCodeCoverage: false, codeCoverage: [] })
    },
  },
  {
    id: 'TX-310',
    rule: 'useCodeCoverage of an ended execution MUST be false where no coverage was collected.',
    check: async () => {
      const steps = [{ id: 'pause', wait: { ms: 1 } }]
      const { id } = await create('testcase', { scenario: { steps } })
      const { body } = await execute(`/testcase/${id}/execute?synchron=true`)
      expect(body).toMatchObject({ state: 'COMPLETED', useCodeCoverage: false, codeCoverage: [] })
    },
  },
  {
    id: 'TX-42',
    rule: 'codeCoverage MUST be an array, empty while the execution runs, with an element per covered component afterwards.',
    check: async () => {
      const { start, simple } = await asynchronousRun('loan-schedule')
      expect(start.body.codeCoverage).toEqual([])
      expect(simple.codeCoverage).toHaveLength(1)
    },
  },
  {
    id: 'TX-43',
    rule: 'Elements of codeCoverage in the simple result MUST have exactly componentName and coveragePercentage.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      for (const element of simple.codeCoverage)
        expect(Object.keys(element).sort()).toEqual(['componentName', 'coveragePercentage'])
    },
  },
  {
    id: 'TX-44',
    rule: 'componentName MUST be the name of the covered component, not its id.',
    check: async () => {
      const names = async (scenario: (typeof SCENARIOS)[number]) =>
        (await synchronousRun(scenario)).simple.codeCoverage.map((c) => c.componentName)
      expect(await names('loan-schedule')).toEqual(['Loan schedule'])
      expect(await names('tax-table')).toEqual(['Tax table'])
    },
  },
  {
    id: 'TX-45',
    rule: 'coveragePercentage MUST be an integer from 0 to 100.',
    check: async () => {
      for (const scenario of ['loan-schedule', 'tax-table'] as const)
        for (const { coveragePercentage } of (await synchronousRun(scenario)).simple.codeCoverage) {
          expect(Number.isInteger(coveragePercentage)).toBe(true)
          expect(coveragePercentage).toBeGreaterThan(0)
          expect(coveragePercentage).toBeLessThanOrEqual(100)
        }
    },
  },
  {
    id: 'TX-46',
    rule: 'A component without any executable line MUST count as covered by 100 percent.',
    check: async () => {
      const sourceCode = 'export function schedule() {}\n'
      const component = await create('component', { sourceCode })
      const { id } = await create('testcase', { ...CALL, componentUnderTest: component.id })
      const { body } = await execute(`/testcase/${id}/execute?synchron=true`)
      expect(body.state).toBe('COMPLETED')
      expect(body.codeCoverage).toEqual([
        { componentName: component.name, coveragePercentage: 100 },
      ])
    },
  },
])
