/** Bytes or units that are held until they are released. Nothing new begins when all are held. */
export class Budget {
  readonly #most: number
  readonly #refusal: (most: number) => Error
  #held = 0

  constructor(most: number, refusal: (most: number) => Error) {
    this.#most = most
    this.#refusal = refusal
  }

  get held(): number {
    return this.#held
  }

  /** @throws the refusal when all are held */
  assertRoom(): void {
    if (this.#held >= this.#most) throw this.refusal()
  }

  /** Takes what is there already, however much it is. @returns whether it is within the budget */
  take(amount: number): boolean {
    this.#held += amount
    return this.#held <= this.#most
  }

  release(amount: number): void {
    this.#held -= amount
  }

  refusal(): Error {
    return this.#refusal(this.#most)
  }
}
