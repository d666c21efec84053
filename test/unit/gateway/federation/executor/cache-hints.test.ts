import {
  cacheHeaders,
  cacheHintOf,
  mergedHint,
} from '../../../../../gateway/federation/executor/cache-hints.ts'
import { openCaller } from '../../../../../platform/access/caller.ts'

const NOBODY = { caller: openCaller('test') }
const PUBLIC = { scope: 'public', vary: ['x-tenant'] } as const

test.each<[string, number, boolean]>([
  ['max-age=60', 60, true],
  ['Public, Max-Age="60"', 60, true],
  ['max-age=60, private', 60, false],
  ['private="set-cookie", max-age=60', 60, false],
  ['max-age=60, s-maxage=10', 10, true],
  ['max-age=60,age=45', 15, true],
  ['max-age=60,age=90', 0, true],
  ['max-age=60, max-age=5', 5, true],
  ['max-age=60, no-store', 0, false],
  ['no-cache, max-age=60', 0, false],
  ['public', 0, false],
  ['max-age=soon', 0, false],
  ['max-age=-1', 0, false],
  ['', 0, false],
])('%j allows %d seconds', (text, seconds, isShared) => {
  expect(cacheHintOf(text)).toEqual({ seconds, isShared })
})

test('of several subgraphs, the strictest decides', () => {
  const hints = ['max-age=60', 'private, max-age=90', 'max-age=30'].map(cacheHintOf)
  expect(hints.reduce<ReturnType<typeof cacheHintOf> | undefined>(mergedHint, undefined)).toEqual({
    seconds: 30,
    isShared: false,
  })
})

const controlOf = (...given: Parameters<typeof cacheHeaders>) =>
  Object.fromEntries(cacheHeaders(...given))['Cache-Control']

test('what reached a subgraph of its caller is for that caller alone', () => {
  const hint = cacheHintOf('max-age=60')
  expect(cacheHeaders(PUBLIC, hint, NOBODY)).toEqual([
    ['Cache-Control', 'public, max-age=60'],
    ['Vary', 'Accept, Authorization, Cookie, Token, x-tenant'],
  ])
  const isPrivate = 'private, max-age=60'
  expect(controlOf({ ...PUBLIC, scope: 'private' }, hint, NOBODY)).toBe(isPrivate)
  expect(controlOf(PUBLIC, cacheHintOf('private, max-age=60'), NOBODY)).toBe(isPrivate)
  expect(controlOf(PUBLIC, hint, { ...NOBODY, headers: { 'x-tenant': 'a' } })).toBe(isPrivate)
  const { caller } = NOBODY
  expect(controlOf(PUBLIC, hint, { caller: { ...caller, claims: {} } })).toBe(isPrivate)
  expect(controlOf(PUBLIC, hint, { caller: { ...caller, user: 'ada' } })).toBe(isPrivate)
})

test('without a hint, or with one of no time, nothing is kept', () => {
  expect(cacheHeaders(PUBLIC, undefined, NOBODY)).toEqual([])
  expect(cacheHeaders(PUBLIC, cacheHintOf('no-store'), NOBODY)).toEqual([])
})
