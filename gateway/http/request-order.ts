import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** The last responses of a connection. */
interface LastResponses {
  of: ServerResponse
  ofUnsafe: ServerResponse | undefined
}

const SAFE: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Handles pipelined requests in order: an unsafe one waits for all before it, a safe one for the unsafe ones
 * (RFC 9112, 9.3.2). Responses of one connection end in order, so the last one is enough to wait for.
 */
export function inOrder(listener: RequestListener): RequestListener {
  const last = new WeakMap<object, LastResponses>()
  return (request: IncomingMessage, response) => {
    const { socket, method } = request
    const before = last.get(socket)
    const isSafe = SAFE.has(method)
    const awaited = isSafe ? before?.ofUnsafe : before?.of
    last.set(socket, { of: response, ofUnsafe: isSafe ? before?.ofUnsafe : response })
    if (!awaited || awaited.writableFinished || awaited.destroyed) listener(request, response)
    else
      awaited.once('close', () => {
        if (!socket.destroyed) listener(request, response)
      })
  }
}
