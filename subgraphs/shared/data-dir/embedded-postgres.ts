import { once } from 'node:events'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { chooseAccount } from './postgres-account.ts'
import { locateBinaries } from './postgres-binaries.ts'
import { createCluster, findDrafts, isInitialised, USER } from './postgres-cluster.ts'
import { startServerProcess } from './postgres-process.ts'

const DATABASE = 'assay'

export interface EmbeddedPostgresOptions {
  /** The data folder of PostgreSQL; created on the first start. The caller holds the lock over it. */
  directory: string
  password: string
  log: { info(message: string): void; warn(message: string): void }
  /** PostgreSQL settings that win over ours, by name. */
  settings?: Record<string, string>
}

export interface EmbeddedPostgres {
  /** `postgres://assay:…@127.0.0.1:port/assay` */
  url: string
  stop(): Promise<void>
}

/** Starts a PostgreSQL of our own on a free port of the loopback interface. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { password, log } = options
  await mkdir(dirname(options.directory), { recursive: true, mode: 0o700 })
  const directory = join(await realpath(dirname(options.directory)), basename(options.directory))
  const account = await chooseAccount(directory)
  const binaries = await locateBinaries(account)
  for (const draft of await findDrafts(directory)) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
  }
  if (!(await isInitialised(directory))) {
    log.info(`Creating the database in ${directory}`)
    await createCluster(directory, binaries, account, password)
  }
  const port = await freePort()
  const server = await startServerProcess({
    postgres: binaries.postgres,
    directory,
    account,
    port,
    settings: options.settings ?? {},
    onLine: (severity, line) => {
      if (['WARNING', 'ERROR', 'FATAL', 'PANIC'].includes(severity)) log.warn(`PostgreSQL: ${line}`)
    },
  })
  const url = (database: string) =>
    `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  await ensureDatabase(url('postgres'))
  return { url: url(DATABASE), stop: server.stop }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      DATABASE,
    ])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // a TCP server's address is never a string
  probe.close()
  await once(probe, 'close')
  return port
}
