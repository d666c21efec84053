import { SearchLag } from '../../../subgraphs/events/read/index/indexer.ts'

test.each([
  ['is taken at once up to half of the maximum', 500, 0],
  ['waits for half as long in the middle of the rest', 750, 500],
  ['waits for a second at the maximum, and not longer beyond', 1_000, 1_000],
  ['waits for a second beyond', 9_000, 1_000],
])('a transaction %s', (_, events, delayMs) => {
  const lag = new SearchLag(1_000)
  lag.note(events)
  expect(lag.delayMs).toBe(delayMs)
})

test('requests are refused at the maximum', () => {
  const lag = new SearchLag(1_000)
  lag.note(999)
  lag.assertLow()
  lag.note(1_000)
  expect(() => lag.assertLow()).toThrow(
    '1000 events left to index, of at most 1000 (EVENTS_SEARCH_LAG)',
  )
})
