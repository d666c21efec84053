import { mkdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { errorCode } from './error-code.ts'
import { folderId } from './folder-id.ts'
import { freePort } from './free-port.ts'
import { chooseAccount, giveTo } from './postgres-account.ts'
import { locateBinaries } from './postgres-binaries.ts'
import { createCluster, findDrafts, isInitialised, USER } from './postgres-cluster.ts'
import { recordedPid, stopLeftovers } from './postgres-leftovers.ts'
import { type ServerProcess, startServerProcess } from './postgres-process.ts'
import { settingsFor, usableMemory } from './postgres-settings.ts'
import { superviseServer } from './postgres-supervisor.ts'

/** Creates the database unless it exists; `url` is another database of the same server. */
async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    if (errorCode(error) === '28P01') {
      throw new Error(
        'The database was created with other keys: restore the keys.json that belongs to it. Removing the data folder loses all data.',
      )
    }
    throw error
  } finally {
    await client.end()
  }
}

const DATABASE = 'assay'

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's own folder, created on the first start. The caller holds the lock over the folder it is in. */
  directory: string
  password: string
  log: { info(message: string): void; warn(message: string): void }
  /** PostgreSQL settings that win over ours, by name. */
  settings?: Record<string, string>
}

export interface EmbeddedPostgres {
  /** `postgres://assay:…@127.0.0.1:port/assay`, valid until `stop`: a server that dies is started again on its port. */
  url: string
  /** Ends all sessions and the server; twice is harmless. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL of our own on a free port of the loopback interface, after ending whatever an earlier, killed run
 * left. Root lends it another account (see chooseAccount).
 */
export async function startEmbeddedPostgres(o: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { password, log } = o
  await mkdir(dirname(o.directory), { recursive: true, mode: 0o700 })
  const parent = await realpath(dirname(o.directory))
  const directory = join(parent, basename(o.directory))
  const clusterName = await clusterNameOf(directory)
  const account = await chooseAccount(directory)
  const binaries = await locateBinaries(account)

  await stopLeftovers(directory, clusterName, log)
  for (const draft of await findDrafts(directory)) await rm(draft, { recursive: true, force: true })
  if (!(await isInitialised(directory))) {
    log.info(`Creating the database in ${directory}`)
    await createCluster(directory, { binaries, account, clusterName, password })
  } else if (account && (await stat(directory)).uid === 0) {
    await giveTo(account, directory) // restored by root from a backup
  }

  let port = await freePort()
  const start = async (): Promise<ServerProcess> => {
    await stopLeftovers(directory, clusterName, log)
    return startServerProcess({
      postgres: binaries.postgres,
      directory,
      account,
      settings: {
        ...settingsFor(usableMemory()),
        ...o.settings,
        cluster_name: clusterName,
        port: String(port),
      },
      log,
      stalePid: await recordedPid(directory),
    })
  }
  const first = await startPatiently(start, async () => {
    port = await freePort()
  })
  const server = superviseServer(first, start, log)
  const url = (database: string) =>
    `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  try {
    await ensureDatabase(url('postgres'), DATABASE)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { url: url(DATABASE), stop: server.stop }
}

/** Name of the processes of this data folder, also before the folder exists. */
export const clusterNameOf = async (directory: string): Promise<string> =>
  `assay-${await folderId(dirname(directory), basename(directory))}`

/** Retries past two transient faults: sessions of a killed server still end, or another process took the free port. */
async function startPatiently(
  start: () => Promise<ServerProcess>,
  changePort: () => Promise<void>,
): Promise<ServerProcess> {
  const deadline = performance.now() + 10_000
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const reason = error instanceof Error ? error.message : ''
      if (performance.now() > deadline) throw error
      if (/could not create any TCP/.test(reason)) await changePort()
      else if (/pre-existing shared memory block/.test(reason)) await delay(250)
      else throw error
    }
  }
}
