import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './postgres-account.ts'

/** Environment of PostgreSQL's programs: nothing of ours. */
export const postgresEnv = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

/**
 * Relative path by which PostgreSQL finds its data folder. An account of its own may be unable to enter the folders above it, so the server
 * starts inside and never needs their names.
 */
export const folderArgument = (directory: string, account: Account | undefined): string =>
  account ? '/proc/self/cwd' : directory

export interface ServerOptions {
  postgres: string
  directory: string
  account: Account | undefined
  settings: Record<string, string>
  log: { info(message: string): void; warn(message: string): void }
  /** The process that the data folder names as its server although it is not one any more. */
  stalePid: number | undefined
}

/** A running server, ready for connections. */
export interface ServerProcess {
  /** Settles when the process is gone, with how it ended. */
  exited: Promise<string>
  /** Ends it in an orderly way, by force when that takes too long; twice is harmless. */
  stop(): Promise<void>
}

/** Starts the server; rejects with its last words when it ends before it is ready. */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const { directory, account, stalePid } = options
  const settings = Object.entries({ ...options.settings, log_line_prefix: '[%b] ' })
  const child = spawn(
    options.postgres,
    [
      '-D',
      folderArgument(directory, account),
      ...settings.flatMap((pair) => ['-c', pair.join('=')]),
    ],
    {
      cwd: directory,
      // PostgreSQL refuses a data folder whose recorded server lives, unless that is its grandparent. So a reused
      // pid does not stop it, and its check that no other server shares the folder's memory stays in force.
      env: { ...postgresEnv, ...(stalePid && { PG_GRANDPARENT_PID: String(stalePid) }) },
      ...(account && { uid: account.uid, gid: account.gid }),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true, // a terminal's Ctrl-C must reach us first
    },
  )
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`failed: ${error.message}`))
    child.on('exit', (code, signal) => resolve(`ended (${signal ?? `code ${code}`})`))
  })
  const abandon = () => void child.kill('SIGINT')
  process.once('exit', abandon)
  void exited.then(() => process.off('exit', abandon))

  const messages: string[] = []
  const ready = new Promise<void>((resolve) => {
    const lines = createInterface({ input: child.stderr })
    lines.on('line', (line) => {
      const { from, severity, text } = parseLine(line)
      if (text.endsWith('ready to accept connections')) resolve()
      else if (text.includes('recovery in progress')) options.log.info(`PostgreSQL: ${text}`)
      else if (severity !== 'LOG' && messages.push(text) > 10) messages.shift()
      // The client of a session logs its errors; we log those of the server itself.
      if (severity === 'PANIC' || (troubles.has(severity) && !from.endsWith('client backend'))) {
        options.log.warn(`PostgreSQL ${from}: ${text}`)
      }
    })
  })
  const end = await Promise.race([ready, exited])
  if (end !== undefined) {
    if (!child.stderr.closed) await Promise.race([once(child.stderr, 'close'), delay(500)])
    throw postgresFailure(`PostgreSQL ${end}. ${messages.join('. ')}`)
  }
  return { exited, stop: () => stopChild(child, exited) }
}

/** PostgreSQL's programs say in words alone that a disk is full. */
export const postgresFailure = (message: string): Error =>
  Object.assign(new Error(message), message.includes('No space left') && { code: 'ENOSPC' })

const troubles = new Set(['WARNING', 'ERROR', 'FATAL', 'PANIC'])

function parseLine(line: string): { from: string; severity: string; text: string } {
  const [, from = '', severity = '', text = line] = /^\[(.*?)\] ([A-Z]+): {2}(.*)$/.exec(line) ?? []
  return { from, severity, text }
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
