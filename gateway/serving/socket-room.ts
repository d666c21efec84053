import { setTimeout as delay } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { StreamLimits } from '../subscriptions/live-stream.ts'
import { CLOSE } from './close-codes.ts'

/** How often it is looked whether a client has caught up. */
const LOOK_MS = 20

/**
 * Waits for clients that have too much unread, and reads no more of what they send until they have caught up. One that
 * does not is closed, as a slow subscriber is.
 */
export function socketRoom({ bufferBytes, stallMs }: StreamLimits) {
  const waits = new WeakMap<WebSocket, Promise<void>>()
  const isFull = (socket: WebSocket) =>
    socket.readyState === socket.OPEN && socket.bufferedAmount > bufferBytes

  async function wait(socket: WebSocket): Promise<void> {
    socket.pause()
    const until = performance.now() + stallMs
    while (isFull(socket) && performance.now() < until)
      await delay(LOOK_MS, undefined, { ref: false })
    if (isFull(socket)) socket.close(...CLOSE.slow)
    socket.resume()
    waits.delete(socket)
  }

  return (socket: WebSocket): Promise<void> | undefined => {
    if (!isFull(socket)) return undefined
    const known = waits.get(socket) ?? wait(socket)
    waits.set(socket, known)
    return known
  }
}
