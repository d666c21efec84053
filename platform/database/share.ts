import { AppError } from '../../formats/errors.ts'

interface Waiting {
  begin(): void
}

/**
 * A part of a pool of connections. What exceeds it waits in turn, so that it takes no connection from other work, and
 * only for a time.
 */
export class Share {
  readonly #waiting: Waiting[] = []
  #running = 0

  readonly #what: string
  readonly #size: number
  readonly #patienceMs: number

  /** @param what named in the message of a refusal @param patienceMs how long it waits */
  constructor(what: string, size: number, patienceMs: number) {
    this.#what = what
    this.#size = size
    this.#patienceMs = patienceMs
  }

  /** @throws AppError OVERLOADED when its turn does not come in time */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#turn()
    try {
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.begin()
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.#running < this.#size) {
      this.#running++
      return undefined
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(timer)
          this.#running++
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(this.#tooMany())
      }, this.#patienceMs)
      this.#waiting.push(waiting)
    })
  }

  #tooMany = () =>
    new AppError(
      'OVERLOADED',
      `${this.#size} ${this.#what} run at a time, and none of them ended in ${this.#patienceMs} ms: try again later`,
    )
}
