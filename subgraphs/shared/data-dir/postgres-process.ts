import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './postgres-account.ts'

/** What PostgreSQL's programs see of our environment: nothing. */
export const postgresEnv = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

/**
 * How PostgreSQL is told its data folder. An account of its own may be unable to enter the folders above it, so it is
 * started inside and never needs their names.
 */
export const folderArgument = (directory: string, account: Account | undefined): string =>
  account ? '/proc/self/cwd' : directory

export interface ServerOptions {
  postgres: string
  directory: string
  account: Account | undefined
  port: number
  settings: Record<string, string>
  /** Every line the server writes, with its severity. */
  onLine(severity: string, line: string): void
  env?: Record<string, string>
}

/** A running server, ready for connections. */
export interface ServerProcess {
  /** Settles when the process is gone, however it ended. */
  exited: Promise<string>
  /** Ends it in an orderly way, by force when that takes too long. */
  stop(): Promise<void>
}

/** Starts the server; rejects with its last words when it ends before it is ready. */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const { postgres, directory, account, port, onLine } = options
  const settings = Object.entries({ ...fixedSettings, ...options.settings, port: String(port) })
  const child = spawn(
    postgres,
    [
      '-D',
      folderArgument(directory, account),
      ...settings.flatMap(([k, v]) => ['-c', `${k}=${v}`]),
    ],
    {
      cwd: directory,
      env: { ...postgresEnv, ...options.env },
      ...(account && { uid: account.uid, gid: account.gid }),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true, // a terminal's Ctrl-C must reach us first
    },
  )
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`))
  })
  const abandon = () => void child.kill('SIGINT')
  process.once('exit', abandon)
  void exited.then(() => process.off('exit', abandon))

  const words: string[] = []
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve()
      if (words.push(line) > 20) words.shift()
      onLine(/^([A-Z]+\d?): {2}/.exec(line)?.[1] ?? '', line)
    })
  })
  const failed = await Promise.race([ready, exited])
  if (failed !== undefined) {
    if (child.stderr.readable) await Promise.race([once(child.stderr, 'close'), delay(500)])
    throw new Error(`PostgreSQL ${failed}: ${words.join(' ')}`)
  }
  return { exited, stop: () => stopChild(child, exited) }
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const gone = exited.then(() => true)
  for (const [signal, patienceMs] of [
    ['SIGINT', 20_000], // fast shutdown: sessions end, everything is written
    ['SIGQUIT', 5_000], // immediate shutdown: the next start recovers
    ['SIGKILL', 5_000],
  ] as const) {
    child.kill(signal)
    if (await Promise.race([gone, delay(patienceMs, false, { ref: false })])) return
  }
}

const fixedSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  log_line_prefix: '',
  // Statements may carry secrets and events: they never reach the log.
  log_min_error_statement: 'panic',
  log_statement: 'none',
  max_logical_replication_workers: '0',
}
