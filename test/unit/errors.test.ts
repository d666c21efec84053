import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isErrorCode, statusOf } from '../../schema/errors.ts'

test('every failure has one status, and what is unknown is an internal error', () => {
  expect(statusOf(new AppError('CONFLICT', 'taken').code)).toBe(409)
  expect(statusOf('toString')).toBe(500)
  expect(isErrorCode('__proto__')).toBe(false)
})

test('a status of failure is written in the table alone', () => {
  const root = join(import.meta.dirname, '..', '..')
  const sources = globSync('{gateway,rest-bridge,subgraphs}/**/*.ts', { cwd: root })
  const written = sources.filter((file) =>
    /status(Code)?( = |: |\()[^\n]*\b[45]\d\d\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  // Readiness is no answer to a request that failed.
  expect(written).toEqual(['gateway/http/health.ts'])
})
