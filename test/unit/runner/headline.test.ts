import { headlineOf } from '../../../runner/run/headline.ts'
import type { StepResult, ValidationFailure } from '../../../runner/run/outcome.ts'

const step = (path: string, state: StepResult['state'], message = ''): StepResult => ({
  ...{ id: path.split('/').at(-1) ?? path, path, name: path, datasetRow: null, state, message },
  ...{ started: new Date(0), ended: new Date(0), durationMs: 0 },
  ...(state === 'ERROR' && { errorCode: 'UNREACHABLE' as const }),
})

const failure = (stepId: string): ValidationFailure => ({
  ...{ stepId, name: stepId, message: `${stepId} is 1, not 2`, path: '$', assert: 'equals' },
  ...{ expectedValue: 2, actualValue: 1, datasetRow: null },
})

const fault = { code: 'UNREACHABLE' as const }

test.each<[string, StepResult[], string[], string]>([
  ['a fault alone', [step('a', 'ERROR', 'No answer')], [], 'No answer'],
  [
    'an expectation before the fault',
    [step('a', 'FAILED'), step('b', 'ERROR', 'No answer')],
    ['a'],
    'a is 1, not 2. Then: No answer',
  ],
  [
    'an expectation of the teardown behind the fault',
    [step('a', 'ERROR', 'No answer'), step('z', 'FAILED')],
    ['z'],
    'No answer',
  ],
  [
    'an expectation before the fault, in one step',
    [step('p', 'ERROR', 'No answer'), step('p/a', 'FAILED'), step('p/b', 'ERROR', 'No answer')],
    ['a'],
    'a is 1, not 2. Then: No answer',
  ],
  ['a fault of no step', [step('a', 'FAILED'), step('b', 'ERROR', 'other')], ['a'], 'No answer'],
])('the headline of %s', (_, steps, failed, headline) => {
  const failures = failed.map(failure)
  expect(headlineOf({ fault, reason: 'No answer', failures, steps })).toBe(headline)
})

test('without a fault the first of the expectations that were not met is the headline', () => {
  const of = (...ids: string[]) =>
    headlineOf({ fault: null, reason: '', failures: ids.map(failure), steps: [] })
  expect(of()).toBe('')
  expect(of('a')).toBe('a is 1, not 2')
  expect(of('a', 'b')).toBe('2 expectations were not met. a is 1, not 2')
})
