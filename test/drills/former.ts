import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkOut, ROOT } from './check-out.ts'

const run = promisify(execFile)
/** The version before 0.2.0, which has no tag. */
const FORMER = '48ff1497'

/** Build of the release before this one, from git. */
export interface FormerVersion {
  /** As `dist` is. */
  dist: string
  remove(): Promise<void>
}

export async function buildFormerVersion(): Promise<FormerVersion> {
  // Below HEAD, which may be the release itself.
  const tagged = ['describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^']
  const revision = await run('git', tagged, { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => FORMER,
  )
  const folder = await checkOut(revision)
  await run(process.execPath, ['build.js'], { cwd: folder })
  return { dist: join(folder, 'dist'), remove: () => rm(folder, { recursive: true }) }
}
