import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, ERRORS, isErrorCode, retryHeaders, statusOf } from '../../formats/errors.ts'

test('every failure has one status, and what is unknown is an internal error', () => {
  expect(statusOf(new AppError('CONFLICT', 'taken').code)).toBe(409)
  expect(statusOf('toString')).toBe(500)
  expect(isErrorCode('__proto__')).toBe(false)
})

test('a status of failure is written in the table alone', () => {
  const root = join(import.meta.dirname, '..', '..')
  const sources = globSync('{gateway,rest-bridge,subgraphs,platform,runner}/**/*.ts', { cwd: root })
  const written = sources.filter((file) =>
    /status(Code)?( = |: |\()[^\n]*\b[45]\d\d\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  // Readiness is no answer to a request that failed.
  expect(written.sort()).toEqual(['gateway/http/health.ts', 'platform/subgraph/serve-subgraph.ts'])
})

test('a failure with status 429 or 503 says when to try again, whoever throws it', () => {
  const codes = Object.keys(ERRORS).filter(isErrorCode)
  const passing = codes.filter((code) => [429, 503].includes(statusOf(code)))
  expect(passing).toEqual([
    'RATE_LIMITED',
    'DOWNSTREAM_UNREACHABLE',
    'DOWNSTREAM_ANSWER_LOST',
    'OVERLOADED',
    'SLOW_CONSUMER',
  ])
  for (const code of codes)
    expect(Object.keys(retryHeaders(new AppError(code, '').extensions))).toEqual(
      passing.includes(code) ? ['Retry-After'] : [],
    )
  const { extensions } = new AppError('OVERLOADED', '', { retryAfterSeconds: 7 })
  expect(retryHeaders(extensions)).toEqual({ 'Retry-After': '7' })
})

test('no code makes the extensions of such a failure by itself', () => {
  const root = join(import.meta.dirname, '..', '..')
  const sources = globSync('{gateway,rest-bridge,subgraphs,platform,runner}/**/*.ts', { cwd: root })
  const own =
    /extensions: \{ (code( |,)|code: (error|failure)\.)|code: '(OVERLOADED|RATE_LIMITED|SLOW_CONSUMER)'/
  expect(sources.filter((file) => own.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    'gateway/federation/operation/document-faults.ts', // of what has a code already
  ])
})
