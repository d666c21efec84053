/** Maximum age of an item that subscribers share: it shows things as they were when it was made. */
const SHARED_MS = 250

/** Items that were made of rows a moment ago, for all who take them. */
export class RecentItems<Row, Item> {
  readonly #make: (row: Row) => Promise<Item>
  #made = new Map<Row, { at: number; item: Promise<Item> }>()

  constructor(make: (row: Row) => Promise<Item>) {
    this.#make = make
  }

  /** Makes items of rows. None is from before `openedAt`: a subscriber may know of a change since then. */
  since(openedAt: number): (row: Row) => Promise<Item> {
    return (row) => {
      const known = this.#made.get(row)
      if (known && known.at > openedAt) return known.item
      const item = this.#make(row)
      if (this.#made.size === 0)
        setTimeout(() => {
          this.#made = new Map()
        }, SHARED_MS).unref()
      this.#made.set(row, { at: performance.now(), item })
      return item
    }
  }
}
