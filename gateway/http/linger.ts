import type { IncomingMessage, ServerResponse } from 'node:http'
import { PieceCount } from './body/piece-count.ts'

/** How much of a request is read after it was answered. */
const LINGER = { ms: 5_000, bytes: 64 * 1024 * 1024 }

/**
 * Reads on for a while behind an answer that comes before the request has ended. Node destroys a connection that is not
 * kept right behind its answer: what the client still sends resets it, and may take the answer away. So the connection
 * is closed for writing alone until the client closes it, and destroyed where that takes too long.
 */
export function lingerBehind(
  request: IncomingMessage,
  response: ServerResponse,
  { ms, bytes } = LINGER,
): void {
  // Ahead of Node's own listener, which closes the connection.
  response.prependOnceListener('finish', () => {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    const { destroySoon } = socket
    let isKept = true
    socket.destroySoon = () => {
      isKept = false
      socket.end()
    }
    const giveUp = setTimeout(() => socket.destroy(), ms)
    socket.once('close', () => clearTimeout(giveUp))
    const count = new PieceCount()
    let left = bytes
    request
      .on('data', (piece: Buffer) => {
        left -= piece.length
        if (left < 0 || !count.add(piece)) socket.destroy()
      })
      .once('end', () => {
        if (!isKept) return
        clearTimeout(giveUp)
        socket.destroySoon = destroySoon
      })
      .resume()
  })
}
