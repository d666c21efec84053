import { jwtVerify, SignJWT } from 'jose'
import { AppError, type ErrorCode } from '../../../schema/errors.ts'
import { PERMISSIONS, type Permission } from './permissions.ts'

/** Who asks, and in which request. Plain data: it crosses local and remote links alike. */
export interface Caller {
  /** Taken from `X-Request-Id` or generated; stands in every log line and error body. */
  requestId: string
  /** The span of the trace that asks (W3C Trace Context), where the client or this product traces. */
  traceparent?: string
  /** The signed-in user; null without a sign-in. */
  user: string | null
  /** When the caller's credentials end (milliseconds since 1970); absent where they do not. */
  expiresAt?: number
  /** Id of the caller's account, where accounts are kept here. */
  account?: string
  /** Id of the session that the caller's token stands for. */
  session?: string
  /** Where the request came from, as far as PROXY_ADDRESSES are believed; for the audit log. */
  address?: string
  /** What the caller may do. */
  permissions: readonly Permission[]
  /** Why the sign-in that a request brought is not taken; then nothing is answered. */
  refusal?: { code: ErrorCode; message: string; retryAfterSeconds?: number }
}

/** An anonymous caller with all permissions: every caller with `AUTH_MODE=none`. */
export const openCaller = (requestId: string, address?: string, traceparent?: string): Caller => ({
  requestId,
  ...(traceparent && { traceparent }),
  user: null,
  permissions: PERMISSIONS,
  ...(address !== undefined && { address }),
})

/** What every resolver gets as its context. */
export interface Context {
  caller: Caller
  /** Headers of the client's request that subgraphs of others get: FORWARD_HEADERS names them. */
  headers?: Readonly<Record<string, string>>
}

export interface CallerSignature {
  /** A token that a stand-alone subgraph accepts for one minute. */
  sign(caller: Caller): Promise<string>
  /** @throws AppError UNAUTHENTICATED for a missing, forged or expired token */
  verify(token: unknown): Promise<Caller>
}

const AUDIENCE = 'assay-subgraph'

/** Signs the caller's context between processes (JWT, HS256) with INTERNAL_SECRET. */
export function createCallerSignature(internalSecret: string): CallerSignature {
  const key = new TextEncoder().encode(internalSecret)
  return {
    sign: (caller) =>
      new SignJWT({ caller })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(AUDIENCE)
        .setExpirationTime('60s')
        .sign(key),
    async verify(token) {
      try {
        const { payload } = await jwtVerify<{ caller: Caller }>(String(token), key, {
          audience: AUDIENCE,
          algorithms: ['HS256'],
        })
        return payload.caller
      } catch (cause) {
        throw new AppError('UNAUTHENTICATED', 'This subgraph answers only to its gateway', {
          cause,
        })
      }
    },
  }
}

/** The header, and the key in WebSocket payload extensions, that carries the signed caller. */
export const CALLER_HEADER = 'assay-caller'

/** The header by which our gateway asks for the direct route: its plans need neither judging nor negotiating. */
export const PLANNED_HEADER = 'assay-planned'
