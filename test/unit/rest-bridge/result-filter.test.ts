import { parseResultFilter } from '../../../rest-bridge/result-filter.ts'

const read = (filter: object, type?: string) =>
  parseResultFilter(
    { path: '/result', params: {}, query: { filter: JSON.stringify(filter) }, repeated: {} },
    type,
  )

const NOTHING = { states: [] }

test.each<[object, object]>([
  [{ type: 'suite' }, { type: 'SUITE' }],
  [{ type: ['TEST'] }, { type: 'TEST' }],
  [{ type: ['TEST', 'SUITE'] }, {}],
  [{ type: 'S*' }, { type: 'SUITE' }],
  [{ type: [] }, NOTHING],
  [{ type: 'X*' }, NOTHING],
  [{ state: 'FAI*' }, { states: ['FAILED'] }],
  [{ state: ['*r*r*', 'running'] }, { states: ['RUNNING', 'ERROR'] }],
  [{ state: 'COMPLETED\\*' }, NOTHING],
  [{ state: null }, NOTHING],
  [{ environment: null }, { environments: [null] }],
  [{ environment: [null, 'local'] }, { environments: [null, 'local'] }],
  [{ name: [null, 'a'] }, { names: ['a'] }],
  [{ startedBy: ['editor', 'AGAIN'] }, { startedBy: ['EDITOR', 'AGAIN'] }],
  [{ executedBy: null }, { executedBy: [] }],
  [{ id: ['x', 'y*'] }, { ids: ['x', 'y*'] }],
  [{ errorCode: [null, 'CANCELLED'] }, { errorCodes: [null, 'CANCELLED'] }],
  [{ message: '' }, { messages: [''] }],
  [{ useCodeCoverage: false }, { useCodeCoverage: false }],
  [{ labels: { a: null } }, { labels: [{ name: 'a', values: [null] }] }],
  [{ labels: { a: ['b*', 'c'] } }, { labels: [{ name: 'a', values: ['b*', 'c'] }] }],
  [{ ended: null }, { states: ['RUNNING'] }],
  [{ ended: null, state: ['RUNNING', 'ERROR'] }, { states: ['RUNNING'] }],
  [{ ended: null, state: 'ERROR' }, NOTHING],
  [{ started: null }, NOTHING],
  [{ started: { from: '2026-01-01T00:00:00+0000' } }, { startedFrom: '2026-01-01T00:00:00.000Z' }],
  [{ started: { from: '2026-01-01T01:00:00 0100' } }, { startedFrom: '2026-01-01T00:00:00.000Z' }],
  [{ started: { from: '2026-01-01T00:00:00-01:00' } }, { startedFrom: '2026-01-01T01:00:00.000Z' }],
])('%j is read as %j', (filter, expected) => {
  expect(read(filter)).toEqual(expected)
})

test.each<[object, string]>([
  [{ state: 'GREEN' }, 'filter.state: expected RUNNING, COMPLETED, FAILED, ERROR'],
  [{ type: ['TEST', 7] }, 'filter.type: expected a string or null'],
  [{ labels: { a: 1 } }, 'filter.labels.a: expected a string or null'],
  [{ text: null }, 'filter.text: expected a string'],
  [{ member: null }, 'filter.member: expected a boolean'],
  [{ started: { from: 'noon' } }, 'filter.started.from: expected a time in ISO 8601'],
])('%j is refused: %s', (filter, message) => {
  expect(() => read(filter)).toThrow(message)
})

test('a pattern of many stars is judged at once', () => {
  const pattern = `${'*e'.repeat(5_000)}${'*'.repeat(50_000)}x`
  expect(read({ state: pattern })).toEqual(NOTHING)
})

test.each<[object, object]>([
  [{}, { type: 'TEST' }],
  [{ type: 'test' }, { type: 'TEST' }],
  [{ type: ['TEST', 'SUITE'] }, { type: 'TEST' }],
  [{ type: 'SUITE' }, { type: 'SUITE', ...NOTHING }],
  [
    { type: 'SUITE', state: 'FAILED' },
    { type: 'SUITE', ...NOTHING },
  ],
])('%j of a list of results of scenarios is %j', (filter, expected) => {
  expect(read(filter, 'TEST')).toEqual(expected)
})
