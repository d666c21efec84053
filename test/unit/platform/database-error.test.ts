import { failureOf } from '../../../subgraphs/platform/database/database-error.ts'

const withCode = (code: string) => Object.assign(new Error('refused'), { code })

test.each([
  ['08006', 'transient', 'a lost connection'],
  ['53300', 'transient', 'too many connections'],
  ['58P01', 'transient', 'a server whose files are gone'],
  ['58030', 'transient', 'a disk that fails'],
  ['ECONNREFUSED', 'transient', 'a server that is away'],
  ['23505', 'data', 'a violated constraint'],
  ['42P01', 'unknown', 'a table that is not there'],
] as const)('%s is %s: %s', (code, failure, _what) => {
  expect(failureOf(withCode(code))).toBe(failure)
  expect(failureOf(new Error('An ORM failed', { cause: withCode(code) }))).toBe(failure)
  expect(failureOf({ ...withCode(code), queue: 'copied by pg-boss' })).toBe(failure)
})
