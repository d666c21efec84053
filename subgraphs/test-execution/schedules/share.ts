import { AppError } from '../../../formats/errors.ts'
import type { Turn } from '../executions/accept/admission.ts'

/** Counts of waiting executions are older than this at most. */
const COUNT_MS = 1_000

/** Admits executions of schedules and triggers up to their share of the queue. */
export class ScheduleShare {
  readonly #count: (atMost: number) => Promise<number>
  readonly #most: number
  #waiting = 0
  #countedAt = -Infinity

  /** @param most SCHEDULES_SHARE of EXECUTIONS_QUEUE */
  constructor(count: (atMost: number) => Promise<number>, most: number) {
    this.#count = count
    this.#most = Math.max(1, most)
  }

  async turn(): Promise<Turn> {
    await this.take(1)
    return { end: () => {} }
  }

  /** @returns how many of them there is room for @throws AppError OVERLOADED without any */
  async take(wanted: number): Promise<number> {
    if (performance.now() - this.#countedAt > COUNT_MS) {
      this.#countedAt = performance.now()
      this.#waiting = await this.#count(this.#most)
    }
    if (this.#waiting >= this.#most)
      throw new AppError(
        'OVERLOADED',
        `${this.#most} executions of schedules wait for a worker (SCHEDULES_SHARE)`,
      )
    const taken = Math.min(wanted, this.#most - this.#waiting)
    this.#waiting += taken
    return taken
  }
}
