import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A process that stands in for a container of the product. */
export interface Container {
  isRunning(): boolean
  /** Everything it wrote. */
  output(): string
  /** @returns its exit code */
  stop(): Promise<number | null>
}

const HEALTHY_MS = 60_000
/** Arguments of `unshare`, followed by the folder and the command. */
const READ_ONLY = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  ...['--mount', 'sh', '-ec'],
  'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; cd "$0"; exec "$@"',
]

/**
 * Runs a command as a container would: its folder is read-only, and nothing is in its environment but what is given and
 * a way to find programs.
 */
export function runContainer(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Container {
  const child: ChildProcess = spawn('unshare', [...READ_ONLY, folder, ...withNode(command)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const exited = once(child, 'exit')
  return {
    isRunning: () => child.exitCode === null,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
  }
}

/** Repeats a health check until it exits with 0, as Docker does. */
export async function untilHealthy([kind, ...command]: readonly string[], of: Container) {
  if (kind !== 'CMD') throw new Error(`A health check of an unexpected kind: ${kind}`)
  const [program = '', ...args] = withNode(command)
  const deadline = Date.now() + HEALTHY_MS
  for (;;) {
    try {
      return await promisify(execFile)(program, args)
    } catch (error) {
      if (Date.now() > deadline || !of.isRunning())
        throw new Error(`Not healthy: ${error}\n${of.output()}`)
      await delay(100)
    }
  }
}

/** The image's `node` is the one that runs us. */
const withNode = (command: readonly string[]) =>
  command.map((word, index) => (index === 0 && word === 'node' ? process.execPath : word))
