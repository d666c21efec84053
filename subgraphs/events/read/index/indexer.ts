import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../../formats/errors.ts'
import { failureOf } from '../../../../platform/database/database-error.ts'
import type { Logger } from '../../../../platform/process/logger.ts'
import type { Filled, SearchRepository } from './search.repository.ts'

/** Longest wait before a transaction begins. */
const SLOWEST_MS = 1_000

/**
 * Admission control by the number of events that search has not indexed: lists judge each of them, so too many make search
 * useless. From half of the maximum on, ingestion is slowed; at the maximum it is refused.
 */
export class SearchLag {
  /** Approximate number of events that are stored and not indexed. */
  events = 0

  /** @param max EVENTS_SEARCH_LAG */
  constructor(private readonly max: number) {}

  /** @param events that are stored and not indexed, about */
  note(events: number): void {
    this.events = events
  }

  get isHigh(): boolean {
    return this.events > this.max / 2
  }

  /** For how long the next transaction waits. */
  get delayMs(): number {
    const half = this.max / 2
    return this.isHigh ? Math.min(1, (this.events - half) / half) * SLOWEST_MS : 0
  }

  /** @throws AppError OVERLOADED */
  assertLow(): void {
    if (this.events >= this.max)
      throw new AppError(
        'OVERLOADED',
        `Search has ${this.events} events left to index, of at most ${this.max} (EVENTS_SEARCH_LAG). Send the events again after Retry-After`,
      )
  }
}

/** Raw events of a part, by the share from which on: a larger one costs less of the machine for each, and takes it for longer. */
const PARTS = [
  { share: 1 / 2, events: 8_000 },
  { share: 1 / 10, events: 2_000 },
  { share: 0, events: 100 },
]
/** Time that a stop waits for a part: a cancelled one is indexed after the next start. */
const PATIENCE_MS = 500
/** Until the next look, where nothing was found; what this process stores ends it. */
const LOOK_AGAIN_MS = 1_000
/** A part gathers what comes in meanwhile: many small ones take longer than a large one. */
const GATHER_MS = 200
/** Share of its time that indexing works in a burst. */
const LEAST_SHARE = 1 / 20
/** It grows up to 1 between these two parts of time in which ingestion rests. */
const GROWS_WITH_REST = { from: 1 / 4, to: 1 / 2 }
/** And between these two lags (seconds): a burst is over before its events are searched, a load that lasts is not. */
const GROWS_WITH_LAG = { burst: { from: 5, to: 7 }, load: { from: 1, to: 3 } }
/** Time for which a load after a calm is a burst. */
const BURST_MS = 10_000
const CALM_MS = 2_000
/** A part of time in which ingestion rests longer is calm. */
const REST_OF_CALM = 3 / 4
/** The machine is looked at again at least this often. */
const LONGEST_PAUSE_MS = 2_000

/**
 * Fills the search tables behind the stream, in one process at a time. Ingestion comes first: indexing works in a share of
 * time that grows with the rest that ingestion has, and with the lag; soon in a load that lasts, late in a burst.
 */
export class Indexer {
  #hasNew = false
  #isStopped = false
  #wake = () => {}
  #isIdle = false
  #running: Promise<void> = Promise.resolve()

  /** @param busyMs milliseconds up to now in which ingestion did not rest, by several measures: the busiest one counts */
  constructor(
    private readonly rows: Pick<SearchRepository, 'fill' | 'cancel'>,
    private readonly lag: Pick<SearchLag, 'note' | 'isHigh'>,
    private readonly busyMs: readonly (() => number)[],
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#running = this.#run()
  }

  /** Events were committed in this process. */
  noteStored(): void {
    this.#hasNew = true
    if (this.#isIdle) this.#wake()
  }

  /** Waits for the part that is being indexed, unless it is a long one. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    const ended = this.#running.then(() => true)
    // A part that was cancelled between two statements goes on with the next one.
    while (!(await Promise.race([ended, delay(PATIENCE_MS, false, { ref: false })])))
      await Promise.race([ended, this.rows.cancel().catch(() => {})])
  }

  async #run(): Promise<void> {
    let share = 1
    let [busyAt, loadedSince] = [Number.NEGATIVE_INFINITY, 0]
    while (!this.#isStopped) {
      let [began, before] = this.#look()
      const part = PARTS.find((each) => share >= each.share)?.events ?? 0
      this.#hasNew = false
      const { isAll, lagSeconds } = await this.#fill(part)
      const took = performance.now() - began
      const pauseMs = Math.min(took / share - took, LONGEST_PAUSE_MS)
      await this.#pause(Math.max(pauseMs, isAll ? GATHER_MS : 0))
      if (isAll && !this.#hasNew) {
        this.#isIdle = true
        await this.#pause(LOOK_AGAIN_MS)
        this.#isIdle = false
        // Its rest before is no measure of a burst that has just begun.
        ;[began, before] = this.#look()
        await this.#pause(GATHER_MS)
      }
      const [now, after] = this.#look()
      const rest = 1 - Math.max(...after.map((ms, at) => ms - (before[at] ?? 0))) / (now - began)
      if (rest < REST_OF_CALM) {
        if (began - busyAt > CALM_MS) loadedSince = began
        busyAt = now
      }
      const kind = now - loadedSince < BURST_MS ? 'burst' : 'load'
      share = this.lag.isHigh ? 1 : shareFor(rest, lagSeconds, kind)
    }
  }

  /** The time, and how long ingestion was busy up to now. */
  #look(): [now: number, busyMs: number[]] {
    return [performance.now(), this.busyMs.map((read) => read())]
  }

  async #fill(part: number): Promise<Pick<Filled, 'isAll' | 'lagSeconds'>> {
    try {
      const filled = await this.rows.fill(part)
      this.lag.note(filled.left)
      return filled
    } catch (error) {
      if (failureOf(error) !== 'transient')
        this.log.error({ err: error }, 'Events could not be indexed; it is tried again')
      return { isAll: true, lagSeconds: 0 }
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

const shareFor = (rest: number, lagSeconds: number, kind: 'burst' | 'load'): number =>
  Math.max(LEAST_SHARE, grown(rest, GROWS_WITH_REST), grown(lagSeconds, GROWS_WITH_LAG[kind]))

/** From 0 to 1 between two values. */
const grown = (value: number, { from, to }: { from: number; to: number }): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)))
