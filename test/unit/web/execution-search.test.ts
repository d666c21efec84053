import {
  executionSearch,
  filterOf,
  isFiltered,
  isInState,
} from '../../../web/src/executions/search.ts'
import { knownSort, nextSort, sortInput } from '../../../web/src/ui/sort.ts'

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

test('an order in the address is no filter, and one that no column has is left out', () => {
  const search = executionSearch({ sort: '-durationMs' })
  expect(search).toEqual({ sort: '-durationMs' })
  expect(isFiltered(search)).toBe(false)
  expect(isFiltered(executionSearch({ sort: 'name', state: 'FAILED' }))).toBe(true)
  const columns = [{ sortedBy: '-durationMs' }, {}]
  expect(knownSort(search, columns)).toBe('-durationMs')
  expect(knownSort({ sort: 'durationMs' }, columns)).toBe('durationMs')
  expect(knownSort({ sort: 'password' }, columns)).toBeUndefined()
  expect(executionSearch({ sort: 'name; drop' })).toEqual({})
})

test('a column sorts in its own direction first, then in the other', () => {
  expect(nextSort('-started', 'name')).toBe('-started')
  expect(nextSort('-started', '-started')).toBe('started')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(sortInput('-started')).toEqual([{ attribute: 'started', direction: 'DESC' }])
})
