import { turnEnd } from '../../turn-end.ts'
import type { ResponseHead } from './response-reader.ts'

/** Carrier of an exchange in flight. */
interface Carrier {
  giveUp(): void
}

/** Beginning of a response. */
type BegunResponse = Pick<ResponseHead, 'status' | 'retryAfter' | 'headers'>

export interface ExchangeOptions {
  /** The whole request, with its headers. */
  request: string | Buffer
  /** True if it may be sent again after its connection was lost before its response began: queries change nothing. */
  isRepeatable: boolean
}

/** One request, and what is answered to it. */
export class Exchange {
  readonly request: string | Buffer
  readonly isRepeatable: boolean
  readonly #begun = Promise.withResolvers<void>()
  readonly #whole = Promise.withResolvers<void>()
  /** Undefined while it waits for a connection. */
  carrier: Carrier | undefined
  /** True if the server may have got the request. */
  wasSent = false
  /** True if it was sent again because the server closed an idle connection. */
  wasRepeated = false
  /** True if it is answered, or failed. */
  isOver = false
  /** Status of HTTP; 0 until there is one. */
  status = 0
  /** Seconds of the header, where it is a number. */
  retryAfterSeconds: number | undefined
  body = ''
  /** Headers of the response that were wanted. */
  headers: readonly (readonly [name: string, value: string])[] = []

  constructor({ request, isRepeatable }: ExchangeOptions) {
    this.request = request
    this.isRepeatable = isRepeatable
    this.whole.catch(() => {}) // its reader leaves it when the answer never began
  }

  /** Settles with the first word of the server: there may be a long time until its last one. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Settles with the whole body. */
  get whole(): Promise<void> {
    return this.#whole.promise
  }

  begin({ status, retryAfter, headers }: BegunResponse): void {
    this.status = status
    this.headers = headers
    this.retryAfterSeconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
    void turnEnd().then(this.#begun.resolve)
  }

  end(body: string): void {
    this.isOver = true
    this.body = body
    void turnEnd().then(this.#whole.resolve)
  }

  fail(error: Error): void {
    this.isOver = true
    this.#begun.reject(error)
    this.#whole.reject(error)
  }

  /** Ends it without waiting for its answer. */
  giveUp(error: Error): void {
    if (this.isOver) return
    this.fail(error)
    this.carrier?.giveUp()
  }
}
