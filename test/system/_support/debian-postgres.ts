import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../../subgraphs/shared/data-dir/free-port.ts'
import { chooseAccount } from '../../../subgraphs/shared/data-dir/postgres-account.ts'
import { pathOf } from './programs.ts'

export interface DebianPostgres {
  /** A database that Assay may have for itself. */
  url: string
  stop(): Promise<void>
}

const START_MS = 30_000

/** The PostgreSQL of Debian, as operators have one: another version than the embedded one, with a store of its own. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-debian-postgres-'))
  const account = await chooseAccount(folder)
  if (account) await chown(folder, account.uid, account.gid)
  const options = {
    cwd: folder,
    env: { LC_ALL: 'C.UTF-8', TZ: 'America/New_York' },
    ...(account && { uid: account.uid, gid: account.gid }),
  }
  const initdb = ['-D', join(folder, 'data'), '--auth', 'trust', '--username', 'owner']
  await promisify(execFile)(pathOf('initdb'), initdb, options)
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  }
  const server = spawn(
    pathOf('postgres'),
    [
      '-D',
      join(folder, 'data'),
      ...Object.entries(settings).flatMap((pair) => ['-c', pair.join('=')]),
    ],
    { ...options, stdio: 'ignore' },
  )
  const url = (database: string) => `postgres://owner@127.0.0.1:${port}/${database}`
  await createWhenReady(url('postgres'), server)
  return {
    url: url('assay'),
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function createWhenReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.query('create database assay')
      return
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error
      await delay(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
