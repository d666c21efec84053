import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** End of a process: one of the two is null. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A process of the built product. */
export interface ProductProcess {
  name: string
  pid: number
  /** Settles when it is gone and everything it wrote has arrived. */
  exited: Promise<Exit>
  isRunning(): boolean
  /** Everything it wrote so far, to both streams. */
  output(): string
  /** The first match in what it wrote or writes. @throws when it ends, or is silent for too long */
  says(pattern: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
}

const BUILT = join(import.meta.dirname, '..', '..', 'dist')
const SILENCE_MS = 120_000

/** Part of our environment that a process of the product sees besides the variables of a test. */
const SURROUNDINGS = { PATH: process.env.PATH, HOME: process.env.HOME }

/**
 * Starts a process out of what `npm run build` made.
 * @param entry file below `dist`, then its arguments @param cwd a folder that the test may lose
 */
export function spawnProduct(
  name: string,
  [file = '', ...args]: readonly string[],
  env: Record<string, string>,
  cwd: string,
  dist = BUILT,
): ProductProcess {
  const child = spawn(process.execPath, [join(dist, file), ...args], {
    cwd,
    env: { ...SURROUNDINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const abandon = () => void child.kill('SIGKILL')
  process.once('exit', abandon)
  const exited = endOf(child).finally(() => process.off('exit', abandon))

  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })

  return {
    name,
    pid: child.pid ?? 0,
    exited,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match) settle(() => resolve(match))
        }
        const fail = (what: string) =>
          settle(() =>
            reject(
              new Error(`${name} ${what}; it never said ${pattern}:\n${output.slice(-3_000)}`),
            ),
          )
        const patience = setTimeout(() => fail('is silent'), SILENCE_MS)
        const settle = (act: () => void) => {
          clearTimeout(patience)
          listeners.delete(look)
          act()
        }
        listeners.add(look)
        look()
        void exited.then(({ code, signal }) => {
          look()
          fail(`ended (${signal ?? code})`)
        })
      }),
  }
}

async function endOf(child: ChildProcess): Promise<Exit> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal }
}
