import { jest } from '@jest/globals'
import { AppError } from '../../../formats/errors.ts'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'
import { createWatch } from '../../../gateway/sign-in/watch-sign-in.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { createLogger } from '../../../platform/process/logger.ts'

const SECOND = 1_000
const TIMES = { recheckMs: 20 * SECOND, graceMs: 40 * SECOND }
const ADA: Caller = { requestId: 'r', user: 'ada', account: 'a', permissions: ROLES.editor }

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A stream of `caller` whose sign-in is checked by `recheck`. */
function watch(recheck: () => Promise<Caller>, caller = ADA) {
  const request = { headers: {}, caller } as HttpRequest
  const signIn = { of: () => caller, recheck: jest.fn(recheck) }
  const end = jest.fn()
  const callOff = createWatch(signIn, TIMES, createLogger('silent'))(request, null, end)
  return { end, callOff, recheck: signIn.recheck }
}

const refused = (code: 'UNAUTHENTICATED' | 'RATE_LIMITED' | 'OVERLOADED') => async () => {
  throw new AppError(code, 'no')
}

test('a stream goes on while its sign-in is valid', async () => {
  const { end, recheck, callOff } = watch(async () => ADA)
  await jest.advanceTimersByTimeAsync(600 * SECOND)
  expect(recheck).toHaveBeenCalledTimes(30)
  expect(end).not.toHaveBeenCalled()
  callOff()
  await jest.advanceTimersByTimeAsync(600 * SECOND)
  expect(recheck).toHaveBeenCalledTimes(30)
})

test.each<[string, () => Promise<Caller>]>([
  ['that is revoked', refused('UNAUTHENTICATED')],
  ['with another role', async () => ({ ...ADA, permissions: ROLES.reader })],
  ['with a higher role', async () => ({ ...ADA, permissions: ROLES.admin })],
  ['of another name', async () => ({ ...ADA, user: 'grace' })],
  ['of nobody', async () => ({ ...ADA, user: null })],
])('a sign-in %s ends the stream at the next check, once', async (_, recheck) => {
  const { end } = watch(recheck)
  await jest.advanceTimersByTimeAsync(20 * SECOND)
  expect(end.mock.calls).toEqual([['revoked']])
  await jest.advanceTimersByTimeAsync(600 * SECOND)
  expect(end).toHaveBeenCalledTimes(1)
})

test.each([
  ['is refused for another reason', refused('RATE_LIMITED')],
  ['reaches nobody', refused('OVERLOADED')],
  ['hangs', () => new Promise<Caller>(() => {})],
])('a check that %s ends the stream after the grace period', async (_, recheck) => {
  const { end } = watch(recheck)
  await jest.advanceTimersByTimeAsync(40 * SECOND - 1)
  expect(end).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(1)
  expect(end.mock.calls).toEqual([['unchecked']])
})

test('the grace period begins with the last check that succeeded, when that was asked for', async () => {
  let takes = 0
  const { end } = watch(async () => {
    takes += 10 * SECOND
    if (takes > 10 * SECOND) throw new AppError('OVERLOADED', 'away')
    await new Promise((resolve) => setTimeout(resolve, takes))
    return ADA
  })
  await jest.advanceTimersByTimeAsync(60 * SECOND - 1)
  expect(end).not.toHaveBeenCalled()
  await jest.advanceTimersByTimeAsync(1)
  expect(end.mock.calls).toEqual([['unchecked']])
})

test('nobody who has not signed in is watched', async () => {
  const { end, recheck } = watch(refused('UNAUTHENTICATED'), { ...ADA, user: null })
  await jest.advanceTimersByTimeAsync(600 * SECOND)
  expect([end.mock.calls, recheck.mock.calls]).toEqual([[], []])
})
