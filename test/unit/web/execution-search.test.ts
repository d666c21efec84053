import { executionSearch, filterOf, isInState } from '../../../web/src/executions/search.ts'

const states = (...state: string[]) => {
  const { states, errorCodes } = filterOf(executionSearch({ state }), 0)
  return [states, errorCodes]
}

test('cancelled executions are filtered beside others and alone', () => {
  expect(states('CANCELLED')).toEqual([['ERROR'], [null, 'CANCELLED']])
  expect(states('FAILED', 'CANCELLED')).toEqual([
    ['FAILED', 'ERROR'],
    [null, 'CANCELLED'],
  ])
  expect(states('ERROR', 'CANCELLED')).toEqual([['ERROR', 'ERROR'], null])
  expect(states('ERROR')).toEqual([['ERROR'], null])
  expect(states('nonsense')).toEqual([null, null])
})

test.each([
  [[], 'RUNNING', null, true],
  [['CANCELLED'], 'ERROR', 'CANCELLED', true],
  [['CANCELLED'], 'ERROR', 'TIMEOUT', false],
  [['ERROR'], 'ERROR', 'CANCELLED', true],
  [['FAILED'], 'ERROR', 'CANCELLED', false],
] as const)('with %j chosen, %s with the code %s is shown: %s', (state, is, errorCode, isShown) => {
  expect(isInState(executionSearch({ state }), { state: is, errorCode })).toBe(isShown)
})

test('scenarios of suites are left out, but not of one that is named', () => {
  expect(filterOf({}, 0).startedBy).toBeNull()
  expect(filterOf(executionSearch({ origin: 'EDITOR' }), 0).startedBy).toEqual(['EDITOR'])
  expect(filterOf({}, 0).isMember).toBe(false)
  expect(filterOf({ members: true }, 0).isMember).toBe(null)
  expect(filterOf({ context: 'tax-table' }, 0).isMember).toBe(null)
})
