import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
/** Where no version is tagged: "Hold a sequence while a test kills backups". */
const FORMER = '6a96ac0'

/** What the last release was built to, from git. */
export interface FormerVersion {
  /** As `dist` is. */
  dist: string
  /** Such as v1.2.0. */
  name: string
  remove(): Promise<void>
}

export async function buildFormerVersion(): Promise<FormerVersion> {
  const name = await run('git', ['describe', '--tags', '--abbrev=0'], { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => FORMER,
  )
  const folder = await mkdtemp(join(tmpdir(), 'assay-former-'))
  const archive = join(folder, 'archive.tar')
  await run('git', ['archive', `--output=${archive}`, name], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, ['build.js'], { cwd: folder })
  return {
    dist: join(folder, 'dist'),
    name,
    remove: () => rm(folder, { recursive: true }),
  }
}
