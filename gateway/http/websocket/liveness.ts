import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { CLOSE } from './close-codes.ts'

/** Whoever has more than this before a ping may take longer than the next ping to get to it. */
const MUCH_UNREAD_BYTES = 64 * 1024
/** Number of pings that may go unanswered then: the system takes megabytes for a client, which reads them as it can. */
const MAX_MISSED_PINGS = 10

/**
 * Pings a client and ends its socket when the client is gone: it has sent nothing since the last ping, not even a part
 * of a message, within which no pong can stand. Where we read nothing from it, its pong waits; where something waits
 * for it, the ping does, and `closeWhenStalled` decides.
 *
 * @param connection what the socket was made of: only it knows what has come of a message, and what has gone
 */
export function keepAlive(socket: WebSocket, connection: Socket, everyMs: number): void {
  let read = 0
  /** Bytes that the client had read when it answered a ping. */
  let received = 0
  let missed = 0
  socket.on('pong', (written) => {
    received = Number(written)
  })
  whileOpen(socket, everyMs, () => {
    const isHeard = connection.bytesRead > read || socket.isPaused || socket.bufferedAmount > 0
    read = connection.bytesRead
    missed = isHeard ? 0 : missed + 1
    const hasMuchUnread = connection.bytesWritten - received > MUCH_UNREAD_BYTES
    if (missed >= (hasMuchUnread ? MAX_MISSED_PINGS : 1)) socket.terminate()
    else socket.ping(String(connection.bytesWritten))
  })
}

/** Closes the socket of a client that reads nothing of what waits for it, whatever it sends meanwhile. */
export function closeWhenStalled(socket: WebSocket, connection: Socket, stallMs: number): void {
  let taken = takenOf(connection)
  whileOpen(socket, stallMs, () => {
    const before = taken
    taken = takenOf(connection)
    if (socket.bufferedAmount > 0 && taken === before) socket.close(...CLOSE.slow)
  })
}

/** Progress of writes to the system: bytes of finished writes, and the rest of the current one. */
export function takenOf(connection: Socket): string {
  // Only this private property shows the progress of a large write. Node's own timeout of a socket goes by it too, but
  // starts anew with whatever the client sends.
  const { _handle } = connection as { _handle?: { writeQueueSize: number } | null }
  return `${connection.bytesWritten - connection.writableLength}, ${_handle?.writeQueueSize}`
}

function whileOpen(socket: WebSocket, everyMs: number, look: () => void): void {
  const timer = setInterval(() => {
    if (socket.readyState === socket.OPEN) look()
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}
