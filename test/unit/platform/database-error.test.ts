import { failureOf } from '../../../platform/database/database-error.ts'

const withCode = (code: string) => Object.assign(new Error('refused'), { code })

test.each([
  ['08006', 'transient', 'a lost connection'],
  ['53300', 'transient', 'too many connections'],
  ['58P01', 'transient', 'a server whose files are gone'],
  ['58030', 'transient', 'a disk that fails'],
  ['28P01', 'transient', 'a password that was changed'],
  ['28000', 'transient', 'a login that the server refuses'],
  ['3D000', 'transient', 'a database that is being replaced'],
  ['55000', 'transient', 'a database that takes no connections'],
  ['ECONNREFUSED', 'transient', 'a server that is away'],
  ['EAI_AGAIN', 'transient', 'a name server that is away'],
  ['EHOSTUNREACH', 'transient', 'a machine that is away'],
  ['ENETUNREACH', 'transient', 'a network that is away'],
  ['23505', 'data', 'a violated constraint'],
  ['42P01', 'unknown', 'a table that is not there'],
] as const)('%s is %s: %s', (code, failure, _what) => {
  expect(failureOf(withCode(code))).toBe(failure)
  expect(failureOf(new Error('An ORM failed', { cause: withCode(code) }))).toBe(failure)
  expect(failureOf({ ...withCode(code), queue: 'copied by pg-boss' })).toBe(failure)
})
