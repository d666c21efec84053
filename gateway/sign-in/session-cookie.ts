import { AppError } from '../../schema/errors.ts'
import { isStrange } from '../http/origins.ts'
import type { Headers, HttpRequest } from '../http/request.ts'

/** Name of the cookie that stands for the session of a browser. */
const SESSION = 'assay_session'

/** The secret in the cookie of a request; null where there is none. */
export const sessionSecretOf = (headers: Headers): string | null => cookieOf(headers, SESSION)

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
export const sessionCookie = (secret: string, { isSecure, maxAgeSeconds }: CookieOptions): string =>
  `${SESSION}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

export const endedCookie = (isSecure: boolean): string =>
  sessionCookie('', { isSecure, maxAgeSeconds: 0 })
