/** Requests and jobs that still run after this time are ended. */
const GRACE_MS = 30_000

/** The time that a stop leaves to what is running. All parts of a process share it; it begins when the first one asks. */
export class GracePeriod {
  readonly #ms: number
  #endsAt: number | undefined

  constructor(ms = GRACE_MS) {
    this.#ms = ms
  }

  leftMs(): number {
    const now = performance.now()
    this.#endsAt ??= now + this.#ms
    return Math.max(0, this.#endsAt - now)
  }
}
