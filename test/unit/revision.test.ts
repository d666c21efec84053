import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error: a script of the build, without types
import { revisionOf } from '../../revision.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-revision-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })

test('sources in a repository have the revision of its commit', () => {
  git('init', '--quiet')
  expect(revisionOf(folder, {})).toBe('')
  git('commit', '--quiet', '--allow-empty', '--message', 'First')
  const revision = revisionOf(folder, {})
  expect(revision).toMatch(/^[0-9a-f]{7,}$/)
  expect(git('rev-parse', 'HEAD').startsWith(revision)).toBe(true)
  const below = join(folder, 'below')
  mkdirSync(below)
  expect(revisionOf(below, {})).toBe('')
})

test('an image is built with the revision that ASSAY_REVISION says', () => {
  expect(revisionOf(folder, { ASSAY_REVISION: '2474dc5' })).toBe('2474dc5')
  expect(revisionOf(folder, { ASSAY_REVISION: '' })).toBe('')
})
