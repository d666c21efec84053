import type { ErrorCode } from '../../formats/errors.ts'
import { PERMISSIONS, type Permission } from './permissions.ts'

/** The caller and the request. Plain data: it crosses local and remote links alike. */
export interface Caller {
  /** Taken from `X-Request-Id` or generated; stands in every log line and error body. */
  requestId: string
  /** The span of the trace that asks (W3C Trace Context), where the client or this product traces. */
  traceparent?: string
  /** The signed-in user, as people see it; null without a sign-in. */
  user: string | null
  /** The name of an issuer, and the subject there. Two subjects may have one name. */
  subject?: string
  /** Why the claims of an issuer gave no role, for refusals. */
  withoutRole?: string
  /** When the caller's credentials end (milliseconds since 1970); absent where they do not. */
  expiresAt?: number
  /** Id of the caller's account, where accounts are kept here. */
  account?: string
  /** Id of the session that the caller's token stands for. */
  session?: string
  /** Names the password that proved the caller: another password has another name. Absent for all other credentials. */
  passwordId?: string
  /** Address of the client, as far as PROXY_ADDRESSES are believed; for the audit log. */
  address?: string
  /** Permissions of the caller. */
  permissions: readonly Permission[]
  /** Asks again and again whether a subgraph is up. */
  isProbe?: true
  /** Claims of the verified token, where a gateway in front of subgraphs of others decides by them. */
  claims?: Readonly<Record<string, unknown>>
  /** Why the sign-in that a request brought is not taken; then nothing is answered. */
  refusal?: { code: ErrorCode; message: string; retryAfterSeconds?: number }
}

/** Whose work it is, where owners take turns; undefined where nothing is known of the caller. */
export const ownerOf = ({ account, subject, user, address }: Partial<Caller>): string | undefined =>
  account ?? subject ?? user ?? address

/** True for callers of whom nothing is known. */
export const isStranger = ({ permissions, claims }: Caller): boolean =>
  permissions.length === 0 && claims === undefined

/** The key that limits and sessions of a user go by; null without a sign-in. */
export const userKeyOf = ({ subject, user }: Pick<Caller, 'subject' | 'user'>): string | null =>
  subject ?? user

/** An anonymous caller with all permissions: every caller with `AUTH_MODE=none`. */
export const openCaller = (requestId: string, address?: string, traceparent?: string): Caller => ({
  requestId,
  ...(traceparent && { traceparent }),
  user: null,
  permissions: PERMISSIONS,
  ...(address !== undefined && { address }),
})

/** Context of every resolver. */
export interface Context {
  caller: Caller
  /** Headers of the client's request that subgraphs of others get: FORWARD_HEADERS names them. */
  headers?: Readonly<Record<string, string>>
}

/** Equal for contexts that subgraphs must answer alike: all that they learn, but not in which request. */
export const contextKey = ({ caller, headers }: Context): string =>
  callerKey(caller) + (headers ? JSON.stringify(headers) : '')

/** Equal for callers whom subgraphs must answer alike, for as long as this process runs. */
export function callerKey(caller: Caller): string {
  const { user, subject, withoutRole, account, session, refusal, permissions, claims } = caller
  const may = numberOf(permissions)
  if (user === null && !account && !session && !refusal && !claims) return may
  const known = { user, subject, withoutRole, account, session, refusal, claims, permissions: may }
  return JSON.stringify(
    known satisfies Record<
      keyof Omit<
        Caller,
        'requestId' | 'traceparent' | 'expiresAt' | 'passwordId' | 'address' | 'isProbe'
      >,
      unknown
    >,
  )
}

const numbers = new WeakMap<readonly string[], string>()
const byText = new Map<string, string>()

/** Many callers have the very same list, and there are few different ones. */
function numberOf(permissions: readonly string[]): string {
  const known = numbers.get(permissions)
  if (known) return known
  const text = JSON.stringify(permissions)
  const number = byText.get(text) ?? String(byText.size)
  byText.set(text, number)
  numbers.set(permissions, number)
  return number
}
