import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * The commit of the sources in a folder; '' where nothing says it. An image is built without .git, and ASSAY_REVISION
 * says it there.
 */
export function revisionOf(folder, { ASSAY_REVISION } = process.env) {
  if (ASSAY_REVISION) return ASSAY_REVISION
  if (!existsSync(`${folder}/.git`)) return '' // git would take that of a folder above
  const stdio = ['ignore', 'pipe', 'ignore']
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio }
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()
  } catch {
    return '' // no git, or one that refuses the repository of another user
  }
}
