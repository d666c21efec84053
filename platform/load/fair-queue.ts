/** Items that wait, by owner. Owners take turns, so that many items of one delay another's by one at a time. */
export class FairQueue<Item> {
  readonly #byOwner = new Map<unknown, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(owner: unknown): number {
    return this.#byOwner.get(owner)?.length ?? 0
  }

  push(owner: unknown, item: Item): void {
    const items = this.#byOwner.get(owner) ?? []
    items.push(item)
    this.#byOwner.set(owner, items)
    this.#size++
  }

  remove(owner: unknown, item: Item): void {
    const items = this.#byOwner.get(owner) ?? []
    const at = items.indexOf(item)
    if (at < 0) return
    items.splice(at, 1)
    if (items.length === 0) this.#byOwner.delete(owner)
    this.#size--
  }

  shift(): Item | undefined {
    const [first] = this.#byOwner
    if (!first) return undefined
    const [owner, items] = first
    const item = items.shift()
    this.#byOwner.delete(owner)
    if (items.length > 0) this.#byOwner.set(owner, items)
    this.#size--
    return item
  }
}
