import { Budget } from './budget.ts'

/** Runs up to `atOnce` pieces of work at a time, and refuses one more. */
export class Limit {
  readonly #places: Budget

  constructor(atOnce: number, refusal: (atOnce: number) => Error) {
    this.#places = new Budget(atOnce, refusal)
  }

  /** @throws the refusal; what `work` throws */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#places.assertRoom()
    this.#places.take(1)
    try {
      return await work()
    } finally {
      this.#places.release(1)
    }
  }
}
