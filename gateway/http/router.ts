import findMyWay from 'find-my-way'
import type { Destination, Endpoint, PathParameters } from './destination.ts'
import type { HttpRequest } from './request.ts'

/** The destination of a request, what answers its method there, and the parameters in its path. */
export interface MatchedRoute {
  destination: Destination
  endpoint: Endpoint | undefined
  params: PathParameters
}

/**
 * Finds the destination of a request by its path: doubled slashes count as one, a last slash as none. Only parameters may
 * be percent-encoded, so that a proxy that judges by path sees the same path.
 * @param elsewhere for every other path
 */
export function createRouter(
  destinations: readonly Destination[],
  elsewhere: Destination,
): (request: HttpRequest) => MatchedRoute {
  const table = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  })
  for (const destination of destinations) table.on('GET', destination.path, () => {}, destination)
  /** What most requests ask for needs no search. */
  const plain = new Map(
    destinations.filter(({ path }) => !path.includes(':')).map((each) => [each.path, each]),
  )
  const nothing: MatchedRoute = { destination: elsewhere, endpoint: undefined, params: NONE }

  return ({ method, url }) => {
    const known = plain.get(url)
    if (known) return { destination: known, endpoint: endpointOf(known, method), params: NONE }
    const [path = ''] = tidyUrl(url).split('?', 1)
    if (!path.startsWith('/')) return nothing
    // find-my-way decodes parameters; encoded once more, they stay as the client wrote them.
    const found = table.find('GET', path.replaceAll(/[%#]/g, encodeURIComponent))
    if (!found) return nothing
    const destination: Destination = found.store
    const endpoint = endpointOf(destination, method)
    return { destination, endpoint, params: () => decoded(found.params) }
  }
}

const NONE: PathParameters = () => ({})

const endpointOf = ({ endpoints, withoutHead }: Destination, method: string) =>
  endpoints[method === 'HEAD' && !withoutHead ? 'GET' : method]

/** Clients join base and path carelessly: doubled slashes count as one. @param url path and query */
export function tidyUrl(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replace(/\/{2,}/g, '/'), ...query].join('?')
}

const decoded = (params: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value = '']) => [name, decodeURIComponent(value)]),
  )
