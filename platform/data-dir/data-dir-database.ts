import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withReleasers } from '../process/releasers.ts'
import { openDataDir, refused } from './data-dir.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { type Keys, loadKeys } from './keys.ts'

/**
 * The embedded database of a data folder for a tool: the one that runs, where the product runs; else it is started, until
 * `stop`.
 * @throws where the folder has no database yet
 */
export const useDataDirDatabase = (
  dataDir: string,
  log: EmbeddedPostgresOptions['log'],
): Promise<{ url: string; keys: Keys; stop(): Promise<void> }> =>
  withReleasers(async (releasers) => {
    const directory = join(dataDir, 'postgres')
    await readFile(join(directory, 'PG_VERSION')).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') refused(dataDir)(cause)
      throw new Error(`There is no database in ${dataDir}: start Assay first, or set DATA_DIR`, {
        cause,
      })
    })
    const folder = await openDataDir(dataDir).catch(async (reason: unknown) => {
      const running = await runningDatabase(dataDir, directory).catch(() => {
        throw reason
      })
      return { running }
    })
    if ('running' in folder) return { ...folder.running, stop: async () => {} }
    releasers.defer(() => folder.release())
    const password = folder.keys.databasePassword
    const { url, stop } = await startEmbeddedPostgres({ directory, password, log })
    releasers.defer(() => stop())
    return { url, keys: folder.keys, stop: () => releasers.release() }
  })

/** PostgreSQL writes its port into the fourth line of this file. */
async function runningDatabase(dataDir: string, directory: string) {
  const keys = await loadKeys(join(dataDir, 'keys.json'))
  const [, , , port = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
  const password = encodeURIComponent(keys.databasePassword)
  return { url: `postgres://assay:${password}@127.0.0.1:${Number(port)}/assay`, keys }
}
