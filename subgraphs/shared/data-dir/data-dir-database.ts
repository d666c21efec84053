import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withReleasers } from '../releasers.ts'
import { openDataDir } from './data-dir.ts'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'
import { loadKeys } from './keys.ts'

/**
 * The embedded database of a data folder for a tool: the one that runs, where the product runs; else it is started, until
 * `stop`.
 * @throws where the folder has no database yet
 */
export const useDataDirDatabase = (
  dataDir: string,
  log: EmbeddedPostgresOptions['log'],
): Promise<{ url: string; stop(): Promise<void> }> =>
  withReleasers(async (releasers) => {
    const directory = join(dataDir, 'postgres')
    await readFile(join(directory, 'PG_VERSION')).catch((cause) => {
      throw new Error(`There is no database in ${dataDir}: start Assay first, or set DATA_DIR`, {
        cause,
      })
    })
    const folder = await openDataDir(dataDir).catch(() => null)
    if (!folder) return { url: await runningUrl(dataDir, directory), stop: async () => {} }
    releasers.defer(() => folder.release())
    const password = folder.keys.databasePassword
    const { url, stop } = await startEmbeddedPostgres({ directory, password, log })
    releasers.defer(() => stop())
    return { url, stop: () => releasers.release() }
  })

/** PostgreSQL writes its port into the fourth line of this file. */
async function runningUrl(dataDir: string, directory: string): Promise<string> {
  const { databasePassword } = await loadKeys(join(dataDir, 'keys.json'))
  const [, , , port = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
  return `postgres://assay:${encodeURIComponent(databasePassword)}@127.0.0.1:${Number(port)}/assay`
}
