import { reasonOf } from './deadline.ts'

/** Limits how many pass at a time; the others wait in order of arrival. */
export class Gate {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(size: number) {
    this.#free = size
  }

  /** @throws RunError once the signal is aborted before there is a place */
  async pass<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await this.#turn(signal)
    try {
      return await work()
    } finally {
      const [next] = this.#waiting
      if (next) next()
      else this.#free++
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => () => {
        this.#waiting.delete(enter)
        signal.removeEventListener('abort', leave)
        end()
      }
      const enter = settle(resolve)
      const leave = settle(() => reject(reasonOf(signal)))
      if (signal.aborted) return reject(reasonOf(signal))
      this.#waiting.add(enter)
      signal.addEventListener('abort', leave)
    })
  }
}
