import type { ExecutionResult } from 'graphql'
import type { WebSocket } from 'ws'
import type { EventStream, LiveEvent, Subscriber } from '../../federation/index.ts'
import { failureOfStream, textFor } from '../graphql/response-text.ts'
import { CLOSE } from './close-codes.ts'

/**
 * A subscription of a client over WebSocket. Events go to the socket as the bytes that all clients share; graphql-ws,
 * which would write each for itself, reads this as a stream that only ends.
 */
export class SocketStream implements Subscriber, AsyncGenerator<ExecutionResult, void, void> {
  readonly #ended = Promise.withResolvers<IteratorReturnResult<void>>()
  readonly #prefix: string
  readonly #leave: () => void
  /** Of events, since nothing waited for the client. */
  #sent = 0

  constructor(
    stream: EventStream,
    private readonly socket: WebSocket,
    id: string,
    private readonly requestId: string,
  ) {
    this.#prefix = `{"id":${JSON.stringify(id)},"type":"next","payload":`
    this.#leave = stream.deliverTo(this)
  }

  event(event: LiveEvent): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    const text = `${this.#prefix}${textFor(event, this.requestId)}}`
    if (this.socket.bufferedAmount === 0) this.#sent = 0
    this.#sent += text.length
    this.socket.send(text)
  }

  end(error?: unknown): void {
    if (error === undefined) this.#ended.resolve(END)
    else this.#ended.reject(failureOfStream(error))
  }

  waitingBytes(): number {
    // A large answer that the client is reading is not its being slow.
    return Math.min(this.socket.bufferedAmount, this.#sent)
  }

  tooSlow(): void {
    this.socket.close(...CLOSE.slow)
  }

  next(): Promise<IteratorResult<ExecutionResult, void>> {
    return this.#ended.promise
  }

  async return(): Promise<IteratorReturnResult<void>> {
    this.#leave()
    this.#ended.resolve(END)
    return END
  }

  async throw(): Promise<IteratorReturnResult<void>> {
    return this.return()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

const END: IteratorReturnResult<void> = { done: true, value: undefined }
