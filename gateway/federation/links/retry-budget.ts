/** Retries that each request adds: a subgraph that fails gets at most this part of its load again. */
const RETRIES_PER_REQUEST = 0.2
/** Retries that are saved: enough for all requests in flight when a subgraph that was well loses its connections. */
const MOST_SAVED = 100

/** Retries that a subgraph may get. Without a bound, all clients of one that is overloaded would multiply its load. */
export class RetryBudget {
  #saved = MOST_SAVED

  requested(): void {
    this.#saved = Math.min(MOST_SAVED, this.#saved + RETRIES_PER_REQUEST)
  }

  /** @returns whether a retry is left, and takes it */
  take(): boolean {
    if (this.#saved < 1) return false
    this.#saved--
    return true
  }
}
