import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { RunError } from '../run/error.ts'

const SPAWNER = fileURLToPath(new URL('./spawner.js', import.meta.url))

/** A process that was started. Its standard input is a connection for both directions; its standard output leads nowhere. */
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
  /** True if it was killed because it wrote more than that. */
  hasFlooded: boolean
}

export interface Launcher {
  /** @param command program and arguments. @throws RunError SANDBOX_UNAVAILABLE */
  launch(command: readonly string[]): Promise<SandboxedChild>
  /** Ends the process that starts the others; they should be gone. It starts again when it is needed. */
  stop(): Promise<void>
}

/** A report of the spawner; the connection comes with the number of the process. */
type Report = { id: string } & ({ pid: number } | { fault: string } | { end: ChildEnd })

interface Launched {
  started: PromiseWithResolvers<{ pid: number; stdio: Socket }>
  exited: PromiseWithResolvers<ChildEnd>
}

/** Starts processes by way of a small one (`spawner.js`), which starts with the first of them. */
export const createLauncher = (): Launcher => new SpawnerLauncher()

class SpawnerLauncher implements Launcher {
  #spawner: Promise<ChildProcess> | null = null
  readonly #known = new Map<string, Launched>()

  async launch(command: readonly string[]): Promise<SandboxedChild> {
    this.#spawner ??= this.#start().catch((error: Error) => {
      this.#spawner = null // the next one tries again
      throw unavailable(error.message)
    })
    const child = await this.#spawner
    const id = randomUUID()
    const launched = {
      started: Promise.withResolvers<{ pid: number; stdio: Socket }>(),
      exited: Promise.withResolvers<ChildEnd>(),
    }
    this.#known.set(id, launched)
    child.send({ id, command }, (error) => error && fail(launched, error.message))
    const { pid, stdio } = await launched.started.promise
    const kill = () => void (this.#known.has(id) && child.connected && child.send({ id }))
    return { pid, stdio, exited: launched.exited.promise, kill }
  }

  async stop(): Promise<void> {
    const child = await this.#spawner
    if (!child?.connected) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.disconnect()
    await exited
  }

  async #start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [SPAWNER, String(process.pid)], {
      env: {},
      cwd: '/',
      detached: true, // a Ctrl-C of the terminal is not for it
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const lose = () => this.#lose()
    child.once('exit', lose).once('error', lose)
    child.on('message', (report: Report, connection) => {
      this.#take(report, connection instanceof Socket ? connection : null)
    })
    // It ends with this process, and keeps it from ending no longer than its sandboxes do.
    child.unref()
    child.channel?.unref()
    return child
  }

  #lose(): void {
    this.#spawner = null
    for (const launched of this.#known.values()) fail(launched, 'What starts sandboxes was lost')
    this.#known.clear()
  }

  #take(report: Report, stdio: Socket | null): void {
    stdio?.on('error', () => {}) // its holder waits for its close
    const launched = this.#known.get(report.id)
    if ('pid' in report) {
      if (launched && stdio) launched.started.resolve({ pid: report.pid, stdio })
      else stdio?.destroy()
      return
    }
    this.#known.delete(report.id)
    if (!launched) return
    if ('fault' in report) fail(launched, report.fault)
    else launched.exited.resolve(report.end)
  }
}

function fail({ started, exited }: Launched, message: string): void {
  started.reject(unavailable(message))
  // One that runs ends with its input.
  started.promise.then(({ stdio }) => stdio.destroy()).catch(() => {})
  exited.resolve({ code: null, signal: 'SIGKILL', stderr: '', hasFlooded: false })
}

const unavailable = (message: string): RunError =>
  new RunError('SANDBOX_UNAVAILABLE', `The sandbox did not start: ${message}`)
