import type { ExecutionResult } from 'graphql'

/** One event of a stream, made once for all who get it. */
export class LiveEvent {
  #text: string | undefined

  constructor(readonly result: ExecutionResult) {}

  /** The result as JSON; written once. */
  get text(): string {
    this.#text ??= JSON.stringify(this.result)
    return this.#text
  }
}

/** A client that gets the events of a stream. */
export interface Subscriber {
  event(event: LiveEvent): void
  /** There is no more to come; or why there is not. */
  end(error?: unknown): void
  /** Bytes that the client has not read yet. */
  waitingBytes(): number
  /** More waits than the client may leave unread; nothing follows. */
  tooSlow(): void
}

/** A subscriber's place in a stream. */
export interface Place {
  /** Resolves once the stream is open at its subgraph, or is refused there. */
  opened: Promise<void>
  leave(): void
}

/** A subscriber that reports when it gets no more. */
export const observedSubscriber = (subscriber: Subscriber, left: () => void): Subscriber => ({
  event: (event) => subscriber.event(event),
  waitingBytes: () => subscriber.waitingBytes(),
  end(error) {
    left()
    subscriber.end(error)
  },
  tooSlow() {
    left()
    subscriber.tooSlow()
  },
})

/** A report that is made the first time alone. */
export function once(report: () => void): () => void {
  let isReported = false
  return () => {
    if (!isReported) report()
    isReported = true
  }
}
