import { RETRY_AFTER_MS, stepAfter } from '../../../platform/deliveries/schedule.ts'

const now = new Date('2026-01-31T08:00:00Z')
const waitMs = (failedBefore: number, random: number) =>
  (stepAfter({ status: 500 }, failedBefore, now, { random }).nextAttemptAt?.getTime() ?? 0) -
  now.getTime()

test('attempts are 5 s, 30 s, 2 min, 10 min, 30 min, 2 h and 8 h apart', () => {
  expect(RETRY_AFTER_MS.map((ms) => ms / 1_000)).toEqual([5, 30, 120, 600, 1_800, 7_200, 28_800])
  for (const [failedBefore, expected] of RETRY_AFTER_MS.entries()) {
    expect(waitMs(failedBefore, 0.5)).toBe(expected)
    expect(waitMs(failedBefore, 0)).toBeCloseTo(expected * 0.9)
    expect(waitMs(failedBefore, 1)).toBeCloseTo(expected * 1.1)
  }
})

test.each([
  [200, 'DELIVERED'],
  [204, 'DELIVERED'],
  [299, 'DELIVERED'],
  [410, 'GIVEN_UP'],
  [199, 'PENDING'],
  [300, 'PENDING'],
  [307, 'PENDING'],
  [404, 'PENDING'],
  [429, 'PENDING'],
  [503, 'PENDING'],
  [null, 'PENDING'],
] as const)('an attempt answered with %s makes a delivery %s', (status, state) => {
  expect(stepAfter({ status }, 0, now)).toMatchObject({
    state,
    nextAttemptAt: state === 'PENDING' ? expect.any(Date) : null,
  })
})

test.each([
  [503, '120', 120],
  [429, new Date(now.getTime() + 90_000).toUTCString(), 90],
  [429, '2', 5],
  [503, '86400', 3_605],
  [503, 'x', 5],
  [503, '-7', 5],
  [503, new Date(now.getTime() - 90_000).toUTCString(), 5],
  [500, '120', 5],
  [null, '120', 5],
])(
  'an attempt answered with %s and Retry-After: %s is followed after %d s',
  (status, retryAfter, seconds) => {
    const { nextAttemptAt } = stepAfter({ status }, 0, now, { random: 0.5, retryAfter })
    expect(Number(nextAttemptAt) - now.getTime()).toBe(seconds * 1_000)
  },
)

test('Retry-After makes no attempt beyond the last one', () => {
  expect(stepAfter({ status: 503 }, 7, now, { retryAfter: '120' }).state).toBe('DEAD')
})

test('the eighth failure is the last one, a late success still counts', () => {
  expect(stepAfter({ status: 500 }, 6, now).state).toBe('PENDING')
  expect(stepAfter({ status: 500 }, 7, now)).toEqual({ state: 'DEAD', nextAttemptAt: null })
  expect(stepAfter({ status: 410 }, 7, now).state).toBe('GIVEN_UP')
  expect(stepAfter({ status: 200 }, 7, now).state).toBe('DELIVERED')
})
