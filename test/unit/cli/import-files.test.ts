import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFiles } from '../../../cli/import/files.ts'
import { readJunit } from '../../../formats/results/junit.ts'

let root: string
let reports: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-import-files-'))
  reports = join(root, 'build', 'reports')
  mkdirSync(join(reports, 'shots'), { recursive: true })
  mkdirSync(join(root, 'build', 'reports-of-others'))
  writeFileSync(join(root, 'secret'), 'secret')
  writeFileSync(join(root, 'build', 'trace.zip'), 'trace')
  writeFileSync(join(root, 'build', 'reports-of-others', 'a.png'), 'other')
  writeFileSync(join(reports, 'shots', 'a.png'), 'a')
  symlinkSync(join(root, 'secret'), join(reports, 'link.png'))
  symlinkSync(join(reports, 'shots', 'a.png'), join(reports, 'inner.png'))
  symlinkSync(root, join(reports, 'up'))
  mkdirSync(join(reports, '.git'))
  writeFileSync(join(reports, '.git', 'config'), 'secret')
  writeFileSync(join(reports, '.npmrc'), 'secret')
  symlinkSync('.npmrc', join(reports, 'shown.png'))
  execFileSync('mkfifo', [join(reports, 'pipe.png')])
})
afterAll(() => rmSync(root, { recursive: true }))

/** The files that an import of a report attaches, as texts, and why others are not. */
function attached(path: string, within?: string) {
  const report = `<testsuite><testcase name="a"><system-out>[[ATTACHMENT|${path}]]</system-out></testcase></testsuite>`
  const found = withFiles([{ scenarios: readJunit(report).scenarios, folder: reports }], within)
  return {
    files: found.attached
      .flat()
      .flatMap(({ steps }) =>
        steps.flatMap(({ attachments }) =>
          attachments.map(({ base64 }) => Buffer.from(base64, 'base64').toString()),
        ),
      ),
    leftOut: found.leftOut,
  }
}

test.each([
  ['below the folder of the report', () => 'shots/a.png'],
  ['there by its whole path', () => join(reports, 'shots', 'a.png')],
  ['there through a link', () => 'inner.png'],
])('a file %s is attached', (_what, path) => {
  expect(attached(path())).toEqual({ files: ['a'], leftOut: [] })
})

test.each([
  ['beside the folder', () => '../trace.zip', 'is not below'],
  ['of a folder whose name begins alike', () => '../reports-of-others/a.png', 'is not below'],
  ['anywhere', () => join(root, 'secret'), 'is not below'],
  ['behind a link', () => 'link.png', 'is not below'],
  ['through a linked folder', () => 'up/secret', 'is not below'],
  ['that is a pipe', () => 'pipe.png', 'it is no plain file'],
  ['that is hidden', () => '.npmrc', 'it is hidden'],
  ['in a hidden folder', () => '.git/config', 'it is hidden'],
  ['that is hidden, behind a link', () => 'shown.png', 'it is hidden'],
  ['that is a folder', () => 'shots', 'it is no plain file'],
  ['that is not there', () => 'gone.png', 'there is no such file'],
])('a file %s is not attached, which is said', (_what, path, reason) => {
  const { files, leftOut } = attached(path())
  expect(files).toEqual([])
  expect(leftOut).toEqual([expect.stringContaining(reason)])
})

test('--attachments-from names a folder that files may come from', () => {
  expect(attached('../trace.zip', join(root, 'build')).files).toEqual(['trace'])
  expect(attached('../../secret', join(root, 'build')).files).toEqual([])
  expect(attached('.npmrc', reports).files).toEqual(['secret'])
  expect(attached('shots/a.png', join(root, 'gone')).files).toEqual([])
})
