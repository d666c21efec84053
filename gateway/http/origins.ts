import cors from 'cors'
import { AppError } from '../../formats/errors.ts'
import type { Headers, HttpRequest } from './http-message.ts'

/** Headers of answers that pages of other origins may read. */
const RESPONSE_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'WWW-Authenticate',
  'X-Total-Count',
  'X-Total-Count-Estimated',
]
/** Time for which browsers remember a preflight. */
const PREFLIGHT_SECONDS = 600

/** Sign-in travels in headers that a page sets itself; the cookie of a session counts from our own pages alone. So `*` opens nothing that is signed in. */
export const crossOrigin = (origins: readonly string[]) =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    preflightContinue: true,
  })

/** Methods that change nothing; what they read stays hidden from pages that CORS does not name. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what pages of other origins may not call unless CORS_ORIGINS names them. Browsers send forms without a
 * preflight, and some routes need neither a body nor a header; a query by GET shows its duration.
 * @param isOpen by default, methods that change nothing
 * @throws AppError FORBIDDEN
 */
export function requireOwnPage(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  {
    origins,
    isOpen = SAFE.has(method),
  }: { origins: readonly string[]; isOpen?: boolean | undefined },
): void {
  if (isOpen || !isStrange(headers, origins)) return
  throw new AppError('FORBIDDEN', strangeness(headers))
}

/** Why a page is taken for a stranger. Without `Sec-Fetch-Site`, also one of ours is where a proxy changes Host. */
export const strangeness = ({ origin, host, 'sec-fetch-site': site }: Headers): string =>
  `Pages of ${origin ?? 'other origins'} may not do this (CORS_ORIGINS names those that may)${
    site === undefined
      ? `. Where it is a page of this server, a proxy in front changed the Host to ${host}: have it pass on the Host that the client sent, with its port`
      : ''
  }`

/** True if a page of another origin sends this, and `origins` does not name that. */
export const isStrange = (headers: Headers, origins: readonly string[]): boolean =>
  isForeign(headers) && !origins.includes('*') && !origins.includes(headers.origin ?? '')

/** True if a script of one of our pages sends this, and no address bar. Browsers say it themselves, but for plain HTTP beyond loopback. */
export const isOwnScript = ({ headers }: Pick<HttpRequest, 'headers'>): boolean =>
  headers['x-requested-with'] !== undefined ||
  (headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-mode'] !== 'navigate')

/** `none`: a person typed the address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

/** True if a browser says that a page of another origin sends this. Other clients say nothing. */
function isForeign({ 'sec-fetch-site': site, origin, host }: Headers): boolean {
  if (site !== undefined) return !OWN_SITES.has(String(site))
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}
