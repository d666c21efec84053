import { isTooNested } from '../../../../gateway/federation/operation/lexical-limits.ts'

const nested = (levels: number) => '{a'.repeat(levels) + '}'.repeat(levels)
const chain = (length: number, last: string) =>
  Array.from(
    { length },
    (_, i) => `fragment F${i} on Q { ...F${i + 1 < length ? i + 1 : last} }`,
  ).join(' ')

test.each<[string, string, boolean]>([
  ['as deep as may be', nested(200), false],
  ['one level deeper', nested(201), true],
  ['deep before a fault', `${'{a'.repeat(201)} ?`, true],
  ['a fault before it is deep', `? ${nested(201)}`, false],
  ['wide', `{ ${'a(b: [1]) { c } '.repeat(1000)} }`, false],
  ['braces in a text', `{ a(b: "${'{'.repeat(1000)}") }`, false],
  ['braces in a comment', `{ a } # ${'{'.repeat(1000)}`, false],
  ['many definitions', 'query A { a } '.repeat(1000), false],
  ['a chain of fragments', `{ ...F0 } ${chain(199, 'X')}`, false],
  ['a longer chain of fragments', `{ ...F0 } ${chain(200, 'X')}`, true],
  ['fragments that nobody uses', chain(100_000, 'X'), true],
  ['a cycle of fragments', `{ ...F0 } ${chain(10, '0')} ${'{ a } '.repeat(300)}`, false],
  [
    'a deep fragment, deeply spread',
    `${'{a'.repeat(101)} ...F ${'}'.repeat(101)} fragment F on Q ${nested(100)}`,
    true,
  ],
])('%s', (_what, text, isDeep) => {
  expect(isTooNested(text)).toBe(isDeep)
})
