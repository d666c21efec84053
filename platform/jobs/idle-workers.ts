/**
 * The workers that wait, by queue. A notified worker fetches a job and, after finding one, wakes the next, as there may
 * be more: pg-boss would wake all, and all but one would look in vain.
 */
export class IdleWorkers {
  readonly #byQueue = new Map<string, Set<string>>()
  readonly #notify: (worker: string) => void
  /** Queues of which no worker was idle when one was to be woken. */
  readonly #missed = new Set<string>()

  constructor(notify: (worker: string) => void) {
    this.#notify = notify
  }

  /** In turns, as one that was just woken may be busy soon. */
  readonly wake = (queue: string): void => {
    const [worker] = this.#byQueue.get(queue) ?? []
    if (worker === undefined) return void this.#missed.add(queue)
    this.add(queue, worker)
    this.#notify(worker)
  }

  add(queue: string, worker: string): void {
    const workers = this.#byQueue.get(queue) ?? new Set()
    workers.delete(worker)
    this.#byQueue.set(queue, workers.add(worker))
  }

  /** @returns whether a wake-up has reached none since this was asked */
  takeMissed(queue: string): boolean {
    return this.#missed.delete(queue)
  }

  remove(queue: string, worker: string): void {
    this.#byQueue.get(queue)?.delete(worker)
  }
}
