import {
  type HeaderRule,
  introductionBy,
  readBy,
  responseHeadersBy,
} from '../../../../gateway/settings-file/header-rules.ts'
import { openCaller } from '../../../../platform/access/caller.ts'

const sent = (
  rules: HeaderRule[],
  headers: Record<string, string>,
  claims?: Record<string, unknown>,
) =>
  introductionBy(rules).of({
    caller: { ...openCaller('test'), ...(claims && { claims }) },
    headers,
  })

test.each<[string, HeaderRule[], Record<string, string>]>([
  ['a header by its name', [{ propagate: 'X-A' }], { 'x-a': '1' }],
  ['a header under another name', [{ propagate: 'x-a', as: 'X-Other' }], { 'x-other': '1' }],
  ['a default for a header that is absent', [{ propagate: 'x-no', default: 'd' }], { 'x-no': 'd' }],
  ['headers by a pattern', [{ matching: '^x-' }], { 'x-a': '1', 'x-b': '2' }],
  ['a value of its own', [{ insert: 'x-key', value: 'k' }], { 'x-key': 'k' }],
  ['no header that a later rule removes', [{ matching: '^x-' }, { remove: 'X-B' }], { 'x-a': '1' }],
  [
    'what a subgraph says over what holds for all',
    [{ propagate: 'x-a' }, { insert: 'x-a', value: '9' }],
    { 'x-a': '9' },
  ],
  ['a claim', [{ insert: 'x-user', claim: 'sub' }], { 'x-user': 'ada' }],
  ['a claim below others', [{ insert: 'x-org', claim: 'org.id' }], { 'x-org': '7' }],
  [
    'a claim that is a list, as JSON',
    [{ insert: 'x-roles', claim: 'roles' }],
    { 'x-roles': '["a"]' },
  ],
  [
    'a claim beyond ASCII percent-encoded',
    [{ insert: 'x-n', claim: 'name' }],
    { 'x-n': '%C3%89va' },
  ],
  [
    'a default for a claim that is absent',
    [{ insert: 'x-t', claim: 'no', default: '-' }],
    { 'x-t': '-' },
  ],
])('a subgraph gets %s', (_what, rules, expected) => {
  const claims = { sub: 'ada', org: { id: 7 }, roles: ['a'], name: 'Éva' }
  expect(sent(rules, { 'x-a': '1', 'x-b': '2', cookie: 'c' }, claims)).toEqual(expected)
})

test('a client cannot send what is to come from a claim', () => {
  const rules = [{ matching: '^x-' }, { insert: 'x-user', claim: 'sub' }]
  expect(sent(rules, { 'x-user': 'root' })).toEqual({})
})

test('patterns never reach headers of one connection or body', () => {
  expect(
    sent([{ matching: '.' }], { host: 'a', 'content-length': '3', 'x-request-id': 'i' }),
  ).toEqual({})
  const { patterns } = readBy([{ matching: '.' }])
  expect(['host', 'te', 'content-type', 'x-a'].map((name) => patterns[0]?.test(name))).toEqual([
    ...[false, false, false, true],
  ])
})

test('clients get what the rules pick of the headers of a response', () => {
  const headers = responseHeadersBy([
    { propagate: 'x-cost', as: 'x-total', combine: 'append' },
    { matching: '^x-trace-' },
    { insert: 'x-by', value: 'assay' },
    { remove: 'x-trace-secret' },
  ])
  const given = [
    ['x-cost', '3'],
    ['x-trace-id', 'a'],
    ['x-trace-secret', 'b'],
    ['cache-control', 'public'],
  ] as const
  expect(given.map(([name]) => headers?.isWanted(name))).toEqual([true, true, true, false])
  expect(headers?.pick(given.slice(0, 3))).toEqual([
    { name: 'x-total', value: '3', combine: 'append' },
    { name: 'x-trace-id', value: 'a', combine: 'last' },
    { name: 'x-by', value: 'assay', combine: 'last' },
  ])
})
