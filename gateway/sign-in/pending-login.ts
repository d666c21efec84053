import { isRecord } from './is-record.ts'

/** Pending sign-in that a browser keeps while its user signs in elsewhere: it binds the response to this browser. */
export interface Pending {
  state: string
  nonce: string
  /** PKCE: proves that the code was asked for here. */
  verifier: string
  /** Own path to continue at. */
  returnTo: string
  /** Hashes of the secrets of sessions that this sign-in ends: browsers do not send their cookies with what the provider begins. */
  former: string[]
}

export const pendingText = (pending: Pending): string =>
  Buffer.from(JSON.stringify(pending)).toString('base64url')

/** @returns null for anything else */
export function pendingIn(text: string | null): Pending | null {
  try {
    const given: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
    return isPending(given) ? { ...given, returnTo: ownPath(given.returnTo) } : null
  } catch {
    return null
  }
}

/** Names of cookies that sessions have. */
const MAX_FORMER = 2

const isPending = (given: unknown): given is Pending =>
  isRecord(given) &&
  Array.isArray(given.former) &&
  given.former.length <= MAX_FORMER &&
  ['state', 'nonce', 'verifier', 'returnTo'].every((name) => typeof given[name] === 'string') &&
  given.former.every((hash) => typeof hash === 'string')

const HERE = 'http://here'

/** The path, query and fragment of an address of this server; `/` for any other address. */
export function ownPath(given: string): string {
  if (!given.startsWith('/') || !URL.canParse(given, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(given, HERE)
  // The address bar reads // and /\ as another host.
  return origin === HERE && !/^\/[/\\]/.test(pathname) ? pathname + search + hash : '/'
}
