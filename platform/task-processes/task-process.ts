import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { type Ready, type Reply, type Request, thrownIn } from './serve-tasks.ts'

export interface TaskProcessOptions {
  /** The program that the process runs; it calls `serveTasks`. */
  file: URL
  /** Data with which that program prepares its tasks. */
  data?: unknown
  heapMebibytes: number
}

/** Our environment has secrets: of it, a process gets where Node keeps compiled code. */
const environment = () => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_DISABLE_COMPILE_CACHE: process.env.NODE_DISABLE_COMPILE_CACHE,
})

/** End of a task: a reply, or the limit that it exceeded. Then the process may have ended, too. */
type End = Reply | 'time'

/** On a machine that is busy with other work, a task may take longer than its processor time, but not for ever. */
const PATIENCE = 20
/** The timer is set again for no less. */
const LOOK_AGAIN_MS = 20

/**
 * One process, which runs one task at a time. It keeps no other process alive, and ends with the one that started it.
 * Its memory is its own: a thread that takes too much at once would take this process along.
 */
export class TaskProcess {
  hasEnded = false
  onEnd = () => {}
  readonly #child: ChildProcess
  readonly #ready: Promise<void>
  readonly #gone: Promise<void>
  #settle: ((end: End) => void) | undefined
  #resting: NodeJS.Timeout | undefined

  constructor({ file, data, heapMebibytes }: TaskProcessOptions) {
    this.#child = fork(file, {
      serialization: 'advanced',
      // Arguments of this process may be about its own main module.
      execArgv: [`--max-old-space-size=${heapMebibytes}`],
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#keepAlive(false)
    this.#send(data)
    const gone = Promise.withResolvers<void>()
    this.#gone = gone.promise
    this.#ready = new Promise((resolve, reject) => {
      this.#child.on('message', (bytes: Buffer) => {
        const message = read(bytes)
        if (message === 'ready') resolve()
        else this.#settle?.(message)
      })
      const ended = (failure: Error) => {
        const wasEnded = this.hasEnded
        this.hasEnded = true
        this.onEnd()
        gone.resolve()
        reject(failure)
        // A process that ends by itself has met the limit of its heap, or the machine's.
        this.#settle?.(wasEnded ? { thrown: thrownIn(failure) } : 'memory')
      }
      this.#child.once('error', ended)
      this.#child.once('exit', (code, signal) =>
        ended(new Error(`A process for tasks has ended: ${signal ?? `exit code ${code}`}`)),
      )
    })
    this.#ready.catch(() => {}) // thrown to the task that waits for it
  }

  /** @param ms processor time that it may take @returns how it ended, and what it took */
  async run(name: string, input: unknown, ms: number): Promise<{ end: End; ms: number }> {
    clearTimeout(this.#resting)
    this.#keepAlive(true)
    let timer: NodeJS.Timeout | undefined
    try {
      await this.#ready
      const schedule = scheduleOf(this.#child)
      const began = { wall: performance.now(), used: usedMs(schedule) }
      const taken = () => usedMs(schedule) - began.used
      const end = await new Promise<End>((resolve) => {
        this.#settle = resolve
        const look = () => {
          const left = ms - taken()
          const isOver = left <= 0 || performance.now() - began.wall > ms * PATIENCE
          // A reply that waits behind other work of this process has its turn first.
          if (isOver) setImmediate(resolve, 'time')
          else timer = setTimeout(look, Math.max(left, LOOK_AGAIN_MS))
        }
        this.#send({ name, input } satisfies Request)
        timer = setTimeout(look, ms)
      })
      const result = { end, ms: this.hasEnded ? ms : taken() }
      if (end === 'time') await this.end()
      return result
    } finally {
      clearTimeout(timer)
      this.#settle = undefined
      this.#keepAlive(false)
    }
  }

  /** Nothing to do: ends after a while, unless there is no such time. */
  rest(idleMs: number | null): void {
    if (idleMs !== null) this.#resting = setTimeout(() => void this.end(), idleMs).unref()
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting)
    this.hasEnded = true
    this.onEnd()
    this.#child.kill('SIGKILL')
    this.#child.ref() // until it is gone
    await this.#gone
  }

  /** Ignores failures to send to a process that has ended: its end is reported. */
  #send(message: unknown): void {
    this.#child.send(serialize(message), () => {})
  }

  #keepAlive(isBusy: boolean): void {
    for (const one of [this.#child, this.#child.channel]) isBusy ? one?.ref() : one?.unref()
  }
}

/** Reads a reply; nesting that is too deep for this stack counts as thrown by the task. */
function read(bytes: Buffer): Reply | Ready {
  try {
    return deserialize(bytes)
  } catch (error) {
    return { thrown: thrownIn(error) }
  }
}

/** File of the kernel with the time that the main thread of a process has run; null on machines without. */
function scheduleOf({ pid }: ChildProcess): string | null {
  const file = `/proc/${pid}/schedstat`
  return existsSync(file) ? file : null
}

/** Processor time; the time of day where the kernel does not say. */
function usedMs(schedule: string | null): number {
  if (schedule === null) return performance.now()
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return Number.POSITIVE_INFINITY // it has ended
  }
}
