import type { StepResult, ValidationFailure } from '../../../runner/run/run-scenario.ts'
import { causeOf } from '../../../subgraphs/test-execution/executions/causes/cause.ts'
import { changesBetween } from '../../../subgraphs/test-execution/executions/causes/failing-since.ts'
import { withoutValues } from '../../../subgraphs/test-execution/executions/causes/without-values.ts'
import type { Cause } from '../../../subgraphs/test-execution/executions/execution.ts'

test.each([
  [
    'Expected that $.total equals 200, but it is 199.5',
    'Expected that $.total equals #, but it is #',
  ],
  ['Expected 1e400 to be -3', 'Expected # to be #'],
  ['order-12 is not in [1, 2, 3]', 'order-# is not in [#]'],
  ["KeyError: 'lucy' isn't there", "KeyError: <value> isn't there"],
  ['expected "a \\"b\\" c" but got “d”', 'expected <value> but got <value>'],
  ['expected <1> but was <22>', 'expected <#> but was <#>'],
  ['run 0198d3a2-6f1e-7b60-8c55-2f1d9a7e4c11 failed', 'run <id> failed'],
  ['commit 5f2c0f0e6d1b is gone, sized 12345678', 'commit <id> is gone, sized #'],
  ['at 2026-01-31T08:15:00.250Z it ended', 'at <time> it ended'],
  ['at 2026-01-31 08:15:00,250 +0100 it ended', 'at <time> it ended'],
  ['since Sun, 29 Nov 2026 08:15:00 GMT it fails', 'since <time> it fails'],
  ['since Sun Nov 29 2026 08:15:00 GMT+0100 it fails', 'since <time> it fails'],
  ['since Sun Nov  1 08:15:00 2026 it fails', 'since <time> it fails'],
  ['since Nov 29, 2026 it fails', 'since <time> it fails'],
  ['since 29-Nov-2026 08:15:00 it fails', 'since <time> it fails'],
  ['May 2 customers order?', '<time> customers order?'],
  ['no answer within 950ms', 'no answer within <duration>'],
  ['no answer within 1m30.5s', 'no answer within <duration>'],
  ['No such customer: cus_9s6XKzkNRiz8i3', 'No such customer: cus_<id>'],
  ['checkout-7d9f8b6c5d-x2x9k is not ready', 'checkout-<id> is not ready'],
  ['step checkout-v2-first of k8s and http2', 'step checkout-v#-first of k#s and http#'],
  ['[08:15:00.250] no answer', '[<time>] no answer'],
  ['GET https://shop.example:8443/orders/77?x=1: refused', 'GET https://shop.example:# refused'],
  ['\u001b[31mAssertionError\u001b[39m: 4', 'AssertionError: #'],
  ['boom\n    at run (/app/x.js:3:4)\n    at main', 'boom'],
  ['Failed\nTraceback (most recent call last):\n  File "x.py"', 'Failed'],
  [
    'java.lang.IllegalStateException: no\n\tat com.a.B.c(B.java:7)',
    'java.lang.IllegalStateException: no',
  ],
  ['  several\n  lines  ', 'several lines'],
  ['', ''],
])('of %j counts %j', (message, expected) => {
  expect(withoutValues(message)).toBe(expected)
})

test('a message of any length takes no longer than its beginning', () => {
  const began = performance.now()
  for (const each of ["'", '"', '#,', '1', 'a1', '\n at ', '2026-', ' '])
    withoutValues(each.repeat(1_000_000))
  expect(performance.now() - began).toBeLessThan(5_000)
})

const step = (more: Partial<StepResult>): StepResult => ({
  ...{ id: 'read', path: 'read', name: 'Read the order', kind: 'http', state: 'FAILED' },
  ...{ started: new Date(0), ended: new Date(1), durationMs: 1, message: 'no' },
  ...more,
})

const exchange = (status: number | null, url = 'http://shop:8080/orders/1') => ({
  request: { method: 'GET', url, headers: {}, body: null, bodyLength: 0 },
  response: status === null ? null : { status, headers: {}, body: null, bodyLength: 0 },
  durationMs: 1,
})

const failure = (more: Partial<ValidationFailure> = {}): ValidationFailure => ({
  ...{ name: '$.total equals', message: 'Expected that $.total equals 3, but it is 4' },
  ...{ stepId: 'read', path: '$.total', assert: 'equals', expectedValue: 3, actualValue: 4 },
  datasetRow: null,
  ...more,
})

type Ended = Parameters<typeof causeOf>[1]
const OF: Parameters<typeof causeOf>[0] = { type: 'TEST', startedBy: 'USER', revisions: [] }

const cause = (
  ended: Partial<Ended>,
  of: Partial<Parameters<typeof causeOf>[0]> = {},
): Cause | null =>
  causeOf(
    { ...OF, ...of },
    { state: 'FAILED', message: '', errorCode: null, steps: [], validationFailures: [], ...ended },
  )

const unmet = (steps: StepResult[], more: Partial<ValidationFailure> = {}) =>
  cause({ steps, validationFailures: [failure(more)] })

test('failures of one expectation are alike whatever the values were', () => {
  const one = unmet([step({})])
  expect(one).toMatchObject({
    fault: 'EXPECTATION',
    step: 'Read the order',
    expectation: '$.total equals',
    message: 'Expected that $.total equals #, but it is #',
  })
  expect(one?.id).toMatch(/^[\da-f]{32}$/)
  const message = 'Expected that $.total equals 3, but it is {"a":1}'
  expect(unmet([step({})], { message, actualValue: {} })?.id).toBe(one?.id)
  expect(unmet([step({})], { path: '$.tax' })?.id).not.toBe(one?.id)
  expect(unmet([step({})], { assert: 'isNumber' as 'equals' })?.id).not.toBe(one?.id)
  expect(unmet([step({ name: 'Read the bill' })])?.id).not.toBe(one?.id)
})

test('a service that is broken is one cause, however scenarios notice it', () => {
  const one = unmet([step({ exchange: exchange(503) })])
  expect(one).toMatchObject({ fault: 'HTTP_503', step: 'shop:8080', expectation: '' })
  const other = {
    id: 'pay',
    path: 'row[1]/pay',
    name: 'Pay',
    exchange: exchange(503, 'http://shop:8080/pay'),
  }
  const noticed = { stepId: 'pay', path: '$.status', message: 'Expected that $.status equals 200' }
  expect(unmet([step({}), step(other)], noticed)?.id).toBe(one?.id)
  expect(unmet([step({ exchange: exchange(401) })])).toMatchObject({ step: 'shop:8080' })
  expect(unmet([step({ exchange: exchange(404) })])).toMatchObject({
    ...{ fault: 'HTTP_404', step: 'Read the order', expectation: '$.total equals' },
  })
  const silent = (name: string) =>
    cause({
      ...{ state: 'ERROR', errorCode: 'UNREACHABLE', message: 'shop:8080: refused' },
      steps: [step({ name, state: 'ERROR', exchange: exchange(null) })],
    })
  expect(silent('a')).toMatchObject({ fault: 'UNREACHABLE', step: 'shop:8080' })
  expect(silent('a')?.id).toBe(silent('b')?.id)
})

test('a component that throws is one cause; without one it is the innermost step', () => {
  const thrown = (name: string, message: string, components: string[]) =>
    cause(
      {
        ...{ state: 'ERROR', errorCode: 'SCRIPT_ERROR', message },
        steps: [
          step({ id: 'row[0]', path: 'row[0]', name: 'row', state: 'ERROR', message }),
          step({ id: 'opt', path: 'row[0]/opt', state: 'ERROR', isOptional: true }),
          step({ id: 'a', path: 'row[0]/a', name, state: 'ERROR', message }),
          step({ id: 'b', path: 'b', name: 'later', state: 'ERROR', message: 'other' }),
        ],
      },
      { revisions: components.map((id) => ({ kind: 'component', id, revision: 1 })) },
    )
  const text = 'TypeError: x is undefined (loans, line 7)'
  expect(thrown('a', text, ['loans'])).toMatchObject({
    ...{ fault: 'SCRIPT_ERROR', step: 'loans' },
    message: 'TypeError: x is undefined (loans, line #)',
  })
  expect(thrown('b', text, ['loans'])?.id).toBe(thrown('a', text, ['loans'])?.id)
  expect(thrown('a', text, ['loans', 'rates'])).toMatchObject({ step: 'a' })
  expect(thrown('a', 'RangeError: no', ['loans'])?.id).not.toBe(thrown('a', text, ['loans'])?.id)
})

test('an expectation that was not met before a step was an ERROR is the cause', () => {
  const one = unmet([step({})])
  const later = step({ id: 'b', path: 'b', name: 'later', state: 'ERROR', message: 'no name' })
  const of = (steps: StepResult[]) =>
    cause({
      ...{ state: 'ERROR', errorCode: 'UNKNOWN_NAME', message: 'no name', steps },
      validationFailures: [failure()],
    })
  expect(of([step({}), later])?.id).toBe(one?.id)
  expect(of([later, step({})])).toMatchObject({ fault: 'UNKNOWN_NAME', step: 'later' })
})

test('what a tool reported goes by its message', () => {
  const reported = (message: string) =>
    cause({ message, validationFailures: [failure({ assert: 'test', stepId: '', message })] })
  const one = reported('ConnectionError: refused after 3 tries')
  expect(one).toMatchObject({
    fault: 'TEST',
    step: '',
    message: 'ConnectionError: refused after # tries',
  })
  expect(reported('ConnectionError: refused after 9 tries')?.id).toBe(one?.id)
  expect(reported('KeyError')?.id).not.toBe(one?.id)
  const suite = {
    state: 'ERROR',
    errorCode: 'REPORTED_ERROR',
    message: 'The tool ended with 2',
  } as const
  expect(cause(suite, { type: 'SUITE' })).toMatchObject({ message: 'The tool ended with #' })
})

test('no cause has a success, a cancel, a try of the editor, and a suite of scenarios', () => {
  expect(cause({ state: 'COMPLETED' })).toBeNull()
  expect(cause({ state: 'ERROR', errorCode: 'CANCELLED' })).toBeNull()
  expect(cause({ validationFailures: [failure()] }, { startedBy: 'EDITOR' })).toBeNull()
  expect(cause({ message: 'Of 3 scenarios 1 failed' }, { type: 'SUITE' })).toBeNull()
})

test('changes name artifacts, environments and labels that differ', () => {
  const of = (component: number, environmentId: string | null, build: string) => ({
    revisions: [
      { kind: 'testcase', id: 'a', revision: 1 },
      { kind: 'component', id: 'b', revision: component },
    ],
    environmentId,
    labels: { build },
  })
  expect(changesBetween(of(1, 'x', '7'), of(2, 'x', '7'))).toEqual([
    { kind: 'component', name: 'b', before: '1', after: '2' },
  ])
  expect(changesBetween(of(1, 'x', '7'), of(1, 'y', '8'))).toEqual([
    { kind: 'environment', name: 'x', before: '', after: null },
    { kind: 'label', name: 'build', before: '7', after: '8' },
    { kind: 'environment', name: 'y', before: null, after: '' },
  ])
})
