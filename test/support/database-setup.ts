import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterNameOf, startEmbeddedPostgres } from '../../platform/data-dir/embedded-postgres.ts'
import { stopLeftovers } from '../../platform/data-dir/postgres-leftovers.ts'
import { prepareMigratedDatabase } from './migrated-database.ts'

const PREFIX = 'assay-test-database-'
const log = { info: () => {}, warn: (message: string) => void process.stderr.write(`${message}\n`) }

/** Jest's globalSetup: one database server for all tests of the run. A test's data need not survive a power cut. */
export default async function setup(): Promise<void> {
  await removeAbandoned()
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  // An interrupted run ends its database too: process.exit() runs the handlers that a bare signal skips.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  const server = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    password: 'test',
    log,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
    },
  })
  process.env.TEST_DATABASE_URL = server.url
  process.env.TEST_RUN_FOLDER = folder
  Object.assign(globalThis, {
    stopTestDatabase: async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  })
  await prepareMigratedDatabase()
}

/** Ends and removes the databases of runs that were killed: their folders carry the pid of the run. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length)))) continue
    const folder = join(tmpdir(), name)
    const directory = join(folder, 'postgres')
    try {
      await stopLeftovers(directory, await clusterNameOf(directory), log)
      await rm(folder, { recursive: true, force: true })
    } catch {
      // Another user's, or another run was faster.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // of another user
  }
}
