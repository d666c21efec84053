import { CloseCode } from 'graphql-ws'
import type { Json } from '../../federation/index.ts'
import type { ClientSocket } from './client-socket.ts'

interface Running {
  /** By the client, while it is still at work here. */
  isCompleted: boolean
  /** The message of the operation that goes on under its id. */
  next: Json | undefined
}

/**
 * Lets an operation with the id of one that its client has completed wait until that one is over. graphql-ws knows
 * operations by their ids alone. When the old one ends it forgets the id, and then `complete` no longer ends the new one.
 */
export class OperationIds {
  readonly #running = new Map<unknown, Running>()

  /** @param take hands a message to graphql-ws; settles when its operation is over */
  constructor(
    private readonly socket: Pick<ClientSocket, 'closed' | 'close'>,
    private readonly take: (message: Json) => Promise<void>,
  ) {}

  /** Takes a message. Settles as `take` does; at once for one that waits. */
  async give(message: Json): Promise<void> {
    const { type, id } = message
    const before = this.#running.get(id)
    if (type === 'subscribe') {
      if (!before?.isCompleted) return this.#run(message)
      if (before.next)
        return this.socket.close(
          CloseCode.SubscriberAlreadyExists,
          `Subscriber for ${id} already exists`,
        )
      before.next = message
      return
    }
    if (type === 'complete' && before) {
      if (before.isCompleted) {
        before.next = undefined
        return
      }
      before.isCompleted = true
    }
    return this.take(message)
  }

  /** A loop, so that no operation that is over is kept by those behind it. */
  async #run(first: Json): Promise<void> {
    let message: Json | undefined = first
    while (message && !this.socket.closed) {
      const { id } = message
      const running: Running = { isCompleted: false, next: undefined }
      this.#running.set(id, running)
      try {
        await this.take(message)
      } finally {
        if (this.#running.get(id) === running) this.#running.delete(id)
      }
      message = running.next
    }
  }
}
