import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LOAD_LIMITS } from '../../platform/load/limits.ts'

/** The last responses of a connection, and what waits for them. */
interface Line {
  last: ServerResponse
  lastUnsafe: ServerResponse | undefined
  waiting: number
  /** Since one was refused: those behind it would overtake it. */
  isClosed: boolean
}

/** Memory that no other limit bounds. */
export const MAX_WAITING = LOAD_LIMITS.pipelined.most

const SAFE: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Handles pipelined requests in order: an unsafe one waits for all before it, a safe one for the unsafe ones
 * (RFC 9112, 9.3.2). Responses of one connection end in order, so the last one is enough to wait for.
 * @param refuse answers one beyond `MAX_WAITING`, and all behind it, in its place. Node reads no further while such responses wait to be sent.
 */
export function inOrder(listener: RequestListener, refuse: RequestListener): RequestListener {
  const lines = new WeakMap<object, Line>()
  return (request: IncomingMessage, response) => {
    const { socket, method } = request
    const isSafe = SAFE.has(method)
    const line = lines.get(socket)
    if (!line) {
      const lastUnsafe = isSafe ? undefined : response
      lines.set(socket, { last: response, lastUnsafe, waiting: 0, isClosed: false })
      return listener(request, response)
    }
    const awaited = isSafe ? line.lastUnsafe : line.last
    line.last = response
    if (!isSafe) line.lastUnsafe = response
    if (line.isClosed) return refuse(request, response)
    if (!awaited || awaited.writableFinished || awaited.destroyed)
      return listener(request, response)
    if (line.waiting >= MAX_WAITING) {
      line.isClosed = true
      return refuse(request, response)
    }
    line.waiting++
    awaited.setMaxListeners(0).once('close', () => {
      line.waiting--
      if (!socket.destroyed) listener(request, response)
    })
  }
}

/** Bytes of a body that come anyhow, whatever is answered meanwhile: the buffers of both sides hold them. */
const SMALL_BODY = 2 ** 16

/**
 * Has a response say `Connection: close` where it begins before a large or awaited body has ended. Some senders give up
 * the rest then and keep the connection, among them a pool of Traffic Server: the next request would pass for a piece of the body.
 */
export function closeBehindEarly(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': bytes = 0, 'transfer-encoding': coding, expect } = request.headers
  if (!coding && Number(bytes) <= SMALL_BODY && !(expect && Number(bytes) > 0)) return
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive
  })
}

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
