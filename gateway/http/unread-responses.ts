/** Receiver of texts: a response, or a socket for many of them. */
interface Receiver {
  readonly closed: boolean
  /** Bytes that wait for the client already. */
  readonly writableLength: number
  destroy(): unknown
}

/**
 * Takes note of a text that is sent now.
 * @returns what to call when it does not wait any more; nothing where it is small
 */
export type NoteSent = (receiver: Receiver, text: string | Buffer) => (() => void) | undefined

/** Characters or bytes. Where less waits for a client, the number of connections bounds it. */
const LARGE = 2 ** 20

/** Memory that large responses may hold until their clients have read them. */
const UNREAD_BYTES = 2 ** 28

/**
 * Bounds the memory of responses whose clients do not read: where there is no room for another one, the client is given
 * up that has read none of its own for longest. Clients that read have theirs by then.
 */
export function unreadResponses(most = UNREAD_BYTES): NoteSent {
  /** In bytes; those first that have read nothing for longest. */
  const unread = new Map<Receiver, number>()
  let held = 0
  const changed = (receiver: Receiver, by: number): void => {
    held += by
    const bytes = (unread.get(receiver) ?? 0) + by
    if (by < 0) unread.delete(receiver)
    if (bytes > 0) unread.set(receiver, bytes)
  }
  return (receiver, text) => {
    if (receiver.writableLength + text.length < LARGE || receiver.closed) return undefined
    const bytes = Buffer.byteLength(text)
    for (const [first, its] of unread) {
      if (held + bytes <= most) break
      changed(first, -its)
      first.destroy()
    }
    if (receiver.closed) return undefined
    changed(receiver, bytes)
    return () => {
      if (unread.has(receiver)) changed(receiver, -bytes)
    }
  }
}
