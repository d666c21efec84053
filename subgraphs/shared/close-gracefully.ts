import { once } from 'node:events'
import type { Server } from 'node:http'

/** Requests that still run after this time are cut. */
const GRACE_MS = 30_000

/** Takes no more connections and lets the requests in flight end. */
export async function closeGracefully(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(cut)
}
