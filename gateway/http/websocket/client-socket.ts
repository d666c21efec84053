import { WebSocket } from 'ws'
import type { NoteSent } from '../unread-responses.ts'

/** Bytes of a message, and the name of that limit. */
export interface MessageLimit {
  bytes: number
  /** Fits into the reason of a close: 123 bytes. */
  exceeded: string
}

/** IANA registry: Message Too Big. */
const TOO_BIG = 1009

/**
 * A WebSocket that says why it closes for a message over its limit, and whose limit can change. What waits for its client
 * counts among the responses that clients have not read.
 */
export class ClientSocket extends WebSocket {
  noteSent: NoteSent | undefined
  #limit: MessageLimit | undefined

  get closed(): boolean {
    return this.readyState !== this.OPEN
  }

  get writableLength(): number {
    return this.bufferedAmount
  }

  /** At once: a close with a reason would stand behind all that the client does not read. */
  destroy(): void {
    this.terminate()
  }

  deliver(text: string, sent?: (error?: Error) => void): void {
    const read = this.noteSent?.(this, text)
    this.send(text, (error) => {
      read?.()
      sent?.(error)
    })
  }

  /** Holds for the messages that begin after this. */
  take(limit: MessageLimit): void {
    this.#limit = limit
    // Only this private property of ws stops a message while it arrives; its option is the same for all sockets.
    const { _receiver } = this as unknown as { _receiver: { _maxPayload: number } }
    _receiver._maxPayload = limit.bytes
  }

  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === TOO_BIG ? this.#limit?.exceeded : undefined))
  }

  closeAsTooBig(reason: string): void {
    this.close(TOO_BIG, reason)
  }
}
