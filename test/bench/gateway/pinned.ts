import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { descendantsOf } from '../../support/process-tree.ts'
import { TICK_MS } from '../processor-time.ts'

/** Gateways run on one core; what loads them, and the subgraphs, on another. */
const CORES = { gateway: '0', load: availableParallelism() > 1 ? '1' : '0' }

export interface Running {
  /** Output after `ready`. */
  ready: string
  pid: number
  stop(): Promise<void>
}

/** Keeps this process, which is the load, off the core of the gateways. */
export const pinLoad = () =>
  void execFileSync('taskset', ['-acp', CORES.load, String(process.pid)], { stdio: 'ignore' })

/** Keeps processes on the core of the product, with all below them. */
export async function pinProduct(pids: readonly number[]): Promise<void> {
  for (const pid of [...pids, ...(await descendantsOf(pids)).map((each) => each.pid)])
    execFileSync('taskset', ['-acp', CORES.gateway, `${pid}`], { stdio: 'ignore' })
}

/** Milliseconds for which the core of the product was busy since it was booted, by whatever ran there. */
export function busyMs(): number {
  const line = new RegExp(`^cpu${CORES.gateway} (.*)$`, 'm').exec(
    readFileSync('/proc/stat', 'utf8'),
  )
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = (line?.[1] ?? '')
    .split(' ')
    .map(Number)
  return (user + nice + system + interrupts + soft) * TICK_MS
}

/** Starts a script of ours on a core, and waits until it says that it is ready. */
export async function startPinned(
  core: keyof typeof CORES,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Running> {
  const child: ChildProcess = spawn('taskset', ['-c', CORES[core], process.execPath, ...args], {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', APOLLO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text
      const [, found] = /ready (?:at )?(\S+)\n/.exec(output) ?? /"url":"([^"]+)"/.exec(output) ?? []
      if (!found) return
      for (const stream of streams) stream?.off('data', read).resume()
      resolve(found)
    }
    const streams = [child.stdout, child.stderr]
    for (const stream of streams) stream?.on('data', read)
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended:\n${output}`)))
  })
  return {
    ready: await ready,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
