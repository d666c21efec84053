import { AppError } from '../../schema/errors.ts'
import { isStrange } from '../http/origins.ts'
import type { Headers, HttpRequest } from '../http/request.ts'

/** Name of the cookie that stands for the session of a browser. */
const SESSION = 'assay_session'

/** Name of the cookie of a sign-in that goes on at a provider. */
const PENDING = 'assay_sign_in'
const PENDING_SECONDS = 600

/** The secret in the cookie of a request; null where there is none. */
export const sessionSecretOf = (headers: Headers): string | null => cookieOf(headers, SESSION)

/** What the browser keeps while its user signs in elsewhere. */
export const pendingTextOf = (headers: Headers): string | null => cookieOf(headers, PENDING)

function cookieOf({ cookie = '' }: Headers, name: string): string | null {
  const found = cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1) || null
}

/**
 * Browsers add the cookie by themselves, so it counts only in requests of our own pages, whatever CORS_ORIGINS allows.
 * @throws AppError FORBIDDEN
 */
export function requireOwnCookie({ headers }: Pick<HttpRequest, 'headers'>): void {
  if (!isStrange(headers, [])) return
  throw new AppError(
    'FORBIDDEN',
    `Pages of ${headers.origin ?? 'other origins'} may not use the session of this browser: sign in with a header instead`,
  )
}

interface CookieOptions {
  /** Whether browsers send it over TLS alone. */
  isSecure: boolean
  maxAgeSeconds: number
}

/** The value of a `Set-Cookie` header (RFC 6265). Scripts cannot read the cookie, and pages of others do not send it. */
const sessionCookie = (secret: string, { isSecure, maxAgeSeconds }: CookieOptions): string =>
  `${SESSION}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** The cookie of a session that was opened. Times are ISO 8601. */
export function sessionCookieOf(
  { secret, created, ends }: { secret: string; created: string; ends: string },
  isSecure: boolean,
): string {
  const maxAgeSeconds = Math.round((Date.parse(ends) - Date.parse(created)) / 1_000)
  return sessionCookie(secret, { isSecure, maxAgeSeconds })
}

/** Browsers send it when the provider sends them back, for which `Strict` is too strict; it opens nothing by itself. */
export const pendingCookie = (kept: string, isSecure: boolean): string =>
  `${PENDING}=${kept}; Path=/session; Max-Age=${PENDING_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

export const endedCookie = (isSecure: boolean): string =>
  sessionCookie('', { isSecure, maxAgeSeconds: 0 })
