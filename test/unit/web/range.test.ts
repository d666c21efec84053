import { binned, scaleOf } from '../../../web/src/events/bins.ts'
import { followed } from '../../../web/src/events/query.ts'
import { eventSearch, queryOf } from '../../../web/src/events/search.ts'
import { executionSearch, filterOf } from '../../../web/src/executions/search.ts'
import { overviewSearch, statisticsOf } from '../../../web/src/overview/search.ts'
import { rangeSearch, spanOf } from '../../../web/src/ui/range.ts'

const NOW = Date.parse('2026-03-10T12:00:00.000Z')
const FROM = '2026-03-01T00:00:00.000Z'
const TO = '2026-03-02T00:00:00.000Z'

test.each([
  [{ last: '7d' }, { last: '7d' }],
  [{ since: 'day' }, { last: '24h' }], // of addresses of former versions
  [{ last: '9y', from: 'nonsense' }, {}],
  [
    { from: '2026-03-01', to: TO },
    { from: FROM, to: TO },
  ],
  [{ last: '1h', from: FROM }, { last: '1h' }],
])('the address %j has the range %j', (given, range) => {
  expect(rangeSearch(given)).toEqual(range)
})

test('a range up to now begins that long ago, and a custom one where it says', () => {
  expect(spanOf({ last: '24h' }, NOW)).toEqual({ from: '2026-03-09T12:00:00.000Z', to: null })
  expect(spanOf({ from: FROM, to: TO }, NOW)).toEqual({ from: FROM, to: TO })
  expect(filterOf(executionSearch({ from: FROM, to: TO }), NOW)).toMatchObject({
    startedFrom: FROM,
    startedBefore: TO,
  })
})

test.each([
  [{}, null],
  [{ q: 'status:OPEN' }, 'status:OPEN'],
  [{ last: '1h' }, 'lastSeenAt:>=now-1h'],
  [{ q: 'a OR b', last: '7d' }, '(a OR b) AND lastSeenAt:>=now-7d'],
  [
    { q: 'status:OPEN disk', from: FROM, to: TO },
    `status:OPEN AND disk AND lastSeenAt:>="${FROM}" AND firstSeenAt:<"${TO}"`,
  ],
])('the query of the page %j is %s for list, histogram, total and selection', (search, query) => {
  expect(queryOf(eventSearch(search))).toBe(query)
})

test('a list follows its range, and judges severity and status itself', () => {
  const { others } = followed(queryOf(eventSearch({ q: 'status:OPEN', last: '1h' })))
  expect(others).toBe('lastSeenAt:>=now-1h')
})

test('the overview has the last day unless its address says otherwise, in intervals of which a few are enough', () => {
  expect(overviewSearch({ last: '24h' })).toEqual({})
  expect(statisticsOf({}, NOW)).toMatchObject({
    from: '2026-03-09T12:00:00.000Z',
    interval: 'HOUR',
  })
  expect(statisticsOf({ last: '1h' }, NOW)).toMatchObject({ interval: 'MINUTE' })
  expect(statisticsOf({ last: '30d' }, NOW)).toMatchObject({ interval: 'DAY' })
})

test('bars of days begin at midnight of the viewer', () => {
  const midnight = new Date(2026, 2, 10).getTime()
  const hour = (at: number, counts: Record<string, number>) => ({
    start: new Date(midnight + at * 3_600_000).toISOString(),
    counts,
  })
  const hours = [hour(-1, { INFO: 1 }), hour(0, { INFO: 2 }), hour(23, { INFO: 3, ERROR: 1 })]
  expect(binned(hours, 'DAY')).toEqual([
    { start: hours[0]?.start, counts: { INFO: 1 } },
    { start: hours[1]?.start, counts: { INFO: 5, ERROR: 1 } },
  ])
  expect(binned(hours, 'HOUR')).toEqual(hours)
  expect([scaleOf(1), scaleOf(24), scaleOf(168), scaleOf(720), scaleOf(null)]).toEqual([
    ...['MINUTE', 'FIFTEEN_MINUTES', 'HOUR', 'DAY', 'DAY'],
  ])
})
