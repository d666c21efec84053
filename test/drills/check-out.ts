import { execFile } from 'node:child_process'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const ROOT = join(import.meta.dirname, '..', '..')

/** A copy of a revision, with the packages of this checkout. @returns its folder */
export async function checkOut(revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-checkout-'))
  const archive = join(folder, 'archive.tar')
  await run('git', ['archive', `--output=${archive}`, revision], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
