import { conclusionOf } from '../../subgraphs/test-execution/reseal/conclusion.ts'

test('rows that fail for one reason are one line with their number and the first keys', () => {
  const rows = (column: string, count: number, reason: string) =>
    Array.from({ length: count }, (_, at) => ({ column, key: `row-${at}`, reason }))
  const unreadable = [
    ...rows('secrets', 1_000, 'another key'),
    ...rows('secrets', 1, 'damaged'),
    ...rows('addresses', 2, 'another key'),
  ]
  const [conclusion, ...lines] = conclusionOf({ isDone: true, unreadable }).trimEnd().split('\n')
  expect(conclusion).toMatch(/^All but 1003 are sealed/)
  expect(lines).toEqual([
    '  secrets, row-0, row-1, row-2, row-3, row-4 and 995 more: another key',
    '  secrets, row-0: damaged',
    '  addresses, row-0, row-1: another key',
  ])
})

test('no setting is named that the embedded database does not have', () => {
  const unreadable = [{ column: 'secrets', key: 'row', reason: 'another key' }]
  for (const isDone of [true, false])
    expect(conclusionOf({ isDone, unreadable: [] })).not.toContain('SECRETS_KEY')
  expect(conclusionOf({ isDone: true, unreadable })).toContain(
    'SECRETS_KEY_PREVIOUS (without DATABASE_URL: previousSecretsKey in keys.json of DATA_DIR)',
  )
})
