import { Budget } from './budget.ts'

/** So many at a time; one more is refused. */
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
