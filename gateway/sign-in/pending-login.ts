import { isRecord } from './is-record.ts'

/** What a browser keeps while its user signs in elsewhere: it binds the answer to this browser. */
export interface Pending {
  state: string
  nonce: string
  /** PKCE: proves that the code was asked for here. */
  verifier: string
  /** Own path to continue at. */
  returnTo: string
}

export const pendingText = (pending: Pending): string =>
  Buffer.from(JSON.stringify(pending)).toString('base64url')

/** @returns null for anything else */
export function pendingIn(text: string | null): Pending | null {
  try {
    const given: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
    if (!isRecord(given)) return null
    const { state, nonce, verifier, returnTo } = given
    const isWhole = [state, nonce, verifier, returnTo].every((each) => typeof each === 'string')
    return isWhole
      ? {
          state: String(state),
          nonce: String(nonce),
          verifier: String(verifier),
          returnTo: ownPath(String(returnTo)),
        }
      : null
  } catch {
    return null
  }
}

const HERE = 'http://here'

/** The path, query and fragment of an address of this server; `/` for any other address. */
export function ownPath(given: string): string {
  if (!given.startsWith('/') || !URL.canParse(given, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(given, HERE)
  // The address bar reads // and /\ as another host.
  return origin === HERE && !/^\/[/\\]/.test(pathname) ? pathname + search + hash : '/'
}
