import type { WebSocket } from 'ws'

/**
 * Pings a client and ends its socket when the client is gone: it has everything and no pong comes by the next ping.
 * Where it still reads, the ping waits behind what it reads; where we read nothing from it, the pong waits.
 */
export function keepAlive(socket: WebSocket, everyMs: number): void {
  let isHeard = true
  socket.on('pong', () => {
    isHeard = true
  })
  const timer = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return
    if (!isHeard && socket.bufferedAmount === 0) return socket.terminate()
    isHeard = socket.isPaused || socket.bufferedAmount > 0
    socket.ping()
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}
