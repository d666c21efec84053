import { FairQueue } from './fair-queue.ts'

export interface QueueOptions {
  /** Longest time that one waits for its turn, and the error after it; default: as long as it takes. */
  patience?: { ms: number; refusal(): Error }
  /** Makes the error of work whose signal is aborted before its turn; default: the reason of the signal. */
  aborted?(signal: AbortSignal): unknown
}

/** Runs up to `atOnce` pieces of work at a time; others wait, and their owners take turns. */
export class Queue {
  readonly #atOnce: number
  readonly #options: QueueOptions
  readonly #waiting = new FairQueue<() => void>()
  #running = 0

  constructor(atOnce: number, options: QueueOptions = {}) {
    this.#atOnce = atOnce
    this.#options = options
  }

  /** True where the next one has to wait. */
  get isFull(): boolean {
    return this.#running >= this.#atOnce
  }

  /** @throws what `work` throws; what `patience` and `aborted` say where its turn does not come */
  async run<Result>(
    work: () => Promise<Result>,
    { owner, signal }: { owner?: unknown; signal?: AbortSignal } = {},
  ): Promise<Result> {
    if (this.isFull) await this.#turn(owner, signal)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  /** The place of one that ends. */
  #turn(owner: unknown, signal: AbortSignal | undefined): Promise<void> {
    const { patience, aborted = ({ reason }) => reason } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      this.#waiting.remove(owner, resolve)
      reject(reason)
    }
    const abort = () => signal && leave(aborted(signal))
    const timer = patience && setTimeout(() => leave(patience.refusal()), patience.ms)
    this.#waiting.push(owner, resolve)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }
}
