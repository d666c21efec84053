import type { ServerResponse } from 'node:http'

/** Interval of the heartbeat of a subgraph that works on a request. */
export const BEAT_MS = 5_000

/**
 * Sends white space ahead of a JSON answer in the making, so that the client can distinguish work from a hang.
 * @returns ends the beat
 */
export function beat(response: ServerResponse, everyMs = BEAT_MS): () => void {
  const timer = setInterval(() => {
    if (!response.headersSent) response.setHeader('content-type', 'application/json; charset=utf-8')
    response.write(' ')
  }, everyMs)
  return () => clearInterval(timer)
}
