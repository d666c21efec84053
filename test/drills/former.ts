import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkOut, ROOT } from './check-out.ts'

const run = promisify(execFile)
/** Version where none is tagged: "Hold a sequence while a test kills backups". */
const FORMER = '6a96ac0'

/** Build of the last release, from git. */
export interface FormerVersion {
  /** As `dist` is. */
  dist: string
  remove(): Promise<void>
}

export async function buildFormerVersion(): Promise<FormerVersion> {
  const revision = await run('git', ['describe', '--tags', '--abbrev=0'], { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => FORMER,
  )
  const folder = await checkOut(revision)
  await run(process.execPath, ['build.js'], { cwd: folder })
  return { dist: join(folder, 'dist'), remove: () => rm(folder, { recursive: true }) }
}
