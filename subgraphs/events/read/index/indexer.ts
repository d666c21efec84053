import { failureOf } from '../../../shared/database-error.ts'
import type { Logger } from '../../../shared/logger.ts'
import type { Filled, SearchRepository } from './search.repository.ts'
import type { SearchLag } from './search-lag.ts'

const PART = 2_000
/** While ingestion wants the machine: a larger one takes a core for longer than it should have to wait. */
const SMALL_PART = 250
/** Until the next look, where nothing was found; what this process stores ends it. */
const LOOK_AGAIN_MS = 1_000
/** A part gathers what comes in meanwhile: many small ones take longer than a large one. */
const GATHER_MS = 200
/** Of its time that indexing works while ingestion never rests. It grows up to 1 between these two lags. */
const LEAST_SHARE = 1 / 20
const SMALL_LAG_SECONDS = 1
const LARGE_LAG_SECONDS = 4

/**
 * Fills the search tables behind the stream, in one process at a time. Ingestion comes first: indexing works in the share of
 * time in which no request waits for a writer, and in a share that grows with the lag.
 */
export class Indexer {
  readonly #rows: Pick<SearchRepository, 'fill'>
  readonly #lag: Pick<SearchLag, 'note' | 'isHigh'>
  /** Milliseconds in which requests waited for a writer, up to now. */
  readonly #waitedMs: () => number
  readonly #log: Logger
  #hasNew = false
  #isStopped = false
  #wake = () => {}
  #isIdle = false
  #running: Promise<void> = Promise.resolve()

  constructor(
    rows: Pick<SearchRepository, 'fill'>,
    lag: Pick<SearchLag, 'note' | 'isHigh'>,
    waitedMs: () => number,
    log: Logger,
  ) {
    this.#rows = rows
    this.#lag = lag
    this.#waitedMs = waitedMs
    this.#log = log
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Events were committed in this process. */
  noteStored(): void {
    this.#hasNew = true
    if (this.#isIdle) this.#wake()
  }

  /** Waits for the part that is being indexed. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    let share = 1
    while (!this.#isStopped) {
      const [began, waitedMs] = [performance.now(), this.#waitedMs()]
      const part = share < 1 / 10 ? SMALL_PART : PART
      this.#hasNew = false
      const { indexed, lagSeconds } = await this.#fill(part)
      const took = performance.now() - began
      const isAll = indexed < part
      await this.#pause(Math.max(took / share - took, isAll ? GATHER_MS : 0))
      if (isAll && !this.#hasNew) {
        this.#isIdle = true
        await this.#pause(LOOK_AGAIN_MS)
        this.#isIdle = false
      }
      const rested = 1 - (this.#waitedMs() - waitedMs) / (performance.now() - began)
      share = this.#lag.isHigh ? 1 : Math.max(shareFor(lagSeconds), rested)
    }
  }

  async #fill(part: number): Promise<Pick<Filled, 'indexed' | 'lagSeconds'>> {
    try {
      const filled = await this.#rows.fill(part)
      this.#lag.note(filled.left)
      return filled
    } catch (error) {
      if (failureOf(error) !== 'transient')
        this.#log.error({ err: error }, 'Events could not be indexed; it is tried again')
      return { indexed: 0, lagSeconds: 0 }
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

const shareFor = (lagSeconds: number): number =>
  Math.max(
    LEAST_SHARE,
    Math.min(1, (lagSeconds - SMALL_LAG_SECONDS) / (LARGE_LAG_SECONDS - SMALL_LAG_SECONDS)),
  )
