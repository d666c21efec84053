import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../../formats/make-folder.ts'

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'make-folder-'))
})
afterEach(() => rm(base, { recursive: true }))

test('a folder is made with those above it, for its owner alone where so asked', async () => {
  const path = join(base, 'a', 'b', 'c')
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)])
  for (const each of [path, join(base, 'a')]) expect((await stat(each)).mode & 0o777).toBe(0o700)
  await makeFolder(path)
})

test('a file in its place is a fault', async () => {
  const file = join(base, 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.each(['/proc/assay', '/proc/self/assay/b'])('%s cannot be made, which ends', async (path) => {
  await expect(makeFolder(path)).rejects.toMatchObject({ code: 'ENOENT' })
})
