import { execFile } from 'node:child_process'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The folder that the image of the product holds. */
export interface Image {
  folder: string
  remove(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..')

/** Does what the last stages of the Dockerfile do: dependencies without those of the build, and what was built. */
export async function buildImage(): Promise<Image> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-image-'))
  await chmod(folder, 0o755)
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'dist'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await promisify(execFile)('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
