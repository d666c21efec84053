import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { GracePeriod } from '../process/grace-period.ts'

/** A connection whose last request has ended is closed this soon. */
const LOOK_EVERY_MS = 50

/**
 * Serves on for SHUTDOWN_DELAY_SECONDS, in which balancers see that the server is not ready any more, and asks every
 * client to come back over another connection. A connection that is closed first may carry a request already.
 */
export async function leaveGracefully(server: Server, seconds: number): Promise<void> {
  server.prependListener('request', (_request, response) =>
    response.setHeader('Connection', 'close'),
  )
  await delay(seconds * 1_000)
}

/** Takes no more connections and lets the requests in flight end. Those that still run after the grace period are cut. */
export async function closeGracefully(server: Server, grace = new GracePeriod()): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const closeIdle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS)
  const cut = setTimeout(() => server.closeAllConnections(), grace.leftMs())
  await closed
  clearTimeout(cut)
  clearInterval(closeIdle)
}
