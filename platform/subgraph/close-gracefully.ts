import { once } from 'node:events'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { GracePeriod } from '../process/grace-period.ts'

/** A connection whose last request has ended is closed this soon. */
const LOOK_EVERY_MS = 50

/** A connection that brings no request for this long is closed: browsers open some that they may never use. */
const UNUSED_MS = 1_000

/** Options of servers that close gracefully: the interval at which they look for connections that are too slow. */
export const CLOSABLE = { connectionsCheckingInterval: 1_000 }

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

/** Time in which last responses are sent. */
const FAREWELL_MS = 1_000

/**
 * Takes no more connections and lets the requests in flight end. Those that still run after the grace period are cut.
 * @param server made with `CLOSABLE`
 * @param giveUp answers them before that
 */
export async function closeGracefully(
  server: Server,
  grace = new GracePeriod(),
  giveUp?: () => void,
): Promise<void> {
  const closed = once(server, 'close')
  server.headersTimeout = UNUSED_MS
  // The method of HTTP servers ends the look at these times, too: a connection without a request stayed until it was cut.
  NetServer.prototype.close.call(server)
  const closeIdle = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS)
  const over = setTimeout(() => giveUp?.(), grace.leftMs())
  const cut = setTimeout(
    () => server.closeAllConnections(),
    grace.leftMs() + (giveUp ? FAREWELL_MS : 0),
  )
  await closed
  clearTimeout(over)
  clearTimeout(cut)
  clearInterval(closeIdle)
}
