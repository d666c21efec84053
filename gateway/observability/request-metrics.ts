import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'

/** What the router found. */
interface Routed extends IncomingMessage {
  baseUrl?: string
  route?: { path?: unknown }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** Counts a request when it has been answered. @param plainRoute of a request that no router sees */
export function countRequest(
  { requests }: Metrics,
  request: Routed,
  response: ServerResponse,
  plainRoute?: string,
): void {
  const began = performance.now()
  const { method = '', url = '' } = request
  response.on('close', () => {
    const labels = {
      method: METHODS.has(method) ? method : 'other',
      route: plainRoute ?? routeOf(request, url),
      status: String(response.statusCode),
    }
    requests.observe(labels, (performance.now() - began) / 1_000)
  })
}

/** The pattern of the route, never the path: paths hold ids. */
function routeOf({ baseUrl = '', route }: Routed, url: string): string {
  if (/^\/graphql(\/|\?|$)/.test(url)) return '/graphql'
  return typeof route?.path === 'string' ? baseUrl + route.path : 'other'
}
