import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../subgraphs/shared/data-dir/free-port.ts'
import { pathOf } from './programs.ts'

const run = promisify(execFile)

/** A cluster of Debian's PostgreSQL, in a folder of its own. */
export interface DebianPostgres {
  url: string
  stop(): Promise<void>
}

/** Transaction ids that one file of PostgreSQL's commit log covers, and its bytes. */
const LOG_XACTS = 2 ** 20
const LOG_BYTES = 2 ** 18

/** @param isAhead begins with transaction ids that a new cluster reaches after a million transactions */
export async function startDebianPostgres({ isAhead = false } = {}): Promise<DebianPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-debian-postgres-'))
  const account = await accountOf(folder)
  const data = join(folder, 'data')
  const options = { ...account, cwd: folder, env: { LC_ALL: 'C.UTF-8' } }
  const initialise = ['-D', data, '-U', 'assay', '--auth=trust', '--encoding=UTF8', '--no-sync']
  await run(pathOf('initdb'), initialise, options)
  if (isAhead) {
    const log = join(data, 'pg_xact', '0000')
    await writeFile(log, Buffer.alloc(LOG_BYTES))
    if (account) await chown(log, account.uid, account.gid)
    await run(pathOf('pg_resetwal'), ['-x', String(LOG_XACTS - 50_000), '-D', data], options)
  }
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  }
  const flags = Object.entries({ ...settings, wal_level: 'logical' })
  const args = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const server = spawn(pathOf('postgres'), args, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const abandon = () => void server.kill('SIGQUIT')
  process.once('exit', abandon)
  const ended = once(server, 'exit')
  let said = ''
  for await (const text of server.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    if (said.includes('ready to accept connections')) break
  }
  server.stderr.resume()
  if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`)
  return {
    url: `postgres://assay@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off('exit', abandon)
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
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
async function accountOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = await stat('/var/lib/postgresql')
  await chown(folder, uid, gid)
  return { uid, gid }
}
