import { FairQueue } from './fair-queue.ts'

/**
 * Gives one piece of work a turn of the event loop to itself, so that many pieces delay what arrives meanwhile by one of
 * them. Owners take turns, too.
 */
export class OwnTurns {
  readonly #waiting = new FairQueue<() => void>()
  #isTaken = false

  /** @returns when the turn has begun */
  async begin(owner: unknown): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(owner, resolve))
    else this.#take()
  }

  #take(): void {
    this.#isTaken = true
    setImmediate(() => {
      const next = this.#waiting.shift()
      if (next) this.#take()
      else this.#isTaken = false
      next?.()
    })
  }
}
