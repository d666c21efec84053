import { AppError } from '../../formats/errors.ts'
import { hashOfSecret } from '../../platform/access/secret-hash.ts'
import type { Headers, HttpRequest } from '../http/http-message.ts'
import { isStrange } from '../http/origins.ts'

/** Name of the cookie that stands for the session of a browser. */
const SESSION = 'assay_session'

/** Begins the name of the cookie of a sign-in that goes on at a provider; its state follows, as each tab has its own. */
const PENDING = 'assay_sign_in_'
const PENDING_SECONDS = 600
/** Sign-ins that go on in one browser; the next takes the place of the oldest. */
const MAX_PENDING = 5

/** Over TLS no other host can set these, also none below the same domain (RFC 6265bis, section 4.1.3.2). */
const named = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

/** Name of the cookie with the ID token of the provider that a session comes from. */
const ID_TOKEN = 'assay_id_token'
/** Browsers keep cookies of up to 4096 bytes (RFC 6265, section 6.1), attributes included. */
const MAX_ID_TOKEN = 3_800

/**
 * The secret in the cookie of a request; null where there is none. The version before knew the plain name alone, which
 * counts only where the other is absent: any host of the domain can set it.
 */
export function sessionSecretOf(headers: Headers): string | null {
  const own = named(SESSION, true)
  const isSet = pairsOf(headers).some((pair) => pair.startsWith(`${own}=`))
  return cookieOf(headers, isSet ? own : SESSION)
}

/** Secrets that a sign-out makes needless: over TLS that of the plain cookie stays valid beside the other. */
export const allSecretsOf = (headers: Headers): string[] =>
  [named(SESSION, true), SESSION].flatMap((name) => cookieOf(headers, name) ?? [])

/** Hashes of secrets that a sign-in makes needless: what opens a session stays in its own cookie. */
export const formerOf = (headers: Headers): string[] => allSecretsOf(headers).map(hashOfSecret)

/** The sign-in that goes on elsewhere, as the browser keeps it. @param state with which the provider sends it back */
export const pendingTextOf = (headers: Headers, state: string, isSecure: boolean): string | null =>
  cookieOf(headers, named(PENDING, isSecure) + state)

/** The ID token that a browser keeps to sign out of the provider; it opens nothing. */
export const idTokenOf = (headers: Headers): string | null => cookieOf(headers, ID_TOKEN)

/** Blanks and tabs alone are trimmed: a browser may take other white space for a part of the name. */
const pairsOf = ({ cookie = '' }: Headers): string[] =>
  cookie.split(';').map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))

/** Another host may have set one of two, and nothing says which: so neither counts. */
function cookieOf(headers: Headers, name: string): string | null {
  const [found, second] = pairsOf(headers).filter((pair) => pair.startsWith(`${name}=`))
  return second === undefined ? found?.slice(name.length + 1) || null : null
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

/** The value of a `Set-Cookie` header (RFC 6265). Scripts cannot read the cookie; browsers send a secure one over TLS alone. */
const cookie = (
  pair: string,
  isSecure: boolean,
  { path = '/session', maxAge = 0, sameSite = 'Strict' },
): string =>
  `${pair}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`

/** A session that was opened. Times are ISO 8601. */
interface Opened {
  secret: string
  created: string
  ends: string
}

/** The cookie of a session that was opened, which pages of others do not send; the former name goes. */
export const sessionCookiesOf = (opened: Opened, isSecure: boolean): string[] => [
  cookie(`${named(SESSION, isSecure)}=${opened.secret}`, isSecure, {
    path: '/',
    maxAge: secondsOf(opened),
  }),
  ...(isSecure ? [cookie(`${SESSION}=`, true, { path: '/' })] : []),
]

const secondsOf = ({ created, ends }: Opened): number =>
  Math.round((Date.parse(ends) - Date.parse(created)) / 1_000)

/** A sign-in that goes on at the provider. */
interface Kept {
  state: string
  /** Value that the browser keeps. */
  kept: string
}

/** Sign-ins that go on in the tabs of a browser. */
export function pendingsOf(headers: Headers, isSecure: boolean): Kept[] {
  const prefix = named(PENDING, isSecure)
  return pairsOf(headers)
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => {
      const [state = '', kept = ''] = pair.slice(prefix.length).split('=', 2)
      return { state, kept }
    })
}

/** Browsers send it when the provider sends them back, for which `Strict` is too strict; it opens nothing by itself. */
export const pendingCookie = ({ state, kept }: Kept, isSecure: boolean): string =>
  cookie(`${named(PENDING, isSecure)}${state}=${kept}`, isSecure, {
    path: '/',
    maxAge: PENDING_SECONDS,
    sameSite: 'Lax',
  })

/** The cookie of a sign-in that begins. The oldest go where too many were begun and not ended. */
export const pendingCookies = (headers: Headers, begun: Kept, isSecure: boolean): string[] => [
  ...pendingsOf(headers, isSecure)
    .slice(0, 1 - MAX_PENDING)
    .map(({ state }) => endedPending(state, isSecure)),
  pendingCookie(begun, isSecure),
]

/** Takes the cookie of a sign-in away that has ended. */
export const endedPending = (state: string, isSecure: boolean): string =>
  cookie(`${named(PENDING, isSecure)}${state}=`, isSecure, { path: '/', sameSite: 'Lax' })

/**
 * The cookies of a session that comes from a provider: its own, and the ID token as a hint for signing out there (OpenID
 * Connect RP-Initiated Logout 1.0, section 2). Without one, as with a token that is too long, the provider asks first.
 */
export const providerCookiesOf = (
  opened: Opened,
  idToken: string | undefined,
  isSecure: boolean,
): string[] => [
  ...sessionCookiesOf(opened, isSecure),
  idToken !== undefined && idToken.length <= MAX_ID_TOKEN
    ? cookie(`${ID_TOKEN}=${idToken}`, isSecure, { maxAge: secondsOf(opened) })
    : cookie(`${ID_TOKEN}=`, isSecure, {}),
]

/** Takes the cookies of a session away. */
export const endedCookies = (isSecure: boolean): string[] => [
  cookie(`${SESSION}=`, isSecure, { path: '/' }),
  ...(isSecure ? [cookie(`${named(SESSION, true)}=`, true, { path: '/' })] : []),
  cookie(`${ID_TOKEN}=`, isSecure, {}),
]
