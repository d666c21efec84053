import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idForPath, writeFiles } from '../../../cli/folder/write-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-write-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const put = (...names: string[]) => {
  for (const name of names) writeFileSync(at(name), 'before')
}

test('an artifact takes the place of its file in another format', async () => {
  put('a.testcase.yaml', 'a.testcase.yml', 'a.suite.yaml', 'a.yaml')
  await writeFiles(folder, { 'a.testcase.json': '{}', 'b.component.yaml': 'b' }, null)
  expect(readdirSync(folder).sort()).toEqual([
    'a.suite.yaml',
    'a.testcase.json',
    'a.yaml',
    'b.component.yaml',
  ])
  await writeFiles(folder, { 'a.testcase.yaml': 'after' }, null)
  expect(readdirSync(folder)).not.toContain('a.testcase.json')
  expect(readFileSync(at('a.testcase.yaml'), 'utf8')).toBe('after')
})

test('an artifact that is there in another format is not written a second time', async () => {
  put('a.testcase.json')
  const files = { 'b.testcase.yaml': 'b', 'a.testcase.yaml': 'a' }
  await expect(writeFiles(folder, files, '--force replaces files')).rejects.toThrow(
    `${at('a.testcase.json')} exists; nothing was written. --force replaces files`,
  )
  expect(readdirSync(folder)).toEqual(['a.testcase.json'])
})

test.each(['.', '..', '.git', '.git:config', '.npmrc'])('an id %s is no name of a file', (id) => {
  expect(() => idForPath(id, 'A result')).toThrow('begins with no dot')
})
