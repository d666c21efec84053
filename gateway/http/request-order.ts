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
