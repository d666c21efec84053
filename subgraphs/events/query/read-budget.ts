import { AppError } from '../../../schema/errors.ts'
import { currentRequest } from '../../shared/request-scope.ts'

/** One operation may read this many times EVENTS_PAGE_BYTES, over all its lists and single events. */
const PAGES = 4

/** Bounds the bytes of events that one operation reads, as its answer is made and written in one piece. */
export class ReadBudget {
  /** A page ends where its rows have this many bytes. EVENTS_PAGE_BYTES */
  readonly pageBytes: number
  readonly #spent = new WeakMap<object, number>()

  constructor(pageBytes: number) {
    this.pageBytes = pageBytes
  }

  /** What an operation reads at most. */
  get bytes(): number {
    return this.pageBytes * PAGES
  }

  /** @param bytes 0 before anything is read @throws AppError OPERATION_LIMIT_EXCEEDED once the operation has read too much */
  spend(bytes: number): void {
    const request = currentRequest()
    if (!request) return
    const spent = (this.#spent.get(request) ?? 0) + bytes
    this.#spent.set(request, spent)
    if (spent <= this.bytes) return
    throw new AppError(
      'OPERATION_LIMIT_EXCEEDED',
      `The operation reads more than ${this.bytes} bytes of events, ${PAGES} times EVENTS_PAGE_BYTES: ask for fewer lists and smaller pages at a time, or have the operator raise the limit`,
    )
  }
}
