import { type Documents, faultsOf } from '../../documents/check.ts'

const check = (pages: Record<string, string>, others: readonly string[] = []) => {
  const documents: Documents = new Map(Object.entries(pages))
  return faultsOf(documents, (path) => others.includes(path))
}

test('links lead to documents, their headings and other files', () => {
  const faults = check(
    {
      'README.md':
        '# A\n[b](docs/b.md#two-words) [c](docs/c.md) [d](docs/b.md#none) [e](#a) [f](https://example.com) [g](src/g.ts)\n```\n[not](a-link.md)\n```\n`[nor](this.md)`\n',
      'docs/b.md': '# B\n## Two `words`\n[up](../README.md) ![picture](picture.svg)\n',
    },
    ['src/g.ts'],
  )
  expect(faults).toEqual([
    'README.md: nothing is at docs/c.md',
    'README.md: nothing is at docs/b.md#none',
    'docs/b.md: nothing is at docs/picture.svg',
  ])
})

test('every document is reached from README', () => {
  const pages = {
    'README.md': '[b](b.md)\n',
    'b.md': '[c](c.md)\n',
    'c.md': '',
    'd.md': '[c](c.md)\n',
  }
  expect(check(pages)).toEqual(['d.md: no link leads to it from README.md'])
})

test('README has at most 200 lines', () => {
  expect(check({ 'README.md': '\n'.repeat(200) })).toEqual([])
  expect(check({ 'README.md': '\n'.repeat(201) })).toEqual(['README.md: 201 lines; at most 200'])
})

test('an entry of the changelog has at most 60 lines', () => {
  const changelog = (lines: number) =>
    `# Changelog\n\n## 2.0\n${'- a\n'.repeat(lines - 1)}\n## 1.0\n`
  const faults = (lines: number) =>
    check({ 'README.md': '[c](CHANGELOG.md)', 'CHANGELOG.md': changelog(lines) })
  expect(faults(60)).toEqual([])
  expect(faults(61)).toEqual(['CHANGELOG.md: 2.0 has more than 60 lines'])
})
