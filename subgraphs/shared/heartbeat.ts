import type { ServerResponse } from 'node:http'

/** How often a subgraph that works on a request tells so. */
export const BEAT_MS = 5_000

/**
 * Sends white space ahead of a JSON answer while it is being made, so that whoever waits can tell work from death.
 * @returns ends the beat
 */
export function beat(response: ServerResponse, everyMs = BEAT_MS): () => void {
  const timer = setInterval(() => {
    if (!response.headersSent) response.setHeader('content-type', 'application/json; charset=utf-8')
    response.write(' ')
  }, everyMs)
  return () => clearInterval(timer)
}
