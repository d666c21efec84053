/** The time that one request, or one step, may keep processes busy. What is run on it takes turns. */
export class Budget {
  #spentMs = 0
  #last: Promise<unknown> = Promise.resolve()

  /** @param setting names the limit in messages */
  readonly setting: string
  readonly ms: number

  constructor(setting: string, ms: number) {
    this.setting = setting
    this.ms = ms
  }

  get leftMs(): number {
    return Math.max(0, this.ms - this.#spentMs)
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }

  /** Runs work after all that was given before: one request holds one process at most. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
