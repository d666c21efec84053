import { jest } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { simpleResult } from '../../../formats/simple-result.ts'
import { createCallbackSigner } from '../../../subgraphs/test-execution/callbacks/callback.request.ts'
import type { Execution } from '../../../subgraphs/test-execution/executions/execution.entity.ts'
import { reportedTests } from '../../../subgraphs/test-execution/executions/read/reported-tests.ts'

const SECRET = `whsec_${Buffer.alloc(32, 'signing').toString('base64')}`
const NOW = new Date()

const ended = (id: string, more: Partial<Execution>): Execution => ({
  ...{
    id,
    type: 'TEST',
    contextId: id,
    contextName: id,
    state: 'FAILED',
    attempt: 1,
    updateCount: 2,
  },
  ...{ started: NOW, ended: NOW, errorCode: null, executedBy: 'me', useCodeCoverage: true },
  ...{ open: false, callback: null, requestId: 'r', suiteId: null, position: null, suite: null },
  ...{ detailsPruned: false, steps: [], validationFailures: [], codeCoverage: [] },
  ...{ labels: {}, environmentId: null, revisions: [], revisionDigest: '' },
  ...{ tries: [], isQuarantined: false, startedBy: 'USER', againOf: null, againId: null },
  ...{ causeId: null },
  message: 'Not "testCaseResults":[] at all',
  ...more,
})

const reports = (id: string, count: number) =>
  ended(id, {
    steps: Array.from({ length: count }, (_, at) => ({
      ...{
        id: `test[${at}]`,
        name: `Größe ${at}`,
        kind: 'test',
        state: at % 2 ? 'FAILED' : 'COMPLETED',
      },
      ...{ started: NOW, ended: NOW, durationMs: 1, message: 'x'.repeat(200) },
    })),
  })

/** As REST answers: everything in one object. */
const whole = (execution: Execution, members: readonly Execution[] = []): object =>
  simpleResult({
    ...execution,
    started: execution.started.toISOString(),
    ended: execution.ended?.toISOString() ?? null,
    testCaseResults: [...members, ...reportedTests(execution)].map((each) => whole(each) as never),
  })

/** Every look at the clock is past the end of a turn. */
const slowly = () => {
  let now = 0
  return jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000))
}

afterEach(() => jest.restoreAllMocks())

test('so it is where each piece takes a turn of its own', async () => {
  const looks = slowly()
  const members = [reports('a', 3), reports('b', 20)]
  const suite = { ...ended('s', { type: 'SUITE' }), members }
  const { body, headers } = await createCallbackSigner(SECRET)('d', suite, NOW)
  expect(looks.mock.calls.length).toBeGreaterThan(3 + 20)
  expect(body.toString()).toBe(JSON.stringify(whole(suite, members)))
  expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({ id: 's' })
})

test.each([
  ['a scenario', ended('a', {}), []],
  [
    'a suite of scenarios that reported tests',
    ended('s', { type: 'SUITE' }),
    [reports('a', 3), reports('b', 2_000)],
  ],
])(
  'the body for %s is the simple result, byte by byte, and signed',
  async (_, execution, members) => {
    const { body, headers } = await createCallbackSigner(SECRET)(
      'd',
      { ...execution, members },
      NOW,
    )
    expect(body.toString()).toBe(JSON.stringify(whole(execution, members)))
    expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({ id: execution.id })
  },
)
