import { WebSocket } from 'ws'
import type { NoteSent } from '../connection-bounds.ts'

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
    const text = reason ?? (code === TOO_BIG ? this.#limit?.exceeded : undefined)
    super.close(code, text === undefined ? undefined : shortened(Buffer.from(text)))
  }

  closeAsTooBig(reason: string): void {
    this.close(TOO_BIG, reason)
  }
}

/** A frame of the protocol has no room for a longer reason, and ws throws for one. */
const MAX_REASON_BYTES = 123
const ELLIPSIS = Buffer.from('…')

/** Cut between two characters: the reason of a close has to be UTF-8. */
function shortened(reason: Buffer): Buffer {
  if (reason.length <= MAX_REASON_BYTES) return reason
  let end = MAX_REASON_BYTES - ELLIPSIS.length
  while (((reason[end] ?? 0) & 0xc0) === 0x80) end--
  return Buffer.concat([reason.subarray(0, end), ELLIPSIS])
}
