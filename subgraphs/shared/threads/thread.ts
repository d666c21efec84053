import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Ready, Reply, Request } from './serve-tasks.ts'

export interface ThreadOptions {
  /** The module that the thread runs; it calls `serveTasks`. */
  file: URL
  /** What it gets as its `workerData`. */
  data?: unknown
  heapMebibytes: number
}

/** How a task ended: with a reply, or for what it had too much of. Then the thread has ended, too. */
type End = Reply | 'time' | 'memory'

/** On a machine that is busy with other work, a task may take longer than its processor time, but not for ever. */
const PATIENCE = 20
/** The timer is set again for no less. */
const LOOK_AGAIN_MS = 20

/** One thread, which runs one task at a time. It keeps no process alive. */
export class Thread {
  hasEnded = false
  onEnd = () => {}
  readonly #worker: Worker
  readonly #ready: Promise<Ready>
  #settle: ((end: End) => void) | undefined
  #resting: NodeJS.Timeout | undefined

  constructor({ file, data, heapMebibytes }: ThreadOptions) {
    this.#worker = new Worker(file, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMebibytes },
    })
    this.#worker.unref()
    let failure: Error & { code?: string } = new Error('A thread has ended')
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: Reply | Ready) => {
        if ('schedule' in message) resolve(message)
        else this.#settle?.(message)
      })
      this.#worker.on('error', (error) => {
        failure = error
      })
      this.#worker.on('exit', () => {
        this.hasEnded = true
        this.onEnd()
        reject(failure)
        this.#settle?.(failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : { thrown: failure })
      })
    })
    this.#ready.catch(() => {}) // thrown to the task that waits for it
  }

  /** @param ms processor time that it may take @returns how it ended, and what it took */
  async run(name: string, input: unknown, ms: number): Promise<{ end: End; ms: number }> {
    clearTimeout(this.#resting)
    this.#worker.ref()
    const { schedule } = await this.#ready
    const began = { wall: performance.now(), used: usedMs(schedule) }
    const taken = () => usedMs(schedule) - began.used
    let timer: NodeJS.Timeout | undefined
    try {
      const end = await new Promise<End>((resolve) => {
        this.#settle = resolve
        const look = () => {
          const left = ms - taken()
          const isOver = left <= 0 || performance.now() - began.wall > ms * PATIENCE
          // A reply that waits behind other work of this thread has its turn first.
          if (isOver) setImmediate(resolve, 'time')
          else timer = setTimeout(look, Math.max(left, LOOK_AGAIN_MS))
        }
        timer = setTimeout(look, ms)
        this.#worker.postMessage({ name, input } satisfies Request)
      })
      const result = { end, ms: this.hasEnded ? ms : taken() }
      if (end === 'time') await this.end()
      return result
    } finally {
      clearTimeout(timer)
      this.#settle = undefined
      this.#worker.unref()
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
    await this.#worker.terminate()
  }
}

/** Processor time of a thread; the time of day where the kernel does not tell. */
function usedMs(schedule: string | null): number {
  if (schedule === null) return performance.now()
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return Number.POSITIVE_INFINITY // it has ended
  }
}
