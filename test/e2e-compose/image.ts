import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The folder that the image of the product holds. */
export interface Image {
  folder: string
  remove(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Does what the last stages of the Dockerfile do. */
export async function buildImage(): Promise<Image> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-image-'))
  await chmod(folder, 0o755)
  await promisify(execFile)(process.execPath, ['image.js', folder], { cwd: ROOT })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
