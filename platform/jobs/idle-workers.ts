/**
 * The workers that wait, by queue. A notified worker fetches a job and, after finding one, wakes the next, as there may
 * be more: pg-boss would wake all, and all but one would look in vain.
 */
export class IdleWorkers {
  readonly #byQueue = new Map<string, Set<string>>()
  readonly #notify: (worker: string) => void

  constructor(notify: (worker: string) => void) {
    this.#notify = notify
  }

  /** In turns, as one that was just woken may be busy soon. */
  readonly wake = (queue: string): void => {
    const [worker] = this.#byQueue.get(queue) ?? []
    if (worker === undefined) return
    this.add(queue, worker)
    this.#notify(worker)
  }

  add(queue: string, worker: string): void {
    const workers = this.#byQueue.get(queue) ?? new Set()
    workers.delete(worker)
    this.#byQueue.set(queue, workers.add(worker))
  }

  remove(queue: string, worker: string): void {
    this.#byQueue.get(queue)?.delete(worker)
  }
}
