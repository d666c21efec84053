/** Results that are made once for an object and a key. They go with the object. */
export class MadeOnce<Source extends object, Result> {
  readonly #made = new WeakMap<Source, Map<string, Result>>()

  of(source: Source, key: string, make: () => Result): Result {
    const made = this.#made.get(source) ?? new Map<string, Result>()
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make()
    this.#made.set(source, made.set(key, fresh))
    return fresh
  }
}
