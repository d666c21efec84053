import { lineOfTags, tagsOfLine } from '../../../web/src/repository/tags.ts'

test('stored tags with commas are kept until their line is changed', () => {
  const stored = ['a, b', ' c ']
  const line = lineOfTags(stored)
  expect(tagsOfLine(line, stored)).toEqual(stored)
  expect(tagsOfLine(`${line}, d`, stored)).toEqual(['a', 'b', 'c', 'd'])
  expect(tagsOfLine('', stored)).toEqual([])
})
