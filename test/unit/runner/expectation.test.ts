import { type Expectation, judge } from '../../../runner/expectations/expectation.ts'

const LOAN = {
  rates: [
    { no: 1, due: '2026-01-31', sum: 100.5 },
    { no: 2, due: '2026-02-28', sum: 99 },
  ],
  paid: null,
  ok: true,
  text: 'Zürich',
}

const row = (path: string, assert: Expectation['assert'], value?: unknown) => ({
  path,
  assert,
  value,
})

test.each([
  row('$.rates[0].sum', 'equals', 100.5),
  row('$.rates[0]', 'equals', { sum: 100.5, due: '2026-01-31', no: 1 }),
  row('$.rates[*].no', 'equals', [1, 2]),
  row('$.paid', 'equals', null),
  row('$.rates[1].sum', 'notEquals', '99'),
  row('$.text', 'contains', 'ür'),
  row('$.rates[*].no', 'contains', 2),
  row('$.rates[0]', 'contains', { no: 1 }),
  row('$.rates[0].due', 'matches', '^\\d{4}-01-\\d\\d$'),
  row('$.rates[0].due', 'lessThan', '2026-02-01'),
  row('$.rates[1].sum', 'lessThan', 99.5),
  row('$.rates[1].sum', 'lessThanOrEqual', 99),
  row('$.rates[1].sum', 'greaterThan', 98),
  row('$.rates[1].sum', 'greaterThanOrEqual', 99),
  row('$.rates', 'count', 2),
  row('$.rates[*]', 'count', 2),
  row('$.rates[?@.sum > 99.5]', 'count', 1),
  row('$.missing', 'count', 0),
  row('$.missing', 'exists', false),
  row('$.paid', 'exists'),
  row('$.rates[?@.no == 2]', 'exists'),
  row('$.rates[?@.no == 7]', 'exists', false),
  row('$.rates[?@.no == 7]', 'equals', []),
  row('$.rates[?@.no == 7]', 'count', 0),
  row('$..zzz', 'exists', false),
  row('$', 'type', 'object'),
  row('$.rates', 'type', 'array'),
  row('$.rates[0].no', 'type', 'integer'),
  row('$.rates[0].no', 'type', 'number'),
  row('$.rates[0].sum', 'type', 'number'),
  row('$.paid', 'type', 'null'),
  row('$', 'durationMs', 20),
])('$path $assert $value holds', (expectation) => {
  expect(judge(expectation, LOAN, { durationMs: 20 })).toBeNull()
})

test.each([
  [
    row('$.rates[0].sum', 'equals', 100),
    'Expected that $.rates[0].sum equals 100, but it is 100.5',
  ],
  [row('$.rates[0].sum', 'equals', '100.5'), 'but it is 100.5'],
  [row('$.missing', 'equals', null), 'Expected that $.missing equals null, but it is nothing'],
  [row('$.rates[0]', 'equals', { no: 1 }), 'but it is {"no":1,'],
  [row('$.paid', 'notEquals', null), 'differs from null'],
  [row('$.text', 'lessThan', 5), 'is less than 5, but it is "Zürich"'],
  [row('$.ok', 'contains', true), 'contains true, but it is true'],
  [row('$.rates', 'count', 3), 'has the count 3, but it is 2'],
  [row('$.rates[0].sum', 'type', 'integer'), 'is of type "integer", but it is "number"'],
  [row('$.missing', 'type', 'null'), 'is of type "null", but it is nothing'],
  [row('$.missing', 'exists'), 'Expected that $.missing exists:, but it is false'],
  [row('$.paid', 'exists', false), 'exists: false, but it is true'],
  [row('$.__proto__', 'exists'), 'but it is false'],
  [row('$.rates[?@.no == 7]', 'exists'), 'but it is false'],
  [row('$.rates[?@.no == 2]', 'exists', false), 'but it is true'],
  [row('$..zzz', 'exists'), 'but it is false'],
  [row('$', 'durationMs', 19), 'takes at most (ms) 19, but it is 20'],
])('an expectation that is not met says why: %j', (expectation, message) => {
  expect(judge(expectation, LOAN, { durationMs: 20 })?.message).toContain(message)
})

test('a step without a result has nothing at any path', () => {
  expect(judge(row('$', 'exists', false), undefined)).toBeNull()
  expect(judge(row('$', 'equals', null), undefined)).toMatchObject({ actualValue: null })
})

test('a path descends to the end of the deepest result', () => {
  const levels = 100
  const deepest = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect(judge(row('$..a', 'count', levels), { body: deepest })).toBeNull()
  expect(judge(row('$..[?@..b]', 'count', 0), { body: deepest })).toBeNull()
})

test('a failure carries what clients read', () => {
  expect(judge({ name: 'First rate', ...row('$.rates[0].no', 'equals', 7) }, LOAN)).toEqual({
    name: 'First rate',
    message: 'Expected that $.rates[0].no equals 7, but it is 1',
    path: '$.rates[0].no',
    assert: 'equals',
    expectedValue: 7,
    actualValue: 1,
  })
})

test('large values are kept as the beginning of their text', () => {
  const failure = judge(row('$', 'equals', 1), 'x'.repeat(50_000))
  expect(String(failure?.actualValue)).toHaveLength(10_001)
  expect(failure?.message.length).toBeLessThan(300)
})
