import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

interface Process {
  pid: number
  command: string
}

/**
 * Ends every process of an earlier run that may still write to the data folder. The caller holds the lock over the
 * folder, so they have no owner. They are known by the cluster name, which PostgreSQL shows in all its command lines.
 */
export async function stopLeftovers(
  directory: string,
  clusterName: string,
  log: { warn(message: string): void },
): Promise<void> {
  let left = await findProcesses(clusterName)
  if (left.length === 0) return
  const pids = left.map(({ pid }) => pid).join(', ')
  log.warn(`Stopping leftover processes of a killed database (pid ${pids})`)

  const server = await recordedPid(directory)
  for (const [signal, patienceMs] of [
    ['SIGINT', left.some(({ pid }) => pid === server) ? 3_000 : 0], // the server ends its sessions, then itself
    ['SIGQUIT', 1_000],
    ['SIGKILL', 3_000],
  ] as const) {
    if (patienceMs === 0) continue
    for (const { pid } of left) if (signal !== 'SIGINT' || pid === server) send(pid, signal)
    const deadline = performance.now() + patienceMs
    while (left.length > 0 && performance.now() < deadline) {
      await delay(25)
      left = await findProcesses(clusterName)
    }
    if (left.length === 0) return
  }
  throw new Error(`Cannot stop the database processes ${left.map(({ pid }) => pid).join(', ')}`)
}

/** The process that the data folder says it belongs to; it may be long gone, or another program by now. */
export async function recordedPid(directory: string): Promise<number | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

/** The living processes of PostgreSQL with this cluster name, whichever user runs them. */
export async function findProcesses(clusterName: string): Promise<Process[]> {
  const all = process.platform === 'linux' ? await readProc() : await readPs()
  return all.filter(
    ({ command }) => /(^|\/)(postgres|initdb)[ :]/.test(command) && command.includes(clusterName),
  )
}

async function readProc(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(pid), command: command.replaceAll('\0', ' ') }
    }),
  )
}

async function readPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command='])
  return stdout.split('\n').map((line) => {
    const [, pid = '', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid), command }
  })
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}
