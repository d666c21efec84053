import findMyWay from 'find-my-way'
import type { AppError } from '../../formats/errors.ts'
import { type Headers, type HttpRequest, type HttpResponse, pathOf } from './http-message.ts'

/** The parameters in a path, percent-decoded. @throws URIError unless it is UTF-8 */
export type PathParameters = () => Readonly<Record<string, string>>

/** The body of a failure, where it is not the common one. */
export type FailureBody = (failure: AppError, requestId: string) => unknown

/** The same in another encoding; undefined where JSON is expected. */
export type FailureBytes = (
  failure: AppError,
  headers: Headers,
) => { mediaType: string; bytes: Buffer } | undefined

/** Parts of a request that find its destination. */
export type RequestLine = Pick<HttpRequest, 'method' | 'url'>

/** Endpoint of one method of a path. */
export interface Endpoint {
  /** @throws what the failure response is made of */
  handle(request: HttpRequest, params: PathParameters): HttpResponse | Promise<HttpResponse>
  failureBody?: FailureBody | undefined
  failureBytes?: FailureBytes | undefined
  /** Does not count against HTTP_MAX_REQUESTS. */
  isUnlimited?: boolean
  /** True if pages of origins that CORS_ORIGINS does not name may call; by default they may read, as CORS hides the answer. */
  isOpenToPages?: boolean
  /** Called by our own pages: a refusal must not open the browser's window for passwords. */
  isForPages?: boolean
}

/** One path of the server: everything that it answers, and how. */
export interface Destination {
  /** A pattern of find-my-way; the request metrics name it. */
  path: string
  /** By method, in the order of `Allow`. GET also answers HEAD. */
  endpoints: Readonly<Partial<Record<string, Endpoint>>>
  withoutHead?: true
  /** Consents to deliveries of any sender that asks first (HTTP 1.1 Web Hooks of CloudEvents, section 4). */
  isForWebhooks?: boolean
  /** For methods that are not offered. */
  failureBody?: FailureBody
}

/** The value of `Allow`. */
export function allowOf({ endpoints, withoutHead }: Destination): string {
  const methods = Object.keys(endpoints)
  return withoutHead ? [...methods, 'OPTIONS'].join(', ') : allowedMethods(methods)
}

/** The same for methods in either case, where GET also answers HEAD. */
export function allowedMethods(offered: readonly string[]): string {
  const methods = offered.map((method) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** A path that is read. */
export const readable = (path: string, GET: Endpoint): Destination => ({ path, endpoints: { GET } })

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
): (request: RequestLine) => MatchedRoute {
  const table = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  })
  for (const destination of destinations) table.on('GET', destination.path, () => {}, destination)
  /** Destinations of most requests, which need no search. */
  const plain = new Map(
    destinations.filter(({ path }) => !path.includes(':')).map((each) => [each.path, each]),
  )
  const nothing = (method: string): MatchedRoute => ({
    destination: elsewhere,
    endpoint: endpointOf(elsewhere, method),
    params: NONE,
  })

  return ({ method, url }) => {
    const known = plain.get(url)
    if (known) return { destination: known, endpoint: endpointOf(known, method), params: NONE }
    const [path = ''] = tidyUrl(url).split('?', 1)
    if (!path.startsWith('/')) return nothing(method)
    // find-my-way decodes parameters; encoded once more, they stay as the client wrote them.
    const found = table.find('GET', path.replaceAll(/[%#]/g, encodeURIComponent))
    if (!found) return nothing(method)
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

/** The path alone, without a last slash either. */
export const tidyPath = (url: string): string => pathOf(tidyUrl(url)).replace(/\/$/, '')

const decoded = (params: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value = '']) => [name, decodeURIComponent(value)]),
  )
