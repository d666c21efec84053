import { execFile } from 'node:child_process'
import { chmod, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MIB = 2 ** 20

/** A disk in memory that can be filled. Mounting it needs root. */
export interface SmallDisk {
  folder: string
  /** Takes all space that is left. */
  fill(): Promise<void>
  free(): Promise<void>
  stop(): Promise<void>
}

export async function mountSmallDisk(mib = 512): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-small-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'assay-drill', folder])
  await chmod(folder, 0o777)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'w')
      const piece = Buffer.alloc(MIB)
      try {
        // Space that others free meanwhile is taken as well.
        for (;;) await file.write(piece)
      } catch (error) {
        const { bavail } = await statfs(folder)
        if ((error as { code?: unknown }).code !== 'ENOSPC' || bavail > 0) throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast),
    async stop() {
      await run('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}
