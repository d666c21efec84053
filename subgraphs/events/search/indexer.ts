import { failureOf } from '../../shared/database-error.ts'
import type { Logger } from '../../shared/logger.ts'
import type { SearchRepository } from './search.repository.ts'

const PART = 2_000
/** While events come in: a larger one takes a core for longer than they should have to wait for it. */
const BUSY_PART = 250
/** Until the next look, where nothing was found. */
const LOOK_AGAIN_MS = 1_000
/** During ingestion indexing yields: it works one part in `BUSY_SHARE` of the time. */
const BUSY_MS = 250
const BUSY_SHARE = 20

/** Fills the search tables behind the stream, in one process at a time. */
export class Indexer {
  readonly #rows: Pick<SearchRepository, 'fill'>
  readonly #log: Logger
  #storedAt = Number.NEGATIVE_INFINITY
  #isStopped = false
  #wake = () => {}
  #running: Promise<void> = Promise.resolve()

  constructor(rows: Pick<SearchRepository, 'fill'>, log: Logger) {
    this.#rows = rows
    this.#log = log
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Events were committed in this process. */
  noteStored(): void {
    this.#storedAt = performance.now()
  }

  /** Waits for the part that is being indexed. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const part = this.#isBusy() ? BUSY_PART : PART
      const began = performance.now()
      const found = await this.#fill(part)
      const took = performance.now() - began
      const aside = this.#isBusy() ? took * (BUSY_SHARE - 1) : 0
      await this.#pause(Math.max(aside, found < part ? LOOK_AGAIN_MS : 0))
    }
  }

  #isBusy(): boolean {
    return performance.now() - this.#storedAt < BUSY_MS
  }

  async #fill(part: number): Promise<number> {
    try {
      return await this.#rows.fill(part)
    } catch (error) {
      if (failureOf(error) !== 'transient')
        this.#log.error({ err: error }, 'Events could not be indexed; it is tried again')
      return 0
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve()
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
