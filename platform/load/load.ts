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

export interface QueueOptions {
  /** Longest time that one waits for its turn, and the error after it; default: as long as it takes. */
  patience?: { ms: number; refusal(): Error }
  /** Makes the error of work whose signal is aborted before its turn; default: the reason of the signal. */
  aborted?(signal: AbortSignal): unknown
}

/** Runs up to `atOnce` pieces of work at a time; others wait, and their owners take turns. */
export class Queue {
  readonly #atOnce: number
  readonly #options: QueueOptions
  readonly #waiting = new FairQueue<() => void>()
  #running = 0

  constructor(atOnce: number, options: QueueOptions = {}) {
    this.#atOnce = atOnce
    this.#options = options
  }

  /** True where the next one has to wait. */
  get isFull(): boolean {
    return this.#running >= this.#atOnce
  }

  /** @throws what `work` throws; what `patience` and `aborted` say where its turn does not come */
  async run<Result>(
    work: () => Promise<Result>,
    { owner, signal }: { owner?: unknown; signal?: AbortSignal } = {},
  ): Promise<Result> {
    if (this.isFull) await this.#turn(owner, signal)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  /** The place of one that ends. */
  #turn(owner: unknown, signal: AbortSignal | undefined): Promise<void> {
    const { patience, aborted = ({ reason }) => reason } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      this.#waiting.remove(owner, resolve)
      reject(reason)
    }
    const abort = () => signal && leave(aborted(signal))
    const timer = patience && setTimeout(() => leave(patience.refusal()), patience.ms)
    this.#waiting.push(owner, resolve)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }
}

/**
 * Gives one piece of work a turn of the event loop to itself, so that many pieces delay what arrives meanwhile by one of
 * them. Owners take turns, too.
 */
export class OwnTurns {
  readonly #waiting = new FairQueue<() => void>()
  #isTaken = false

  /** @returns when the turn has begun */
  async begin(owner: unknown): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(owner, resolve))
    else this.#take()
  }

  #take(): void {
    this.#isTaken = true
    setImmediate(() => {
      const next = this.#waiting.shift()
      if (next) this.#take()
      else this.#isTaken = false
      next?.()
    })
  }
}
