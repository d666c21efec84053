import { once } from 'node:events'
import type { Server } from 'node:http'

/** Requests that still run after this time are cut. */
const GRACE_MS = 30_000
/** A connection whose last request has ended is closed this soon. */
const LOOK_EVERY_MS = 50

/** Takes no more connections and lets the requests in flight end. */
export async function closeGracefully(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const closeIdle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS)
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(cut)
  clearInterval(closeIdle)
}
