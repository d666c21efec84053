/** What is known of a response that is being sent. */
interface Sent {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

/** Takes note of a response that is sent now, and of its text. */
export type NoteSent = (response: Sent, text: string) => void

/** Characters. Smaller responses are bounded by their number. */
const LARGE = 2 ** 20

/** What large responses may hold in memory until their clients have read them. */
const UNREAD_BYTES = 2 ** 28

/**
 * Bounds the memory of large responses whose clients do not read: where there is no room for another one, the one that
 * was sent first is given up. Clients that read have theirs by then.
 */
export function unreadResponses(most = UNREAD_BYTES): NoteSent {
  const unread = new Map<Sent, number>()
  let held = 0
  const forget = (response: Sent): void => {
    held -= unread.get(response) ?? 0
    unread.delete(response)
  }
  return (response, text) => {
    if (text.length < LARGE || response.closed) return
    const bytes = Buffer.byteLength(text)
    for (const first of unread.keys()) {
      if (held + bytes <= most) break
      forget(first)
      first.destroy()
    }
    unread.set(response, bytes)
    held += bytes
    response.once('close', () => forget(response))
  }
}
