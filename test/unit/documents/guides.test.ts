import { readFileSync } from 'node:fs'

test('the guide on files has each kind of artifact that files may hold', () => {
  const schema = readFileSync('schema/scenario.schema.json', 'utf8')
  const kinds = [...schema.matchAll(/"kind": \{\s*"const": "(\w+)"/g)].map(([, kind]) => kind)
  expect(kinds).toContain('testcase')
  const guide = readFileSync('docs/how-to/scenarios-in-git.md', 'utf8')
  expect(kinds.filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([])
})
