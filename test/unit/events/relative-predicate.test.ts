import { jest } from '@jest/globals'
import { compilePredicate } from '../../../subgraphs/events/stream/predicate/predicate.ts'
import type { Subject } from '../../../subgraphs/events/stream/predicate/subject.ts'

const NOW = Date.parse('2026-03-31T12:00:00Z')
const seenAt = (iso: string) => ({ event: { lastSeenAt: new Date(iso) } }) as unknown as Subject // all that is read

test('a time relative to now moves on while a stream is open', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(NOW)
  const { judge } = compilePredicate('lastSeenAt:<=now', (text) => text.toLowerCase())
  const hour = compilePredicate('lastSeenAt:>now-1h', (text) => text.toLowerCase())
  const today = compilePredicate('lastSeenAt:now/d', (text) => text.toLowerCase())
  const event = seenAt('2026-03-31T12:30:00Z')
  expect([judge(event), hour.judge(event), today.judge(event)]).toEqual([false, true, true])
  now.mockReturnValue(NOW + 3_600_000)
  expect([judge(event), hour.judge(event), today.judge(event)]).toEqual([true, true, true])
  now.mockReturnValue(NOW + 86_400_000)
  expect([judge(event), hour.judge(event), today.judge(event)]).toEqual([true, false, false])
  now.mockRestore()
})
