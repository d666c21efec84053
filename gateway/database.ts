import { join } from 'node:path'
import { openDataDir } from '../platform/data-dir/data-dir.ts'
import { startEmbeddedPostgres } from '../platform/data-dir/embedded-postgres.ts'
import { tryListen } from '../platform/data-dir/free-port.ts'
import type { GivenUrls } from '../platform/database/database-servers.ts'
import type { Logger } from '../platform/process/logger.ts'
import { withReleasers } from '../platform/process/releasers.ts'
import type { SecretsKeys } from '../platform/secrets.ts'
import type { AllInOneConfig } from './config.ts'

/** The database of a single process, and the keys that belong to it. */
export interface Database extends SecretsKeys, GivenUrls {
  /** Signs the bodies of callbacks. */
  callbackSigningSecret: string
  stop(): Promise<void>
}

/** Connections of one process to the embedded database, with some to spare. */
const CONNECTIONS = 100

/** The database that the configuration names, else one of our own in the data folder. */
export const openDatabase = (config: AllInOneConfig, log: Logger): Promise<Database> =>
  withReleasers(async (releasers) => {
    const stop = () => releasers.release()
    if (config.database) return { ...config.database, stop }
    const folder = await openDataDir(config.dataDir)
    releasers.defer(() => folder.release())
    // A first start takes long to make the database.
    await tryListen(config.port, config.host)
    const database = await startEmbeddedPostgres({
      directory: join(folder.path, 'postgres'),
      password: folder.keys.databasePassword,
      log,
      settings: { max_connections: String(CONNECTIONS * config.processes) },
    })
    releasers.defer(() => database.stop())
    const { secretsKey, previousSecretsKey, callbackSigningSecret } = folder.keys
    return { url: database.url, secretsKey, previousSecretsKey, callbackSigningSecret, stop }
  })
