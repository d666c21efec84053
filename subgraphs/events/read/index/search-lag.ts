import { AppError } from '../../../../schema/errors.ts'

/** What a transaction waits for at most before it begins. */
const SLOWEST_MS = 1_000

/**
 * Admission control by the number of events that search has not indexed: lists judge each of them, so too many make search
 * useless. From half of the maximum on, ingestion is slowed; at the maximum it is refused.
 */
export class SearchLag {
  readonly #max: number
  #events = 0

  /** @param max EVENTS_SEARCH_LAG */
  constructor(max: number) {
    this.#max = max
  }

  /** @param events that are stored and not indexed, about */
  note(events: number): void {
    this.#events = events
  }

  /** How many events are stored and not indexed, about. */
  get events(): number {
    return this.#events
  }

  get isHigh(): boolean {
    return this.#events > this.#max / 2
  }

  /** For how long the next transaction waits. */
  get delayMs(): number {
    const half = this.#max / 2
    return this.isHigh ? Math.min(1, (this.#events - half) / half) * SLOWEST_MS : 0
  }

  /** @throws AppError OVERLOADED */
  assertLow(): void {
    if (this.#events >= this.#max)
      throw new AppError(
        'OVERLOADED',
        `Search has ${this.#events} events left to index, of at most ${this.#max} (EVENTS_SEARCH_LAG). Send the events again after Retry-After`,
      )
  }
}
