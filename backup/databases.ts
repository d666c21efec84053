import { join } from 'node:path'
import { openDataDir } from '../platform/data-dir/data-dir.ts'
import { useDataDirDatabase } from '../platform/data-dir/data-dir-database.ts'
import { startEmbeddedPostgres } from '../platform/data-dir/embedded-postgres.ts'
import type { Releasers } from '../platform/process/releasers.ts'
import { report } from './progress.ts'

export interface KeyedDatabase {
  url: string
  /** Key that seals the secrets in it; undefined where nothing names it. */
  secretsKey: string | undefined
}

const log = {
  info: () => {},
  warn: (message: string) => report(message, {}),
}

/** The database of the product, which may run. @throws where the folder has none */
export async function presentDatabase(
  dataDir: string,
  releasers: Releasers,
): Promise<KeyedDatabase> {
  const { url, keys, stop } = await useDataDirDatabase(dataDir, log)
  releasers.defer(stop)
  return { url, secretsKey: keys.secretsKey }
}

/** The database to restore into, which is made where there is none. @throws while the product uses the folder */
export async function emptyDatabase(dataDir: string, releasers: Releasers): Promise<KeyedDatabase> {
  const folder = await openDataDir(dataDir)
  releasers.defer(() => folder.release())
  const { databasePassword, secretsKey } = folder.keys
  const directory = join(folder.path, 'postgres')
  const { url, stop } = await startEmbeddedPostgres({ directory, password: databasePassword, log })
  releasers.defer(stop)
  return { url, secretsKey }
}
