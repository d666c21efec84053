import { AppError, isErrorCode, statusOf } from '../../schema/errors.ts'

test('every failure has one status, and what is unknown is an internal error', () => {
  expect(statusOf(new AppError('CONFLICT', 'taken').code)).toBe(409)
  expect(statusOf('toString')).toBe(500)
  expect(isErrorCode('__proto__')).toBe(false)
})
