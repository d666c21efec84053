import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RunError } from '../run-error.ts'

const SPAWNER = fileURLToPath(new URL('./spawner.js', import.meta.url))

/** A process that was started, with its standard input and output as one connection. */
export interface SandboxedChild {
  readonly pid: number
  readonly stdio: Socket
  /** When it is gone; what it wrote may still be on its way. */
  readonly exited: Promise<ChildEnd>
  /** Kills it with its process group. Twice is harmless. */
  kill(): void
}

export interface ChildEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** As much of it as matters. */
  stderr: string
}

export interface Launcher {
  /** @param command program and arguments. @throws RunError SANDBOX_UNAVAILABLE */
  launch(command: readonly string[]): Promise<SandboxedChild>
  /** Ends the process that starts the others; they should be gone. It starts again when it is needed. */
  stop(): Promise<void>
}

/** What the spawner tells about a process. */
type Told = { id: string } & ({ pid: number } | { fault: string } | { end: ChildEnd })

/** A process of which not everything is known yet. */
interface Launched {
  pid: PromiseWithResolvers<number>
  stdio: PromiseWithResolvers<Socket>
  exited: PromiseWithResolvers<ChildEnd>
}

/** Starts processes by way of a small one (`spawner.js`), which starts with the first of them. */
export function createLauncher(): Launcher {
  // Nobody can guess it, so nobody else connects in time; and it leaves no file behind where that can be had.
  const name = `assay-sandbox-${randomUUID()}`
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  let spawner: Promise<ChildProcess> | null = null
  const known = new Map<string, Launched>()

  async function start(): Promise<ChildProcess> {
    const server = await listen(address, (id, connection) => {
      const launched = known.get(id)
      if (launched) launched.stdio.resolve(connection)
      else connection.destroy()
    })
    const child = spawn(process.execPath, [SPAWNER], {
      env: {},
      cwd: '/',
      detached: true, // a Ctrl-C of the terminal is not for it
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const lose = () => {
      server.close()
      spawner = null
      for (const launched of known.values()) fail(launched, 'What starts sandboxes was lost')
      known.clear()
    }
    child.once('exit', lose).once('error', lose)
    child.on('message', (told: Told) => take(told))
    // It ends with this process, and keeps it from ending no longer than its sandboxes do.
    child.unref()
    child.channel?.unref()
    return child
  }

  function take(told: Told): void {
    const launched = known.get(told.id)
    if (!launched) return
    if ('pid' in told) launched.pid.resolve(told.pid)
    else if ('fault' in told) {
      known.delete(told.id)
      fail(launched, told.fault)
    } else {
      launched.exited.resolve(told.end)
      // Its connection may still wait to be taken.
      const forget = () => void known.delete(told.id)
      launched.stdio.promise.then(forget, forget)
    }
  }

  return {
    async launch(command) {
      spawner ??= start().catch((error: Error) => {
        spawner = null // the next one tries again
        throw unavailable(error.message)
      })
      const child = await spawner
      const id = randomUUID()
      const launched = {
        pid: Promise.withResolvers<number>(),
        stdio: Promise.withResolvers<Socket>(),
        exited: Promise.withResolvers<ChildEnd>(),
      }
      known.set(id, launched)
      child.send({ id, address, command }, (error) => error && fail(launched, error.message))
      const [pid, stdio] = await Promise.all([launched.pid.promise, launched.stdio.promise])
      const kill = () => void (known.has(id) && child.connected && child.send({ id }))
      return { pid, stdio, exited: launched.exited.promise, kill }
    },
    async stop() {
      const child = await spawner
      if (!child?.connected) return
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await exited
    },
  }
}

function fail({ pid, stdio, exited }: Launched, message: string): void {
  const reason = unavailable(message)
  pid.reject(reason)
  stdio.reject(reason)
  // One that runs notices by its end of input that nobody wants it any more.
  stdio.promise.then((connection) => connection.destroy()).catch(() => {})
  exited.resolve({ code: null, signal: 'SIGKILL', stderr: '' })
}

const unavailable = (message: string): RunError =>
  new RunError('SANDBOX_UNAVAILABLE', `The sandbox did not start: ${message}`)

/** Takes connections, each of which begins with an id. */
async function listen(
  address: string,
  onConnection: (id: string, connection: Socket) => void,
): Promise<Server> {
  const server = createServer((connection) => {
    connection.on('error', () => {}) // whoever holds it notices its end
    connection.once('readable', () =>
      onConnection(String(connection.read(randomUUID().length) ?? ''), connection),
    )
  })
  server.unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(address, resolve)
  })
  return server
}
