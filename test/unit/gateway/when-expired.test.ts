import { jest } from '@jest/globals'
import { whenExpired } from '../../../gateway/http/websocket/close-codes.ts'

const DAY_MS = 86_400_000

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const expiringIn = (ms: number) => ({
  requestId: 'r',
  user: 'ada',
  permissions: [],
  expiresAt: Date.now() + ms,
})

test.each([1, 60, 400])('credentials of %i days end after as many', (days) => {
  const then = jest.fn()
  whenExpired(expiringIn(days * DAY_MS), then)
  jest.advanceTimersByTime(days * DAY_MS - 1)
  expect(then).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  expect(then).toHaveBeenCalledTimes(1)
})

test('nobody is called back who has called it off, however late', () => {
  const then = jest.fn()
  const callOff = whenExpired(expiringIn(60 * DAY_MS), then)
  jest.advanceTimersByTime(30 * DAY_MS)
  callOff()
  jest.advanceTimersByTime(60 * DAY_MS)
  expect(then).not.toHaveBeenCalled()
})
