import type { ExecutionResult } from 'graphql'
import type { EventStream, LiveEvent, Place, Subscriber } from '../../federation/index.ts'
import { failureOfStream, textFor } from '../graphql/response-text.ts'
import { CLOSE } from './close-codes.ts'
import type { Opened } from './messages.ts'

/**
 * A subscription of a client over WebSocket. Events go to the socket as the bytes that all clients share; graphql-ws,
 * which would write each for itself, reads this as a stream that only ends.
 */
export class SocketStream implements Subscriber, AsyncGenerator<ExecutionResult, void, void> {
  readonly #ended = Promise.withResolvers<IteratorReturnResult<void>>()
  readonly #prefix: string
  readonly #place: Place
  /** Bytes of events since nothing waited for the client. */
  #sent = 0

  constructor(
    stream: EventStream,
    private readonly client: Pick<Opened, 'socket' | 'streams'>,
    id: string,
    private readonly requestId: string,
  ) {
    this.#prefix = `{"id":${JSON.stringify(id)},"type":"next","payload":`
    client.streams.add(this)
    this.#place = stream.deliverTo(this)
  }

  get opened(): Promise<void> {
    return this.#place.opened
  }

  event(event: LiveEvent): void {
    const { socket } = this.client
    if (socket.closed) return
    const text = `${this.#prefix}${textFor(event, this.requestId)}}`
    if (socket.bufferedAmount === 0) this.#sent = 0
    this.#sent += text.length
    socket.deliver(text)
  }

  end(error?: unknown): void {
    this.client.streams.delete(this)
    if (error === undefined) this.#ended.resolve(END)
    else this.#ended.reject(failureOfStream(error))
  }

  waitingBytes(): number {
    // A large answer that the client is reading is not its being slow.
    return Math.min(this.client.socket.bufferedAmount, this.#sent)
  }

  tooSlow(): void {
    this.client.socket.close(...CLOSE.slow)
  }

  next(): Promise<IteratorResult<ExecutionResult, void>> {
    return this.#ended.promise
  }

  async return(): Promise<IteratorReturnResult<void>> {
    this.client.streams.delete(this)
    this.#place.leave()
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
