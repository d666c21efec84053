import { join } from 'node:path'
import { openDataDir } from '../subgraphs/platform/data-dir/data-dir.ts'
import { useDataDirDatabase } from '../subgraphs/platform/data-dir/data-dir-database.ts'
import { startEmbeddedPostgres } from '../subgraphs/platform/data-dir/embedded-postgres.ts'
import { loadKeys } from '../subgraphs/platform/data-dir/keys.ts'
import { writableServer } from '../subgraphs/platform/database/database-servers.ts'
import type { Releasers } from '../subgraphs/platform/process/releasers.ts'
import type { Variables } from '../subgraphs/platform/settings/variables.ts'
import { report } from './progress.ts'

export interface KeyedDatabase {
  url: string
  /** What seals the secrets in it; undefined where nothing says it. */
  secretsKey: string | undefined
}

type Settings = Pick<Variables, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'SECRETS_KEY'>

const log = {
  info: () => {},
  warn: (message: string) => report(message, {}),
}

/** The database of the product, which may run. @throws where DATA_DIR has none */
export async function presentDatabase(
  { DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL, SECRETS_KEY }: Settings,
  releasers: Releasers,
): Promise<KeyedDatabase> {
  if (DATABASE_URL)
    return {
      url: await writableServer(DATABASE_DIRECT_URL ?? DATABASE_URL),
      secretsKey: SECRETS_KEY,
    }
  const { url, stop } = await useDataDirDatabase(DATA_DIR, log)
  releasers.defer(stop)
  return { url, secretsKey: (await loadKeys(join(DATA_DIR, 'keys.json'))).secretsKey }
}

/** The database to restore into: that of DATA_DIR is made where there is none. @throws while the product uses DATA_DIR */
export async function emptyDatabase(
  { DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL, SECRETS_KEY }: Settings,
  releasers: Releasers,
): Promise<KeyedDatabase> {
  if (DATABASE_URL)
    return {
      url: await writableServer(DATABASE_DIRECT_URL ?? DATABASE_URL),
      secretsKey: SECRETS_KEY,
    }
  const folder = await openDataDir(DATA_DIR)
  releasers.defer(() => folder.release())
  const { databasePassword, secretsKey } = folder.keys
  const directory = join(folder.path, 'postgres')
  const { url, stop } = await startEmbeddedPostgres({ directory, password: databasePassword, log })
  releasers.defer(stop)
  return { url, secretsKey }
}
