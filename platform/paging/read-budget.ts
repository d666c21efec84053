import { AppError } from '../../formats/errors.ts'
import { currentOperation } from '../tracing/trace.ts'

const PAGE_BYTES = 2 * 2 ** 20
/** One operation may read this many times PAGE_BYTES, over all its lists and single objects. */
const PAGES = 4

/** A value that was read, with its size in bytes. */
export interface Sized<Value> {
  value: Value
  bytes: number
}

/** Bounds the bytes that one operation reads, as its answer is made and written in one piece. */
export class ReadBudget {
  /** A page ends where its rows have this many bytes. PAGE_BYTES */
  readonly pageBytes: number
  readonly #pages: number
  readonly #spent = new WeakMap<object, number>()
  readonly #turns = new WeakMap<object, Promise<unknown>>()

  constructor(pageBytes = PAGE_BYTES, pages = PAGES) {
    this.pageBytes = pageBytes
    this.#pages = pages
  }

  /** Maximum that an operation reads. */
  get bytes(): number {
    return this.pageBytes * this.#pages
  }

  /** @param bytes 0 before anything is read @throws AppError OPERATION_LIMIT_EXCEEDED once the operation has read too much */
  spend(bytes: number): void {
    const operation = currentOperation()
    if (!operation) return
    const spent = (this.#spent.get(operation) ?? 0) + bytes
    this.#spent.set(operation, spent)
    if (spent > this.bytes) throw this.exceeded()
  }

  exceeded(): AppError {
    return new AppError(
      'OPERATION_LIMIT_EXCEEDED',
      `The operation reads more than ${this.bytes} bytes, ${this.#pages} times PAGE_BYTES: ask for fewer lists and smaller pages at a time, or have the operator raise the limit`,
    )
  }

  /**
   * Reads of one operation, one after the other: each is refused once those before it have read too much.
   * @throws AppError OPERATION_LIMIT_EXCEEDED, and what `read` throws
   */
  async inTurn<Value>(read: () => Promise<Sized<Value>>): Promise<Value> {
    const operation = currentOperation()
    if (!operation) return (await read()).value
    const turn = (this.#turns.get(operation) ?? Promise.resolve()).then(async () => {
      this.spend(0)
      const { value, bytes } = await read()
      // Values that have been read are shown, however large they are.
      this.#spent.set(operation, (this.#spent.get(operation) ?? 0) + bytes)
      return value
    })
    this.#turns.set(
      operation,
      turn.catch(() => {}),
    )
    return turn
  }
}
