import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { pathOf } from './programs.ts'

const run = promisify(execFile)

/** A cluster of Debian's PostgreSQL, in a folder of its own. */
export interface DebianPostgres {
  url: string
  /** Id of the process that starts all others. */
  readonly pid: number
  /** Ends it as a lost machine does. */
  kill(): Promise<void>
  /** Starts it again where it was. */
  restart(): Promise<void>
  /** Makes a standby take writes. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Transaction ids that one file of PostgreSQL's commit log covers, and its bytes. */
const LOG_XACTS = 2 ** 20
const LOG_BYTES = 2 ** 18

/**
 * @param isAhead begins with transaction ids that a new cluster reaches after a million transactions
 * @param within a folder for its files, such as a small disk
 * @param settings of PostgreSQL
 * @param env variables of the server, such as those of a clock
 */
export async function startDebianPostgres({
  isAhead = false,
  within = tmpdir(),
  settings = {},
  env = {},
} = {}): Promise<DebianPostgres> {
  const place = await makePlace(within)
  const initialise = ['-D', place.data, '-U', 'assay', '--auth=trust', '--encoding=UTF8']
  await run(pathOf('initdb'), [...initialise, '--no-sync'], place.options)
  if (isAhead) {
    const log = join(place.data, 'pg_xact', '0000')
    await writeFile(log, Buffer.alloc(LOG_BYTES))
    const { uid, gid } = place.options
    if (uid !== undefined && gid !== undefined) await chown(log, uid, gid)
    const reset = ['-x', String(LOG_XACTS - 50_000), '-D', place.data]
    await run(pathOf('pg_resetwal'), reset, place.options)
  }
  return startCluster(place, settings, env)
}

/** A standby that follows a cluster, and answers reads until it is promoted. */
export async function startStandbyOf({ url }: DebianPostgres): Promise<DebianPostgres> {
  const place = await makePlace()
  const copy = ['-d', url, '-D', place.data, '--write-recovery-conf', '--checkpoint=fast']
  await run(pathOf('pg_basebackup'), copy, place.options)
  return startCluster(place)
}

interface Place {
  folder: string
  data: string
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number }
}

async function makePlace(within = tmpdir()): Promise<Place> {
  const folder = await mkdtemp(join(within, 'assay-debian-postgres-'))
  const options = { ...(await accountOf(folder)), cwd: folder, env: { LC_ALL: 'C.UTF-8' } }
  return { folder, data: join(folder, 'data'), options }
}

async function startCluster(
  { folder, data, options }: Place,
  given: Record<string, string> = {},
  env: Record<string, string> = {},
): Promise<DebianPostgres> {
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Two of each subgraph and two workers open up to 144 when those of a frozen server are still there.
    max_connections: 300,
    fsync: 'off',
    wal_level: 'logical',
    ...given,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const begin = async () => {
    const begun = spawn(pathOf('postgres'), ['-D', data, ...flags], {
      ...options,
      env: { ...options.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await isReady(begun)
    return begun
  }
  let server = await begin()
  const abandon = () => void server.kill('SIGQUIT')
  process.once('exit', abandon)
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  return {
    url: `postgres://assay@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid ?? 0
    },
    kill: () => end('SIGQUIT'),
    async restart() {
      server = await begin()
    },
    promote: async () => {
      await run(pathOf('pg_ctl'), ['promote', '-D', data], options)
    },
    async stop() {
      process.off('exit', abandon)
      if (server.exitCode === null) await end('SIGINT')
      await rm(folder, { recursive: true })
    },
  }
}

async function isReady(server: ChildProcess): Promise<void> {
  let said = ''
  const output = server.stderr?.setEncoding('utf8')
  for await (const text of output?.iterator({ destroyOnReturn: false }) ?? []) {
    said += text
    if (/ready to accept (read-only )?connections/.test(said)) break
  }
  output?.resume()
  if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`)
}

/** Copies a database with PostgreSQL's own programs, as an operator does. */
export async function dumpAndRestore(
  from: DebianPostgres,
  to: DebianPostgres,
  ...options: string[]
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-dump-'))
  const file = join(folder, 'dump')
  await run(pathOf('pg_dump'), ['--format=custom', `--file=${file}`, ...options, from.url])
  await run(pathOf('pg_restore'), ['--exit-on-error', `--dbname=${to.url}`, file])
  await rm(folder, { recursive: true })
}

/** PostgreSQL refuses to run as root: it gets the account of Debian's package, and the folder. */
export async function accountOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat('/var/lib/postgresql')
  await chown(folder, uid, gid)
  return { uid, gid }
}
