import { AppError } from '../../schema/errors.ts'
import type { Headers, HttpRequest } from '../http/http-message.ts'
import { isStrange } from '../http/origins.ts'

/** Name of the cookie that stands for the session of a browser. */
const SESSION = 'assay_session'

/** Name of the cookie of a sign-in that goes on at a provider. */
const PENDING = 'assay_sign_in'
const PENDING_SECONDS = 600

/** Name of the cookie with the ID token of the provider that a session comes from. */
const ID_TOKEN = 'assay_id_token'
/** Browsers keep cookies of up to 4096 bytes (RFC 6265, section 6.1), attributes included. */
const MAX_ID_TOKEN = 3_800

/** The secret in the cookie of a request; null where there is none. */
export const sessionSecretOf = (headers: Headers): string | null => cookieOf(headers, SESSION)

/** What the browser keeps while its user signs in elsewhere. */
export const pendingTextOf = (headers: Headers): string | null => cookieOf(headers, PENDING)

/** The ID token that a browser keeps to sign out of the provider; it opens nothing. */
export const idTokenOf = (headers: Headers): string | null => cookieOf(headers, ID_TOKEN)

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
export const sessionCookieOf = (
  opened: { secret: string; created: string; ends: string },
  isSecure: boolean,
): string => sessionCookie(opened.secret, { isSecure, maxAgeSeconds: secondsOf(opened) })

const secondsOf = ({ created, ends }: { created: string; ends: string }): number =>
  Math.round((Date.parse(ends) - Date.parse(created)) / 1_000)

/** Browsers send it when the provider sends them back, for which `Strict` is too strict; it opens nothing by itself. */
export const pendingCookie = (kept: string, isSecure: boolean): string =>
  `${PENDING}=${kept}; Path=/session; Max-Age=${PENDING_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

/**
 * The cookies of a session that comes from a provider: its own, and the ID token as a hint for signing out there (OpenID
 * Connect RP-Initiated Logout 1.0, section 2). Without one, as with a token that is too long, the provider asks first.
 */
export const providerCookiesOf = (
  opened: Parameters<typeof sessionCookieOf>[0],
  idToken: string | undefined,
  isSecure: boolean,
): string[] => [
  sessionCookieOf(opened, isSecure),
  idToken !== undefined && idToken.length <= MAX_ID_TOKEN
    ? idTokenCookie(idToken, secondsOf(opened), isSecure)
    : idTokenCookie('', 0, isSecure),
]

const idTokenCookie = (idToken: string, maxAgeSeconds: number, isSecure: boolean): string =>
  `${ID_TOKEN}=${idToken}; Path=/session; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** Takes the cookies of a session away. */
export const endedCookies = (isSecure: boolean): string[] => [
  sessionCookie('', { isSecure, maxAgeSeconds: 0 }),
  idTokenCookie('', 0, isSecure),
]
