import { readWildcards } from '../../../subgraphs/test-execution/artifacts/list/wildcard.ts'

test.each<[string, ReturnType<typeof readWildcards>]>([
  ['', { exact: '' }],
  ['plain', { exact: 'plain' }],
  ['100% a_b', { exact: '100% a_b' }],
  ['*', { pattern: '%' }],
  ['a*b*', { pattern: 'a%b%' }],
  ['**', { pattern: '%%' }],
  ['50%*', { pattern: '50\\%%' }],
  ['a_*', { pattern: 'a\\_%' }],
  ['a\\*b', { exact: 'a*b' }],
  ['a\\**', { pattern: 'a*%' }],
  ['C:\\dir', { exact: 'C:\\dir' }],
  ['C:\\\\dir', { exact: 'C:\\\\dir' }],
  ['C:\\dir\\\\*', { pattern: 'C:\\\\dir\\\\%' }],
  ['C:\\dir\\\\\\*', { exact: 'C:\\dir\\*' }],
  ['\\', { exact: '\\' }],
  ['line\n*\nline', { pattern: 'line\n%\nline' }],
])('%j is read as %j', (text, expected) => {
  expect(readWildcards(text)).toEqual(expected)
})

test('reading takes no time that grows faster than the text', () => {
  const { pattern } = readWildcards('\\'.repeat(100_000) + '*'.repeat(100_000)) as {
    pattern: string
  }
  expect(pattern).toHaveLength(100_000 + 100_000)
})
