import type { Dispatcher } from 'undici'

/**
 * Collects what a subgraph answers to one request: without the stream for the body and the signal for the time limit
 * that undici's `request` takes, which are much of what a short exchange costs.
 */
export class Answer implements Dispatcher.DispatchHandler {
  readonly #begun = Promise.withResolvers<void>()
  readonly #whole = Promise.withResolvers<string>()
  readonly #pieces: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #failure: Error | undefined
  /** Of HTTP; 0 until there is one. */
  status = 0
  /** What the header says, where it is a number of seconds. */
  retryAfterSeconds: number | undefined

  /** Settles when the subgraph says its first word: there may be a long time until its last one. */
  readonly begun: Promise<void> = this.#begun.promise
  /** The whole body. */
  readonly whole: Promise<string> = this.#whole.promise

  /** Whether the subgraph may have got the request. */
  get wasSent(): boolean {
    return this.#controller !== undefined
  }

  constructor() {
    this.whole.catch(() => {}) // its reader leaves it when the answer never began
  }

  giveUp(failure: Error): void {
    this.#failure = failure
    this.#controller?.abort(failure)
    this.#fail(failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    { 'retry-after': retryAfter }: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status
    this.#pieces.length = 0 // of an attempt on a connection that was lost
    this.retryAfterSeconds = /^\d{1,6}$/.test(String(retryAfter)) ? Number(retryAfter) : undefined
    this.#begun.resolve()
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece)
  }

  onResponseEnd(): void {
    const [first] = this.#pieces
    const body = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces)
    this.#whole.resolve(body.toString())
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(error: Error): void {
    this.#begun.reject(error)
    this.#whole.reject(error)
  }
}
